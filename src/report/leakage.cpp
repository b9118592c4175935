// The chapter about leakage: the strongest attacker on every technique and target, and everybody else who tried.
#include <algorithm>

#include <fmt/format.h>

#include "chapter.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

/// About everybody, or about sets of some of the people.
Table leakage_table(const Runs& runs, bool everybody) {
  Table table{everybody ? "leakage" : "leakage-some",
              std::string("Strongest attacker per technique and target") +
                  (everybody ? "" : ", among some of the people") + ", 95 % intervals in brackets",
              "Advantage kept: how much of the attacker's advantage over chance on clear data is left after "
              "protection; 100 % means that the protection hides nothing, 0 % that it hides everything."};
  for (const RunResults& run : runs) {
    for (const Strongest& entry : run.ranking) {
      if (!is_leak(entry.about) || entry.people.empty() != everybody) continue;
      const Finding& finding = entry.strongest;
      const bool worst = run.headline && run.headline->same_target(entry);
      Row(table)
          .mark(worst)
          .series(entry.series)
          .show("Target", {target_name(entry.about, entry.attribute)}, Table::Align::left)
          .field("about", Json(to_text(entry.about)))
          .field("attribute", Json(entry.attribute))
          .field("question", Json(finding.axis("question")))
          .show("Strongest attacker",
                {attacker_name(finding) + (entry.healthy ? "" : " (unhealthy)"), choice_text(entry)},
                Table::Align::left)
          .field("attacker", Json(finding.attacker))
          .field("adversary", Json(finding.axis("adversary")))
          .field("recovery", Json(finding.axis("recovery")))
          .field("of", Json(entry.of))
          .text("Measure", "measure", finding.measure)
          .value("Success", "value", entry.value(), finding.unit)
          .field("unit", Json(finding.unit))
          .field("corrected", entry.corrected)
          .value("Chance", "chance", {finding.chance}, finding.unit)
          .field("share", Measured{entry.share, entry.share_ci})
          .value("Clear data", "clear", entry.on_clear(), finding.unit)
          .detail(!entry.gain.on_clear && finding.clear ? "the same attacker" : "")
          .field("clear_attacker", Json(entry.gain.on_clear ? entry.gain.on_clear->attacker
                                        : finding.clear     ? finding.attacker
                                                            : ""))
          .rate("Advantage kept", "kept", kept_of(entry))
          .health(nullptr, entry.healthy)
          .show("Reading", {(worst ? "worst case: " : "") + reading_of(entry)}, Table::Align::left);
    }
  }
  return table;
}

/// Every finding about a leak, in the order in which questions were asked.
Table attack_table(const Runs& runs) {
  Table table{"attacks", "Every attack that was tried, 95 % intervals in brackets"};
  for (const RunResults& run : runs) {
    for (const Cell& cell : run.cells) {
      for (const Finding& finding : cell.findings) {
        if (!is_leak(finding.about)) continue;
        const std::string attribute = finding.axis("attribute");
        const auto level = [](const std::optional<Level>& of) { return of ? Measured{of->value, of->ci} : Measured{}; };
        Row(table)
            .series(cell.series)
            .show("Target", {target_name(finding.about, attribute)}, Table::Align::left)
            .field("about", Json(to_text(finding.about)))
            .field("attribute", Json(attribute))
            .text("Question", "question", cell.question)
            .show("Attacker", {attacker_with_means(finding) + (finding.healthy == false ? " (unhealthy)" : "")},
                  Table::Align::left)
            .field("attacker", Json(finding.attacker))
            .text("Measure", "measure", finding.measure)
            .value("Value", "value", {finding.value, finding.ci}, finding.unit)
            .field("unit", Json(finding.unit))
            .value("Chance", "chance", {finding.chance}, finding.unit)
            .value("On clear data", "clear", level(finding.clear), finding.unit)
            .value("Floor", "floor", level(finding.floor), finding.unit)
            .field("share", share_of_way(finding))
            .health(nullptr, finding.healthy);
      }
    }
  }
  return table;
}

std::vector<Section> write(const Shared& shared) {
  Section out{"leaks", "Leakage", "What does it still tell?",
              "Whoever compares, learns, links or undoes counts alike: the strongest attacker stands here, and the "
              "nearer the success to that on clear data, the less the protection hides."};
  out.definitions = {
      {"Balanced accuracy",
       "Share of right guesses, averaged over the classes, so that a common class earns nothing. Chance is one over "
       "the number of classes."},
      {"Strongest attacker",
       "Who comes furthest on the way from chance to certainty, among those who work on clear data and find nothing "
       "where nothing is. Who holds more than protected data and samples to learn from is named with it."},
      {"Turned round",
       "Between two answers, whoever is wrong more often than somebody who guesses learns as much by taking the other "
       "one: AUC 0.05 leaks as much as 0.95. Such attackers are ranked that way; all attacks in numbers are as "
       "measured."},
      {"Corrected for the choice",
       "The best of several attacks looks better than it is, because luck is chosen too; this bias is removed."}};
  out.add(leakage_table(shared.runs, true));
  out.add_long(leakage_table(shared.runs, false), "The same among some of the people");
  out.add(attack_table(shared.runs), "All attacks in numbers");
  return {out};
}

}  // namespace

Chapter leakage_chapter() {
  return {.write = write};
}

}  // namespace bauta::report
