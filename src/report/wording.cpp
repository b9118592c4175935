#include "wording.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "table.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

bool worse(double a, double b, Worse direction) {
  return direction == Worse::higher ? a > b : a < b;
}

double worst_end(const Interval& ci, Worse direction) {
  return direction == Worse::higher ? ci.high : ci.low;
}

/// Nothing of clear data can be told from chance, so failing on protected data proves nothing.
bool clear_gives_nothing(const Strongest& entry) {
  if (entry.strongest.clear || entry.strongest.healthy) return fails_on_clear(entry.strongest);
  const Measured clear = entry.on_clear();
  return clear.value && !beyond_chance(Level{*clear.value, clear.ci}, entry.strongest);
}

bool as_much_as_clear(const Strongest& entry) {
  const Number clear = entry.on_clear().value;
  return clear && !worse(*clear, entry.strongest.value, entry.strongest.worse);
}

/// Less than on clear data, but within the interval: whether anything is hidden was not shown.
bool perhaps_as_much(const Strongest& entry) {
  const Measured value = entry.value();
  const Number clear = entry.on_clear().value;
  if (!clear || !value.ci || as_much_as_clear(entry)) return false;
  return !worse(*clear, worst_end(*value.ci, entry.strongest.worse), entry.strongest.worse);
}

/// Between two answers the ranking has turned such attackers round; where there are more, what is wrong still tells
/// something.
bool leaks_by_wrong_answers(const Strongest& entry) {
  const Measured value = entry.value();
  return entry.about == About::attribute && value.value && surely_wrong(Level{*value.value, value.ci}, entry.strongest);
}

std::string levels_text(const Strongest& entry) {
  const std::string& unit = entry.strongest.unit;
  Names out;
  if (entry.strongest.chance) out.push_back("guessing gives " + value_text({entry.strongest.chance}, unit));
  const Number clear = entry.on_clear().value;
  if (clear && !entry.unprotected) out.push_back(entry.on_clear_name() + " " + value_text({clear}, unit));
  return out.empty() ? std::string() : "; " + joined(out);
}

std::string consequence(const Strongest& entry) {
  if (clear_gives_nothing(entry)) {
    return fmt::format(" The attack does not beat chance on {} either: this says nothing about the protection.",
                       entry.unmasked);
  }
  if (!beyond_chance(entry.value(), entry.strongest)) {
    return leaks_by_wrong_answers(entry) ? " This is below chance: wrong guesses leak, too."
                                         : " This cannot be told from guessing.";
  }
  if (perhaps_as_much(entry)) return fmt::format(" It is not shown to be less than {} gives.", entry.unmasked);
  return as_much_as_clear(entry) ? fmt::format(" That is as much as {} gives.", entry.unmasked) : std::string();
}

std::string against_clear(const Strongest& entry) {
  const Number clear = entry.on_clear().value;
  if (!clear) return "not measured: without it, a failing attack proves nothing";
  if (clear_gives_nothing(entry)) return entry.unmasked + " gives no advantage, so this proves nothing";
  if (!kept_of(entry)) return value_text({clear}, entry.strongest.unit);
  return percent(kept_of(entry)) + " of the attacker's advantage is left";
}

}  // namespace

std::string target_name(About about, const std::string& attribute) {
  return about == About::attribute ? (attribute.empty() ? "unnamed attribute" : attribute)
                                   : std::string(to_text(about));
}

std::string target_verb(About about, const std::string& attribute) {
  switch (about) {
    case About::attribute:
      return "reads " + target_name(about, attribute);
    case About::identity:
      return "finds out who somebody is";
    case About::link:
      return "finds records of one person";
    default:
      return "works on " + target_name(about, attribute);
  }
}

std::string value_text(const Measured& value, const std::string& unit) {
  return plain(value_cell(value, unit));
}

std::string attacker_with_means(const Finding& finding) {
  const std::string recovery = finding.axis("recovery"), adversary = finding.axis("adversary"),
                    held = finding.axis("holds");
  std::string out = recovery.empty() ? finding.attacker : recovery + ", then " + finding.attacker;
  if (!adversary.empty()) out += " (" + adversary + ")";
  return held.empty() ? out : out + ", holding " + held;
}

std::string attacker_name(const Finding& finding) {
  const std::string question = finding.axis("question");
  // Some are called like the question: "online at FMR 1 %".
  return finding.attacker.starts_with(question) ? attacker_with_means(finding)
                                                : question + ": " + attacker_with_means(finding);
}

Number kept_of(const Strongest& entry) {
  return clear_gives_nothing(entry) ? std::nullopt : entry.gain.kept;
}

bool beyond_chance(const Measured& value, const Finding& of) {
  return value.value && beyond_chance(Level{*value.value, value.ci}, of);
}

std::string reading_of(const Strongest& entry) {
  const Finding& finding = entry.strongest;
  const Measured value = entry.value();
  if (!finding.chance) return "chance level unknown";
  if (!entry.healthy) return "shows nothing: no attacker is healthy";
  const bool leaks = beyond_chance(value, finding);
  if (entry.unprotected) return leaks ? "the ceiling" : "the attack fails on " + entry.unmasked;
  if (leaks && perhaps_as_much(entry)) return "leaks, not shown to be less than " + entry.unmasked;
  if (leaks) return as_much_as_clear(entry) ? "leaks as much as " + entry.unmasked : "leaks";
  if (clear_gives_nothing(entry)) return fmt::format("shows nothing: the attack fails on {} too", entry.unmasked);
  return leaks_by_wrong_answers(entry) ? "below chance: wrong guesses leak, too" : "not distinguishable from chance";
}

std::string choice_text(const Strongest& entry) {
  if (entry.of < 2) return {};
  std::string out = fmt::format("best of {}", grouped(static_cast<double>(entry.of)));
  if (entry.corrected) {
    out += "; corrected for the choice " + value_text({entry.corrected}, entry.strongest.unit);
  }
  return out;
}

std::string verdict_of(const RunResults& run) {
  const auto attacked = [](const Strongest& entry) { return !entry.unprotected && is_leak(entry.about); };
  const bool any = std::any_of(run.ranking.begin(), run.ranking.end(), attacked);
  if (!run.headline || !run.headline->healthy) {
    return any ? "No attack was healthy, so nothing is known about what leaks."
               : "No attack on protected data was measured, so nothing is known about what leaks.";
  }
  const Strongest& entry = *run.headline;
  const std::string found = fmt::format("the strongest attacker ({}) {}: {} {}{}.", attacker_name(entry.strongest),
                                        target_verb(entry.about, entry.attribute), entry.strongest.measure,
                                        value_text(entry.value(), entry.strongest.unit), levels_text(entry));
  if (entry.unprotected && !run.earlier_masks.empty()) {
    Names names;
    for (const std::string& technique : run.earlier_masks) names.push_back(technique.substr(0, technique.find(':')));
    return fmt::format("Nothing was masked here. On data that were masked before they came ({}), ",
                       fmt::join(names, ", after ")) +
           found;
  }
  if (entry.unprotected) return "Nothing that is protected was attacked. On clear data, " + found;
  return fmt::format("Behind {}, ", entry.people.empty() ? entry.technique : entry.series.label) + found +
         consequence(entry);
}

bool stands_at(const Finding& finding, const Json& key, const Names& besides) {
  const auto items = key.items();
  return std::all_of(items.begin(), items.end(), [&](const auto& entry) {
    const std::string value =
        entry.value().is_string() ? entry.value().template get<std::string>() : entry.value().dump();
    return std::find(besides.begin(), besides.end(), entry.key()) != besides.end() ||
           finding.axis(entry.key()) == value;
  });
}

const Cell* Card::about(const Cells& cells) const {
  const auto found = std::find_if(cells.begin(), cells.end(), [&](const Cell* cell) {
    // The page has a name of its own for a technique.
    return headline && headline->technique == cell->series.technique &&
           stands_at(headline->strongest, cell->key, {"technique"});
  });
  return found == cells.end() ? nullptr : *found;
}

Card card_of(const RunResults& run) {
  Card card;
  if (run.several) card.origin = run.name;
  card.verdict = verdict_of(run);
  if (!run.headline || !run.headline->healthy) return card;
  const Strongest& entry = *run.headline;
  const Finding& finding = entry.strongest;
  card.headline = &entry;
  card.facts.push_back({entry.unprotected ? "Data" : "Worst-case technique", spaced(entry.technique), false});
  card.facts.push_back({"Strongest attacker", attacker_name(finding), false});
  if (finding.chance && finding.unit == "rate") {
    const double points = 100 * (finding.value - *finding.chance);
    card.facts.push_back(
        {"Against blind guessing",
         fmt::format("{:.1f} percentage points {} chance", std::abs(points), points < 0 ? "below" : "above"), false});
  }
  if (!entry.unprotected) card.facts.push_back({"Against " + entry.unmasked, against_clear(entry), false});
  card.facts.push_back({"Choice", choice_text(entry), false});
  const std::string adversary = finding.axis("adversary");
  if (!adversary.empty()) card.threat_model.push_back("Adversary: " + adversary + ".");
  return card;
}

}  // namespace bauta::report
