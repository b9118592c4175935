#include "decided.hpp"

#include <charconv>
#include <string>

#include <fmt/format.h>

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

void tell_decided(const RunResults& run, const char* question, const std::string& to_whom, Card& card) {
  const Cell* cell = card.about(cells_of(run, {question}));
  if (!cell) return;
  const Finding& strongest = card.headline->strongest;
  const Json &held = field(cell->values, "attacker"), &target = field(cell->values, "target");
  const Number people = number(target, "identities");
  const std::string comparator = text(cell->values, "comparator"), fmr = strongest.axis("fmr");
  double rate = 0;
  std::from_chars(fmr.data(), fmr.data() + fmr.size(), rate);
  card.threat_model.push_back(fmt::format(
      "The attacker holds {} samples of {} other people whose {} is known, shows {} of them to {} holds {} protected "
      "samples{}, and is told match or no match only{}{}.",
      grouped(number(held, "samples")), grouped(number(held, "identities")), cell->attribute,
      strongest.axis("queries").empty() ? "some" : strongest.axis("queries"), to_whom,
      grouped(number(target, "samples")), people ? fmt::format(" of {} people", grouped(people)) : std::string(),
      comparator.empty() ? "" : ", by the comparator " + comparator,
      rate > 0 ? " at a false match rate of " + percent_name(rate) : ""));
}

}  // namespace bauta::report
