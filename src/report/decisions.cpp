// The chapter about attackers who see match or no match only: on stolen templates, or through the system itself.
#include "chapter.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

Table decision_table(const Runs& runs) {
  Table table{"decisions", "Attackers who see match or no match only, 95 % intervals in brackets",
              "Decided: the answers told the attackers something; otherwise they draw lots. Random key: a "
              "cryptosystem that returns some key on failure, so that only a key that comes back is known to be the "
              "right one."};
  for (const Cell* cell :
       cells_of(runs, {"decisions", "online"}, {"best", "classes", "technique", "comparator", "attacker", "target"})) {
    const Values& values = cell->values;
    for (const Json* item : objects(values, field(values, "results").is_array() ? "results" : "decisions")) {
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

std::vector<Section> write(const Shared& shared) {
  Section out{"decisions", "Decisions", "What do a system's answers tell?",
              "Attackers present faces of their own and are told no more than match or no match; with secret keys, "
              "the system applies the victim's."};
  out.add(decision_table(shared.runs));
  return {out};
}

}  // namespace

Chapter decisions_chapter() {
  return {.write = write};
}

}  // namespace bauta::report
