// The chapter about linkage: whether the originals of protected records can be found again, by attackers who know
// nothing of the method and by those who do.
#include <algorithm>

#include <fmt/format.h>

#include "settings/mixture.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

constexpr Search linkage{"linkage", "attackers", "attacker", "kl"};
constexpr std::size_t few_rows = 12;

// What each attacker does and knows, in the run's own words.
std::string attackers_block(const Settings& settings) {
  Names done;
  std::string out;
  for (const Setting& setting : settings) {
    for (const Finding* finding : setting.findings(is_search)) {
      const std::string known = text(shown_of(*finding, *setting.cells.front(), linkage), "text");
      const std::string item =
          fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape_html(searcher_name(*finding)), escape_prose(sentence(known)));
      if (known.empty() || std::find(done.begin(), done.end(), item) != done.end()) continue;
      done.push_back(item);
      out += item;
    }
  }
  return out.empty() ? out : "<h3>Who looks</h3>\n<div class=\"card\"><dl class=\"defs\">\n" + out + "</dl></div>\n";
}

Table linkage_table(const Settings& settings) {
  Table table{"linkage", "Records that are found again, 95 % intervals in brackets",
              "Mixture: share of records whose original is not found; claimed against attackers who do not know the "
              "method, left by the strongest of all. Worst record: the surest that an attacker is of any original. "
              "Exact copies: protected records that are an original."};
  for (const Setting& setting : settings) {
    const Values& values = setting.cells.front()->values;
    const Json& worst = field(values, "worst_record");
    const Number rank = number(worst, "rank");
    Names surest = {text(worst, "attacker"), rank ? "rank " + grouped(rank) : ""};
    std::erase(surest, "");
    Row row = setting_row(table, setting);
    const Claim claim = claim_of(setting.findings(is_search), setting);
    const auto mixture = [&](const Finding* finding) {
      return finding ? measured(shown_of(*finding, *setting.cells.front(), linkage), "mixture") : Measured{};
    };
    const auto name = [](const Finding* finding) { return finding ? searcher_name(*finding) : std::string(); };
    row.precise("Mixture claimed", "claimed", mixture(claim.claimed).value)
        .detail(name(claim.claimed))
        .field("attacker_claimed", Json(name(claim.claimed)))
        .precise("Left by the strongest", "left", claim.value)
        .detail(name(claim.left))
        .field("attacker", Json(name(claim.left)))
        .field("chance", claim.left ? shares_of(*claim.left).chance : Number())
        .precise("Worst record", "worst_posterior", number(worst, "posterior"))
        .detail(number(worst, "posterior") ? joined(surest) : "")
        .field("worst_rank", rank)
        .field("worst_attacker", Json(text(worst, "attacker")))
        .field("found_first", number(worst, "found_first"))
        .count("Exact copies", "exact_copies", number(values, "exact_copies"));
  }
  return table;
}

std::string reading_of(const Finding& finding) {
  if (!finding.clear && !finding.unprotected) return "clear data was not tried";
  if (fails_on_clear(finding)) return "shows nothing: fails on clear data";
  if (finding.unprotected) return "the ceiling";
  if (!finding.chance) return "–";
  if (beyond_chance(Level{finding.value, finding.ci}, finding)) return "finds more than guessing";
  const double high = finding.ci ? finding.ci->high : finding.value;
  return high < *finding.chance ? "finds less than guessing" : "not distinguishable from guessing";
}

Table attacker_table(const Settings& settings) {
  Table table{"linkage-attackers", "Attackers in detail, 95 % intervals in brackets",
              "On clear data: the same attacker on records that are not protected; who finds nobody there proves "
              "nothing by finding nobody elsewhere. Null control: the originals exchanged, so that there is nothing to "
              "find."};
  for (const Setting& setting : settings) {
    for (const Finding* finding : setting.findings(is_search)) {
      const Json& shown = shown_of(*finding, *setting.cells.front(), linkage);
      const Number kl = number(shown, "kl");
      Row row = setting_row(table, setting);
      row.mark(fails_on_clear(*finding))
          .text("Attacker", "attacker", finding->attacker, is_informed(*finding) ? "informed" : "uninformed")
          .field("informed", Json(is_informed(*finding)))
          .count("Candidates", "candidates", number(shown, "candidates"))
          .precise("Mixture", "mixture", measured(shown, "mixture"))
          .precise("Guessing", "chance", number(shown, "chance"))
          .precise("On clear data", "clear_mixture", measured(field(shown, "clear"), "mixture"))
          .precise("Null control", "null_mixture", measured(field(shown, "null"), "mixture"))
          .field("mean_rank", number(shown, "mean_rank"))
          .show("KL (nats)", {kl ? fmt::format("{:.3g}", *kl) : "–"})
          .field("kl", kl)
          .field("temperature", number(shown, "temperature"))
          .field("top", Json(top_text(shown)))
          .show("Reading", {reading_of(*finding)}, Table::Align::left);
    }
  }
  return table;
}

std::string parameter_text(const Json& value) {
  if (!value.is_object()) return text_of(value);
  Names out;
  for (const auto& [name, share] : value.items()) out.push_back(name + " " + text_of(share));
  return joined(out);
}

Table setting_table(const Settings& settings) {
  Table table{"linkage-settings", "Parameters, and what was measured on"};
  Names names, splits;
  for (const Setting& setting : settings) {
    const Values& values = setting.cells.front()->values;
    const Json& parameters = field(values, "parameters");
    if (parameters.is_object()) {
      for (const auto& [name, value] : parameters.items()) add_once(names, name);
    }
    if (const std::string split = text(values, "split"); !split.empty()) add_once(splits, split);
  }
  if (!splits.empty()) table.note = "Split: " + joined(splits, "; ") + ".";
  for (const Setting& setting : settings) {
    const Values& values = setting.cells.front()->values;
    Row row = setting_row(table, setting);
    for (const std::string& name : names) {
      const std::string value = parameter_text(field(field(values, "parameters"), name.c_str()));
      row.show(name, {value.empty() ? "–" : value}).field(name, Json(value));
    }
    row.count("Records", "records", number(values, "records"))
        .count("Learned from", "train_records", number(values, "train_records"))
        .count("Identities", "identities", number(values, "identities"))
        .count("Failures", "failures", number(values, "failures"))
        .field("split", Json(text(values, "split")));
  }
  return table;
}

std::vector<Section> write(const Shared& shared) {
  Section out{"linkage", "Linkage", "Can records be found again?",
              "Somebody who holds the originals looks for the one behind each record; a claim of anonymity counts as "
              "much as what an attacker who knows the method leaves of it."};
  out.definitions = mixture_words();
  out.definitions.insert(out.definitions.end(), shared.parameters.begin(), shared.parameters.end());
  (void)cells_of(shared.runs, {linkage.question}, {"one_record_per_identity"});
  const Settings settings = settings_of(shared.runs, {linkage.question});
  add_claims(out, shared.runs, linkage);
  out.add(search_figures(shared.runs, linkage));
  out.add_html(attackers_block(protected_only(settings)));
  out.add_long(linkage_table(settings), "All settings in numbers", few_rows);
  out.add(attacker_table(settings), "All attackers in numbers");
  out.add(setting_table(settings), "Parameters of all settings");
  return {out};
}

void tell(const RunResults& run, Card& card) {
  const Settings settings = settings_of(run, {linkage.question});
  if (const Setting* setting = headline_setting(settings, card)) {
    card.facts.push_back({"Finding records", claim_sentence(claim_of(setting->findings(is_search), *setting))});
    const Number copies = number(setting->cells.front()->values, "exact_copies");
    if (copies && *copies > 0) {
      card.facts.push_back({"Exact copies", grouped(copies) + " protected records are an original, unchanged"});
    }
  }
  if (const Cell* cell = card.about(cells_of(run, {linkage.question}))) {
    card.threat_model.push_back(
        fmt::format("The attacker holds the originals of {} people and looks among them for the one behind each of {} "
                    "protected records.",
                    grouped(number(cell->values, "identities")), grouped(number(cell->values, "records"))));
    for (const Json* attacker : objects(cell->values, linkage.list)) {
      const bool its_own = text(*attacker, linkage.attacker) == card.headline->strongest.attacker;
      if (its_own && !text(*attacker, "text").empty()) card.threat_model.push_back(sentence(text(*attacker, "text")));
    }
  }
  const std::string broken = broken_names(protected_only(settings));
  if (broken.empty()) return;
  card.facts.push_back({"Attackers who fail on clear data", broken + ": finding nobody proves nothing"});
}

}  // namespace

Chapter linkage_chapter() {
  return {.write = write, .tell = tell};
}

}  // namespace bauta::report
