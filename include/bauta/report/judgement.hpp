// What an attack's number means: against chance, against clear data, and in one plain sentence.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bauta/report/results.hpp"

namespace bauta::report {

struct Judgement {
  Number ceiling;         ///< best balanced accuracy on clear data
  Number advantage_kept;  ///< (best - chance) / (ceiling - chance); absent where clear data gives no advantage
  std::string reading;    ///< a few words for a table cell
};

/// `ceiling` is the same attack on clear data, or null where the run has none; then what the estimators say about
/// their own counts.
Judgement judge(const AttributeAttack& attack, const AttributeAttack* ceiling);

/// The most successful attack on protected data: largest advantage over chance, in units of what is left above chance,
/// so that attributes with different numbers of classes can be ranked. Unhealthy attacks do not count, because their
/// failure would pass for protection. Null where nothing protected was attacked.
const AttributeAttack* worst_attack(std::span<const RunResults> runs);

/// "vote, n = 11", held together by non-breaking spaces.
std::string attack_name(const AttackResult& result);
/// The most successful attack of a kind with the kind in words.
std::string best_attack_name(const AttributeAttack& attack);

/// The card at the top of the page for one run, from its headline where there is one and from its cells otherwise.
struct Headline {
  std::string technique, attribute, attack;
  std::string measure;  ///< what `balanced` counts, in words
  std::string technique_role = "Worst-case technique";
  Number balanced, chance, ceiling, advantage_kept;
  std::optional<Interval> ci;
  std::string verdict;
  std::string cost;  ///< what protection cost in recognition
  std::string threat_model;
  std::vector<std::pair<std::string, std::string>> facts;  ///< further ones, by name
};

/// Settings that the run's headline is about: the technique that it names, or the one whose strongest informed attacker
/// takes most; one per representation. Empty where nothing was anonymised.
Settings headline_settings(const RunResults& run);
/// The card of a run that only anonymised.
Headline anonymity_headline(const RunResults& run);

Headline headline_of(const RunResults& run, const std::vector<RunResults>& runs);

}  // namespace bauta::report
