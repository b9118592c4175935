// What a release's maker states beside the numbers: what left the house, who might attack it, what nobody promises.
#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "bauta/report/sections.hpp"
#include "bauta/report/text.hpp"

namespace bauta::report {
namespace {

std::string count(const Json& object, const char* name) {
  const Number value = number(object, name);
  return value ? grouped(value) : std::string();
}

std::string list_block(const Json& release, const char* name, const char* title) {
  std::string items;
  for (const std::string& item : texts(release, name)) items += fmt::format("<li>{}</li>\n", escape_prose(item));
  if (items.empty()) return {};
  return fmt::format("<h3>{}</h3>\n<div class=\"card\"><ul class=\"remarks\">\n{}</ul></div>\n", title, items);
}

std::string label_text(const Json& labels) {
  const Number smallest = number(labels, "smallest");
  const Number alone = number(labels, "alone");
  if (!smallest) return {};
  std::string out = count(labels, "combinations") + " combinations of values; ";
  if (*smallest > 1) return out + fmt::format("the rarest is shared by {} records", grouped(smallest));
  return out + fmt::format("{} {} one that nobody shares, and can be told by the labels alone", grouped(alone),
                           alone && *alone == 1 ? "record has" : "records have");
}

/// The parameters in words, as they came out.
std::string parameter_facts(const Anonymised& setting) {
  const auto value = [&](const char* name) { return setting.parameter(name); };
  std::string out = fact("Sets", value("g").empty() ? "" : value("g") + " records each");
  const AttributeUtility* interest = setting.interest();
  const std::string attribute = interest ? interest->attribute : "attribute";
  if (!value("t_used").empty()) {
    out += fact("Purity", fmt::format("{} of a set share the record's {} (asked for: {})",
                                      percent(std::strtod(value("t_used").c_str(), nullptr)), attribute,
                                      percent(std::strtod(value("t").c_str(), nullptr))));
  }
  out += fact("Weight of retained features", value("w"));
  out += fact("Form", value("form"));
  if (!value("retained").empty()) {
    out +=
        fact("Features retained",
             fmt::format("{} of {} in all ({})", value("retained"), value("features"), value("retained_for")), "wide");
  }
  return out;
}

std::string facts_block(const Json& release, const Anonymised* setting) {
  std::string columns;
  for (const std::string& name : texts(release, "columns")) columns += (columns.empty() ? "" : ", ") + name;
  std::string out = "<div class=\"card\"><dl class=\"facts plain\">\n";
  out += fact("Records released", count(release, "records"));
  out += fact("Features", count(release, "features"));
  if (setting && setting->identities && !setting->one_record_per_identity) {
    out += fact("People who could be named", grouped(setting->identities));
  }
  out += fact("Left out, nothing extracted", count(release, "failures"));
  out += fact("Records judged", count(release, "judged"));
  out += fact("Originals looked through", count(release, "candidates"));
  const Number copies = number(release, "exact_copies");
  if (copies) out += fact("Exact copies of originals", *copies == 0 ? "none" : grouped(copies));
  if (setting && setting->worst_posterior) {
    out += fact("Record found most surely",
                fmt::format("by {}, who is {} sure", setting->worst_attacker, percent(setting->worst_posterior)));
  }
  if (setting) out += parameter_facts(*setting);
  out += fact("Labels released", columns);
  out += fact("Labels alone", label_text(field(release, "labels")), "wide");
  return out + "</dl></div>\n";
}

Table plain_table(const char* name, const char* caption, std::vector<Table::Column> columns) {
  return {.name = name,
          .caption = caption,
          .columns = std::move(columns),
          .rows = {},
          .note = {},
          .csv_head = {},
          .csv_rows = {}};
}

std::string utility_block(const Anonymised& setting) {
  Table table = plain_table(
      "release-utility", "What it is good for: accuracy, with 95 % intervals",
      {{"Attribute", Table::Align::left}, {"Released"}, {"Learned anew"}, {"Clear data"}, {"Largest class"}});
  for (const AttributeUtility& item : setting.attributes) {
    const auto measured = [](const std::optional<Measured>& of) {
      return of ? rate_cell(of->value, of->ci) : cell("–");
    };
    table.rows.push_back(
        {{cell(item.attribute, item.interest ? "of interest" : ""), rate_cell(item.accuracy.value, item.accuracy.ci),
          measured(item.retrained), measured(item.clear), rate_cell(item.chance)},
         false});
  }
  table.note =
      "Released: read by a forest that learned from clear records. Learned anew: by one that learned from released "
      "ones. "
      "Largest class: always naming it.";
  return table.rows.empty() ? std::string() : to_html(table);
}

std::string mixture_block(const Anonymised& setting) {
  constexpr double guesses[] = {1, 2, 5, 10};
  std::vector<Table::Column> columns = {{"Attacker", Table::Align::left}, {"looks for", Table::Align::left}};
  for (const double k : guesses) columns.push_back({fmt::format("k = {:.0f}", k)});
  columns.push_back({"KL"});
  Table table = plain_table("release-mixture", "Who finds whom: identity mixture within k guesses", std::move(columns));
  const auto add = [&](const std::string& name, const Reidentifier& attacker, bool guesser) {
    Table::Row row{{cell(name), cell(attacker.question == "identity" ? "the person" : "the record",
                                     "among " + grouped(attacker.candidates))},
                   false};
    for (const double k : guesses) {
      const auto found =
          std::find_if(attacker.top.begin(), attacker.top.end(), [&](const auto& top) { return top.k == k; });
      row.cells.push_back(found == attacker.top.end() ? cell("–")
                          : guesser                   ? cell(precise_percent(found->chance))
                                                      : mixture_cell(found->mixture.value, found->mixture.ci));
    }
    row.cells.push_back(cell(guesser ? "0" : decimal(attacker.kl, 3)));
    table.rows.push_back(std::move(row));
  };
  for (const Reidentifier& attacker : setting.attackers) {
    add(attacker_name(attacker), attacker, false);
    const bool last_of_kind = &attacker == &setting.attackers.back() ||
                              (&attacker + 1)->candidates != attacker.candidates ||
                              (&attacker + 1)->question != attacker.question;
    if (last_of_kind) add("guessing", attacker, true);
  }
  table.note =
      "Identity mixture is the share that is not found: 100 % is good, and guessing leaves what its rows say. KL: "
      "divergence of the attacker's belief from a guesser's, in nats.";
  return table.rows.empty() ? std::string() : to_html(table);
}

std::string search_block(const Json& search) {
  if (!search.is_object()) return {};
  Table table = plain_table("search", "Settings that were tried",
                            {{"Setting", Table::Align::left},
                             {"Utility"},
                             {"Mixture"},
                             {"Left by", Table::Align::left},
                             {"", Table::Align::left}});
  for (const Json& one : field(search, "settings")) {
    const bool chosen = text(one, "setting") == text(search, "chosen");
    const char* word = chosen                              ? "chosen"
                       : field(one, "refused").is_string() ? "cannot be drawn"
                       : is_true(one, "reaches")           ? "reaches it"
                                                           : "";
    table.rows.push_back(
        {{cell(text(one, "setting")), cell(decimal(number(one, "utility"), 3)),
          rate_cell(number(one, "mixture"), interval(one, "ci")), cell(text(one, "attacker")), cell(word)},
         chosen});
  }
  std::string sentence = fmt::format(
      "The most useful setting with a mixture of at least {} against {} was taken. Readers learned from {} records, "
      "settings were judged on {} others; neither are those that this page judges.",
      percent(number(search, "target")),
      text(search, "against") == "claimed" ? "the attacker of the paper" : "the strongest attacker",
      count(search, "learned"), count(search, "judged"));
  const Json& evidence = field(search, "evidence");
  if (evidence.is_object()) {
    sentence += fmt::format(" Here, {} leaves {}: the bound {}.", text(evidence, "attacker"),
                            precise_percent(number(evidence, "mixture"), interval(evidence, "ci")),
                            is_true(evidence, "reaches") ? "holds" : "does not hold");
  }
  return fmt::format(
      "<h3>How the setting was found</h3>\n<p>{}</p>\n<details><summary>All settings</summary>\n{}"
      "</details>\n",
      escape_prose(sentence), to_html(table));
}

}  // namespace

Section release_section(const std::vector<RunResults>& runs) {
  Section out{"release", "Release", "What was released, and what is not promised?",
              "Numbers below are measured on the very records that were released; read them with what the attackers "
              "were given, and with what they were not.",
              ""};
  for (const RunResults& run : runs) {
    if (!run.release.is_object()) continue;
    if (runs.size() > 1) out.body += fmt::format("<h3>{}</h3>\n", escape_html(run.name));
    const Settings settings = protected_settings(run.anonymised);
    const Anonymised* setting = settings.empty() ? nullptr : settings.front();
    out.body += facts_block(run.release, setting);
    if (setting) out.body += utility_block(*setting) + mixture_block(*setting);
    out.body += list_block(run.release, "threat_model", "Who attacks") +
                list_block(run.release, "not_promised", "What is not promised") +
                list_block(run.release, "written", "What was written") + search_block(field(run.release, "search"));
  }
  return out;
}

}  // namespace bauta::report
