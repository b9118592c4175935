#include "decided.hpp"

#include "text.hpp"

namespace bauta::report {

Table decided_table(const Runs& runs, const char* question, const char* title) {
  Table table{question, title,
              "Decided: the answers told the attackers something; otherwise they draw lots. Random key: a "
              "cryptosystem that returns some key on failure, so that only a key that comes back is known to be the "
              "right one."};
  for (const Cell* cell :
       cells_of(runs, {question}, {"best", "classes", "technique", "comparator", "attacker", "target"})) {
    const Values& values = cell->values;
    for (const Json* item : objects(values, "results")) {
      const Number fmr = number(*item, "fmr");
      Row(table)
          .series(cell->series)
          .text("Attribute", "attribute", cell->attribute)
          .show("System set to FMR", {fmr ? percent_name(*fmr) : "–"})
          .field("fmr", fmr)
          .text("Answer to a non-match", "refusal", text(*item, "refusal"))
          .count("Queries", "queries", number(*item, "queries"))
          .rate("Targets decided", "decided", number(*item, "decided"))
          .rate("Balanced", "balanced", measured(*item, "balanced"))
          .field("chance", number(values, "chance"));
    }
  }
  return table;
}

}  // namespace bauta::report
