// The sections of results: first what it costs and what it leaves, then whether that can be believed.
#include "bauta/report/sections.hpp"

#include <fmt/format.h>

#include "bauta/report/figure_style.hpp"
#include "bauta/report/text.hpp"

namespace bauta::report {
namespace {

// Longer tables and more panels are folded away until somebody asks.
constexpr std::size_t short_table = 30;
constexpr std::size_t few_panels = 6;

std::string figure_block(const Figure& figure) {
  return fmt::format(
      "<figure>\n<h3>{}</h3>\n<div class=\"plot\" role=\"img\" tabindex=\"0\" aria-label=\"{}\" "
      "data-figure=\"{}\"></div>\n"
      "<figcaption><p>{}</p></figcaption>\n</figure>\n",
      escape_html(figure.title), escape_html(figure.alt), escape_html(figure.name), escape_prose(figure.caption));
}

}  // namespace

std::string folded(const std::string& name, const std::string& body) {
  return body.empty() ? body : fmt::format("<details><summary>{}</summary>\n{}</details>\n", name, body);
}

// What belongs to the first data set stands open, the same for other data is folded away.
std::string figure_blocks(const std::vector<Figure>& figures, const char* arrangement, const char* folded_name) {
  std::string open;
  std::string secondary;
  for (const Figure& figure : figures) (figure.secondary ? secondary : open) += figure_block(figure);
  for (std::string* part : {&open, &secondary}) {
    if (!part->empty()) *part = fmt::format("<div class=\"{}\">\n{}</div>\n", arrangement, *part);
  }
  return open + folded(folded_name, secondary);
}

std::string table_block(const Table& table, const char* folded_name) {
  if (table.rows.empty()) return {};
  return table.rows.size() > short_table ? folded(folded_name, to_html(table)) : to_html(table);
}

namespace {

std::size_t panels_of(const Figure& figure) {
  return figure.spec.contains("facet") && figure.spec["facet"].contains("sort") ? figure.spec["facet"]["sort"].size()
                                                                                : 1;
}

std::string panel_blocks(const std::vector<Figure>& figures, const char* folded_name) {
  std::string out;
  bool many = false;
  for (const Figure& figure : figures) {
    out += figure_block(figure);
    many |= panels_of(figure) > few_panels;
  }
  return many ? folded(folded_name, out) : out;
}

// Side by side, unless names need the whole width.
const char* curve_arrangement(const Report& report) {
  std::size_t most = 0;
  for (const std::string& data : data_sets(report.runs)) {
    most = std::max(most, verifications_on(data, report.runs).size());
  }
  return most > few_series ? "column" : "pair";
}

Section recognition_section(const Report& report) {
  Section out{"recognise", "Recognition", "How well does it still recognise?", "No verification was run.", ""};
  if (report.recognition.rows.empty()) return out;
  out.lead =
      "Protection that hides everything also hides who somebody is: low error rates mean that the data is still "
      "useful.";
  out.body = to_html(report.recognition) + figure_blocks(report.curves, curve_arrangement(report));
  return out;
}

Section leakage_section(const Report& report) {
  Section out{"leaks", "Leakage", "What does it still tell?",
              "No attack was run, so nothing is known about what leaks.", ""};
  if (report.leakage.rows.empty()) return out;
  out.lead =
      "An attacker holds protected samples of people whose attribute is known, compares with them or learns from them; "
      "the nearer the success to that on clear data, the less the protection hides.";
  out.body = to_html(report.leakage) + figure_blocks(report.successes, "column") +
             folded("All attacks in numbers", to_html(report.attacks));
  return out;
}

Section estimator_section(const Report& report) {
  return {
      "estimators", "Estimators", "What do trained estimators read?",
      "Each estimator stands between its floor, where there is nothing to learn, and its ceiling on clear data; only "
      "the distance to the ceiling is the protection's merit.",
      figure_blocks(report.estimations, "column") + table_block(report.estimators, "All estimators in numbers") +
          table_block(report.regression, "Continuous attributes in numbers")};
}

}  // namespace

std::string fact(std::string_view name, const std::string& value, const char* width) {
  if (value.empty()) return {};
  return fmt::format("<div class=\"{}\"><dt>{}</dt><dd>{}</dd></div>\n", width, escape_html(name), escape_prose(value));
}

std::vector<Section> result_sections(const Report& report) {
  std::vector<Section> out;
  const auto add = [&](Section section) {
    if (!section.body.empty()) out.push_back(std::move(section));
  };
  const auto add_table = [&](const Table& table, const char* id, const char* link, const char* title,
                             const char* lead) {
    if (!table.rows.empty()) out.push_back({id, link, title, lead, to_html(table)});
  };
  add(release_section(report.runs));
  // With two techniques or fewer the sections themselves are as short.
  if (report.summary.rows.size() > 2) {
    add_table(report.summary, "summary", "At a glance", "At a glance",
              "One row per technique: a low EER means that it still recognises, attacks near chance that it hides.");
  }
  add({"tradeoff", "Trade-off", "Is the privacy worth its price?",
       "The best place is the upper left, where the attacker is wrong and recognition is right; PIC sums up both, and "
       "above 0 privacy gained more than recognition lost.",
       figure_blocks(report.tradeoffs, "column") +
           table_block(report.privacy, "Privacy against recognition in numbers")});
  add(anonymity_section(report));
  // Where records were only anonymised, it goes without saying that nothing was verified.
  const bool only_anonymised = !report.anonymity.rows.empty();
  if (!only_anonymised || !report.recognition.rows.empty()) out.push_back(recognition_section(report));
  if (!only_anonymised || !report.leakage.rows.empty()) out.push_back(leakage_section(report));
  add(estimator_section(report));
  add({"health", "Controls", "Can the attacks be trusted?",
       "An attack that finds nothing proves protection only if it finds leaks that were planted, and stays silent "
       "where "
       "there is nothing.",
       table_block(report.health, "Attack health and controls in numbers") +
           panel_blocks(report.controls, "Planted leaks, one panel per technique") +
           panel_blocks(report.learning, "Learning curves, one panel per technique")});
  add_table(
      report.recovery, "recovery", "Inversion", "Can it be undone?",
      "An attacker who knows the technique, holds pairs or stole the key tries to get the clear template back; what "
      "came back is then recognised and read like clear data.");
  add_table(report.decisions, "decisions", "Decisions", "What do a system's answers tell?",
            "The attacker presents faces of his own and is told no more than match or no match; with secret keys, the "
            "system applies the victim's.");
  add_table(report.linkage, "linkage", "Linkage", "Can two applications be linked?",
            "The same people are enrolled under two keys: unlinkable templates stay at the null level.");
  add({"scores", "Scores", "What do the scores look like?",
       "The less two densities overlap, the better the comparison tells what they stand for: people in the first "
       "figure, "
       "attributes in the others.",
       figure_blocks(report.scores, "column")});
  add({"protocol", "Protocol", "Which data served for what?",
       "Follow the data from left to right: what a protection or an attacker has learned from is never what it is "
       "judged "
       "on.",
       figure_blocks(report.protocols, "column") + (report.protocol.rows.empty() ? "" : to_html(report.protocol))});
  return out;
}

}  // namespace bauta::report
