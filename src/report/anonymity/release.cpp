// The chapter about a release: what left the house, who might attack it, and what nobody promises.
#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "release_verdict.hpp"
#include "settings.hpp"
#include "text.hpp"

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
  out += fact("Labels released", joined(texts(release, "columns")));
  out += fact("Labels alone", label_text(field(release, "labels")), "wide");
  return out + "</dl></div>\n";
}

Table utility_table(const Anonymised& setting) {
  Table table{"release-utility", "What it is good for: accuracy, with 95 % intervals",
              "Released: read by a forest that learned from clear records. Learned anew: by one that learned from "
              "released ones. Largest class: always naming it."};
  for (const AttributeUtility& item : setting.attributes) {
    Row(table)
        .show("Attribute", {item.attribute, item.interest ? "of interest" : ""}, Table::Align::left)
        .show("Released", rate_cell(item.accuracy))
        .show("Learned anew", rate_cell(item.retrained.value_or(Measured{})))
        .show("Clear data", rate_cell(item.clear.value_or(Measured{})))
        .show("Largest class", {percent(item.chance)});
  }
  return table;
}

void add_mixtures(Table& table, const std::string& name, const Reidentifier& attacker, bool guesser) {
  Row row(table);
  row.show("Attacker", {name}, Table::Align::left)
      .show("looks for",
            {attacker.question == "identity" ? "the person" : "the record", "among " + grouped(attacker.candidates)},
            Table::Align::left);
  for (const double k : {1, 2, 5, 10}) {
    const auto found =
        std::find_if(attacker.top.begin(), attacker.top.end(), [&](const TopMixture& top) { return top.k == k; });
    const Measured none;
    const Measured mixture = found == attacker.top.end() ? none : guesser ? Measured{found->chance} : found->mixture;
    row.show(fmt::format("k = {:.0f}", k), precise_cell(mixture));
  }
  row.show("KL", {guesser ? "0" : decimal(attacker.kl, 3)});
}

Table mixture_table(const Anonymised& setting) {
  Table table{"release-mixture", "Who finds whom: identity mixture within k guesses",
              "Identity mixture is the share that is not found: 100 % is good, and guessing leaves what its rows say. "
              "KL: divergence of the attacker's belief from a guesser's, in nats."};
  for (std::size_t i = 0; i < setting.attackers.size(); ++i) {
    const Reidentifier& attacker = setting.attackers[i];
    add_mixtures(table, attacker_name(attacker), attacker, false);
    const Reidentifier* next = i + 1 < setting.attackers.size() ? &setting.attackers[i + 1] : nullptr;
    if (!next || next->candidates != attacker.candidates || next->question != attacker.question) {
      add_mixtures(table, "guessing", attacker, true);
    }
  }
  return table;
}

Table search_table(const Json& search) {
  Table table{"search", "Settings that were tried"};
  for (const Json& one : field(search, "settings")) {
    const bool chosen = text(one, "setting") == text(search, "chosen");
    const char* word = chosen                              ? "chosen"
                       : field(one, "refused").is_string() ? "cannot be drawn"
                       : is_true(one, "reaches")           ? "reaches it"
                                                           : "";
    Row(table)
        .mark(chosen)
        .show("Setting", {text(one, "setting")}, Table::Align::left)
        .show("Utility", {decimal(number(one, "utility"), 3)})
        .show("Mixture", rate_cell({number(one, "mixture"), interval(one)}))
        .show("Left by", {text(one, "attacker")}, Table::Align::left)
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

class ReleaseChapter : public Chapter {
 public:
  // The cells of a release are those of its evidence; their own chapter shows them in full.
  [[nodiscard]] Names questions() const override { return {"anonymity"}; }

  void read(const Cell& cell, const RunResults& run, Shared& /*shared*/) override {
    if (run.release.is_object()) add_setting(cell, run, runs_);
  }

  [[nodiscard]] std::vector<Section> write(const Shared& shared) const override {
    Section out{"release", "Release", "What was released, and what is not promised?",
                "Numbers below are measured on the very records that were released; read them with what the attackers "
                "were given, and with what they were not."};
    for (const RunResults& run : shared.runs) {
      const Json& release = run.release;
      if (!release.is_object()) continue;
      if (run.several) out.add_html(fmt::format("<h3>{}</h3>\n", escape_html(run.name)));
      const Anonymised* setting = setting_of(run);
      out.add_html(facts_block(release, setting));
      if (setting) {
        out.add(utility_table(*setting));
        out.add(mixture_table(*setting));
      }
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

  void tell(const RunResults& run, Card& card) const override {
    // Of a release its maker's verdict stands, which speaks of labels too.
    const std::string verdict = text(run.release, "verdict");
    if (!verdict.empty()) card.verdict = verdict;
  }

 private:
  [[nodiscard]] const Anonymised* setting_of(const RunResults& run) const {
    for (const AnonymisedRun& other : runs_) {
      const Settings settings = protected_settings(other);
      if (other.run == &run && !settings.empty()) return settings.front();
    }
    return nullptr;
  }

  std::vector<AnonymisedRun> runs_;
};

}  // namespace

std::unique_ptr<Chapter> release_chapter() {
  return std::make_unique<ReleaseChapter>();
}

}  // namespace bauta::report
