// The chapter about how hard it was made for the protection: five hypotheses (S4) with verdicts made from the numbers
// of each run.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "chapter.hpp"
#include "figures.hpp"
#include "text.hpp"
#include "verdict.hpp"

namespace bauta::report {
namespace {

std::string verdict_block(const RunResults& run, const std::vector<Hypothesis>& hypotheses) {
  std::string out = run.several ? "<h3>" + escape_html(run.name) + "</h3>\n" : std::string();
  out += "<div class=\"card\"><dl class=\"defs\">\n";
  for (const Hypothesis& one : hypotheses) {
    out += fmt::format("<dt>{}: {}</dt><dd><em>{}</em> {}</dd>\n", one.name, escape_html(to_text(one.verdict)),
                       escape_prose(one.claim), escape_prose(one.sentence));
  }
  return out + "</dl></div>\n";
}

void add_rows(Table& table, const RunResults& run, const std::vector<Hypothesis>& hypotheses) {
  for (const Hypothesis& hypothesis : hypotheses) {
    for (const Compared& one : hypothesis.compared) {
      const PeopleContrast& difference = one.difference;
      Row(table)
          .text("", "hypothesis", hypothesis.name)
          .field("run", Json(run.name))
          .text("Technique", "technique", one.technique, run.several ? run.name : "")
          .text("Recogniser", "recogniser", one.system)
          .text("Compared", "compared", one.what, one.size)
          .field("people_chosen", Json(one.size))
          .rate("First", "first", one.first)
          .rate("Second", "second", one.second)
          .show("Difference (points)",
                {fmt::format("{:+.1f}", 100 * difference.value),
                 fmt::format("[{:.1f}, {:.1f}]", 100 * difference.ci.low, 100 * difference.ci.high), one.clearly})
          .field("difference", Measured{difference.value, difference.ci})
          .field("clearly", Json(one.clearly))
          .count("People", "people", static_cast<double>(difference.people));
    }
  }
}

/// How many different people a choice came to, over all repetitions.
void add_choices(Table& table, const RunResults& run) {
  for (const Json& choice : run.people) {
    std::set<double> all;
    double most = 0, repetitions = 0;
    for (const Json& rows : field(choice, "rows")) {
      const std::vector<double> people = numbers_of(rows);
      all.insert(people.begin(), people.end());
      most = std::max(most, static_cast<double>(people.size()));
      ++repetitions;
    }
    Row(table)
        .text("Chosen by", "selection", text(choice, "selection"), run.several ? run.name : "")
        .field("run", Json(run.name))
        .text("On", "selected_on", text(choice, "selected_on"))
        .text("Against", "technique", text(choice, "technique"))
        .text("Of everybody", "identities", text(choice, "identities"))
        .count("People", "people", most)
        .count("Repetitions", "repetitions", repetitions)
        .count("Different people in all", "different", static_cast<double>(all.size()));
  }
}

std::vector<Section> write(const Shared& shared) {
  Section out{
      "hypotheses", "Hypotheses", "How hard was it made for the protection?",
      "Who knows of the masks, which recogniser looks, how many people there are and who they are: each can make a "
      "protection look better than it is. Five hypotheses of Hanisch et al. (2024), each with what these numbers "
      "say about it."};
  out.definitions = {
      {"Clearly", "Differs from zero at 5 % over all comparisons of a hypothesis together (Bonferroni)."},
      {"Points",
       "Percentage points; intervals are at 95 %, over people who are drawn again, each compared with "
       "themselves wherever they occur twice."},
      {"Chosen on",
       "The samples that people were chosen by: masked or clear ones that attackers learn from, or (test) "
       "the very ones that are judged."}};
  Table differences{
      "hypotheses", "Differences behind the verdicts, 95 % intervals over people in brackets",
      "First and second: rates. † Clearly: corrected for the number of comparisons of its hypothesis (H3: of "
      "each recogniser with each). H4: rates of the people who are in both sets, and differences of "
      "their shares of the way from chance to certainty."};
  Table choices{
      "people", "Who was chosen",
      "Different people in all: how many took part in any repetition. Their rows in the data are in results.json."};
  for (const RunResults& run : shared.runs) {
    const std::vector<NamedCell> cells = named_cells(run);
    const std::vector<Hypothesis> hypotheses = hypotheses_of(cells, static_cast<std::uint64_t>(run.seed.value_or(1)));
    add_choices(choices, run);
    if (hypotheses.empty()) continue;
    out.add_html(verdict_block(run, hypotheses));
    out.add({recogniser_figure(run, cells)});
    out.add(choice_figures(run, cells), "Ways to choose people, by other recognisers");
    out.add_panels(people_figures(run, cells), "Among fewer people, technique by technique");
    add_rows(differences, run, hypotheses);
  }
  out.add_long(differences, "Differences behind the verdicts");
  out.add_long(choices, "Who was chosen");
  return {out};
}

}  // namespace

Chapter hypotheses_chapter() {
  return {.write = write};
}

}  // namespace bauta::report
