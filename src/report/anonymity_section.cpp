// The section about anonymised records: first what is left of the claim, in words.
#include <algorithm>

#include <fmt/format.h>

#include "bauta/report/judgement.hpp"
#include "bauta/report/sections.hpp"
#include "bauta/report/text.hpp"

namespace bauta::report {
namespace {

// Sentences of a few settings stand open; more are folded away behind those of the headline.
constexpr std::size_t few_settings = 3;
constexpr std::size_t few_rows = 12;

std::string sentences_of(const Settings& settings, bool named) {
  std::string out;
  for (const Anonymised* setting : settings) {
    std::string items;
    for (const std::string& question : questions_of({setting})) {
      const std::string sentence = survival_of(*setting, question).sentence;
      if (sentence.empty()) continue;
      items += fmt::format("<li><strong>{}</strong> {}</li>\n", escape_html(question_title(question)),
                           escape_prose(sentence));
    }
    if (items.empty()) continue;
    if (named) out += fmt::format("<p class=\"origin\">{}</p>\n", escape_html(setting->name));
    out += fmt::format("<ul class=\"survives\">\n{}</ul>\n", items);
  }
  return out;
}

std::string survival_block(const std::vector<RunResults>& runs) {
  Settings first, all;
  for (const RunResults& run : runs) {
    for (const Anonymised* setting : headline_settings(run)) first.push_back(setting);
    for (const Anonymised* setting : protected_settings(run.anonymised)) all.push_back(setting);
  }
  if (all.size() <= few_settings) first = all;
  std::string out = sentences_of(first, all.size() > 1);
  if (!out.empty()) out = "<div class=\"card\">\n<h3>What survives of the claim</h3>\n" + out + "</div>\n";
  if (first.size() < all.size())
    out += folded(fmt::format("The same for all {} settings", all.size()), sentences_of(all, true));
  return out;
}

// What each attacker does and knows, in the run's own words.
std::string attackers_block(const std::vector<RunResults>& runs) {
  std::vector<std::pair<std::string, std::string>> known;
  for (const RunResults& run : runs) {
    for (const Anonymised* setting : protected_settings(run.anonymised)) {
      for (const Reidentifier& attacker : setting->attackers) {
        const std::pair<std::string, std::string> entry = {attacker_name(attacker), attacker.text};
        if (!attacker.text.empty() && std::find(known.begin(), known.end(), entry) == known.end())
          known.push_back(entry);
      }
    }
  }
  std::string out;
  for (const auto& [name, text] : known) {
    out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape_html(name), escape_prose(sentence(text)));
  }
  return out.empty() ? out : "<h3>Who looks</h3>\n<div class=\"card\"><dl class=\"defs\">\n" + out + "</dl></div>\n";
}

}  // namespace

Section anonymity_section(const Report& report) {
  Section out{"anonymity", "Anonymity", "Can they be found again?", "", ""};
  if (report.anonymity.rows.empty()) return out;
  out.lead =
      "Anonymised records should still tell the attribute of interest and no longer whose they are; a claim of "
      "anonymity counts as much as what an attacker who knows the method leaves of it.";
  out.body = survival_block(report.runs) +
             figure_blocks(report.anonymities, "column", "The same for other representations") +
             attackers_block(report.runs) + table_block(report.clear_levels, "Levels on clear data") +
             (report.anonymity.rows.size() > few_rows ? folded("All settings in numbers", to_html(report.anonymity))
                                                      : to_html(report.anonymity)) +
             folded("All attackers in numbers", to_html(report.reidentifiers)) +
             folded("Parameters of all settings", to_html(report.settings));
  return out;
}

}  // namespace bauta::report
