// The chapter about a release: what left the house, who might attack it, and what nobody promises.
#include <fmt/format.h>

#include "chapter.hpp"
#include "release_verdict.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

std::string count(const Json& object, const char* name) {
  const Number value = number(object, name);
  return value ? grouped(value) : std::string();
}

std::string list_block(const Json& statements, const char* name, const char* title) {
  std::string items;
  for (const std::string& item : texts(statements, name)) items += fmt::format("<li>{}</li>\n", escape_prose(item));
  if (items.empty()) return {};
  return fmt::format("<h3>{}</h3>\n<div class=\"card\"><ul class=\"remarks\">\n{}</ul></div>\n", title, items);
}

std::string label_text(const Json& labels) {
  const Number smallest = number(labels, "smallest");
  if (!smallest) return {};
  return fmt::format("{} combinations of values; the rarest belongs to {} people", count(labels, "combinations"),
                     grouped(smallest));
}

/// What became of labels that belonged to too few.
std::string rare_text(const Json& release) {
  const Json& labels = field(release, "labels");
  const Number rare = number(labels, "rare_combinations");
  if (!rare) return {};
  const std::string bound = count(labels, "k");
  if (*rare == 0) return fmt::format("none belonged to fewer than {} people", bound);
  return fmt::format(
      "{} combinations belonged to fewer than {} people each, {} people in all; {} values were generalised, {} records "
      "come without labels, {} were left out",
      count(labels, "rare_combinations"), bound, count(labels, "rare_people"), count(labels, "generalised"),
      count(labels, "suppressed"), count(labels, "left_out"));
}

std::string facts_block(const Json& release) {
  std::string out = "<div class=\"card\"><dl class=\"facts plain\">\n";
  out += fact("Records released", count(release, "records"));
  out += fact("Features", count(release, "features"));
  out += fact("Left out, nothing extracted", count(release, "failures"));
  out += fact("Records judged", count(release, "judged"));
  out += fact("Originals looked through", count(release, "candidates"));
  const Number copies = number(release, "exact_copies");
  if (copies) out += fact("Exact copies of originals", *copies == 0 ? "none" : grouped(copies));
  out += fact("Labels released", joined(texts(release, "columns")));
  out += fact("Labels alone", label_text(field(release, "labels")), "wide");
  out += fact("Rare labels", rare_text(release), "wide");
  return out + "</dl></div>\n";
}

Table search_table(const Json& search) {
  Table table{"search", "Settings that were tried"};
  for (const Json* one : objects(search, "settings")) {
    const bool chosen = text(*one, "setting") == text(search, "chosen");
    const char* word = chosen                               ? "chosen"
                       : field(*one, "refused").is_string() ? "cannot be drawn"
                       : is_true(*one, "reaches")           ? "reaches it"
                                                            : "";
    Row(table)
        .mark(chosen)
        .show("Setting", {text(*one, "setting")}, Table::Align::left)
        .show("Utility", {decimal(number(*one, "utility"), 3)})
        .show("Mixture", rate_cell(measured(*one, "mixture")))
        .show("Left by", {text(*one, "attacker")}, Table::Align::left)
        .show("", {word}, Table::Align::left);
  }
  return table;
}

std::string search_sentence(const Json& search) {
  std::string out = fmt::format(
      "The most useful setting with a mixture of at least {} against {} was taken. Readers learned from {} records, "
      "settings were judged on {} others; neither are those that this page judges.",
      percent(number(search, "target")),
      text(search, "against") == "claimed" ? "the attacker of the paper" : "the strongest attacker",
      count(search, "learned"), count(search, "judged"));
  const Json& evidence = field(search, "evidence");
  if (!evidence.is_object()) return out;
  return out + fmt::format(" Here, {} leaves {}: the bound {}.", text(evidence, "attacker"),
                           precise_percent(number(evidence, "mixture"), interval(evidence)),
                           is_true(evidence, "reaches") ? "holds" : "does not hold");
}

std::vector<Section> write(const Shared& shared) {
  Section out{"release", "Release", "What was released, and what is not promised?",
              "Numbers below are measured on the very records that were released; read them with what the attackers "
              "were given, and with what they were not."};
  for (const RunResults& run : shared.runs) {
    const Json& release = run.release;
    if (!release.is_object()) continue;
    if (run.several) out.add_html(fmt::format("<h3>{}</h3>\n", escape_html(run.name)));
    out.add_html(facts_block(release));
    const Json statements = release_statements(release);
    out.add_html(list_block(statements, "threat_model", "Who attacks") +
                 list_block(statements, "not_promised", "What is not promised") +
                 list_block(statements, "written", "What was written"));
    const Json& search = field(release, "search");
    if (!search.is_object()) continue;
    out.add_html("<h3>How the setting was found</h3>\n<p>" + escape_prose(search_sentence(search)) + "</p>\n");
    out.add(search_table(search), "All settings");
  }
  return {out};
}

void tell(const RunResults& run, Card& card) {
  // Of a release the verdict speaks of labels too.
  if (!run.release_verdict.empty()) card.verdict = run.release_verdict;
}

}  // namespace

Chapter release_chapter() {
  return {.write = write, .tell = tell};
}

}  // namespace bauta::report
