// What an attack on an attribute is tried on, and how its guesses are counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "bauta/core/json.hpp"
#include "bauta/data/dataset.hpp"
#include "bauta/measure/draws.hpp"
#include "bauta/measure/finding.hpp"

namespace bauta {

/// The target's usable samples: not failed, with a value of the attribute that the attacker knows.
struct AttackTarget {
  std::vector<std::size_t> rows;
  std::vector<std::int32_t> truth;
  std::vector<std::uint32_t> subjects;
  /// Who they are among all people under attack, usable or not: findings of several questions are drawn together by it.
  std::vector<std::uint32_t> people = {};
  std::size_t identities = 0;
  std::size_t failures = 0;
  std::size_t unlabelled = 0;

  /// The target of a further rotation; rows are not kept.
  void append(const AttackTarget& more);
};

/// Without identities every sample counts as a subject of its own.
AttackTarget attack_target(const Dataset& target, const std::string& attribute,
                           const std::vector<std::string>& classes);

/// Numbers for subjects that hold over several data sets: people are known by their names, nameless samples are people
/// of their own.
class SubjectNumbers {
 public:
  /// Replaces the subjects of one of the data sets' targets.
  void renumber(AttackTarget& target, const Dataset& data);
  [[nodiscard]] std::size_t count() const { return numbers_.size(); }
  /// Names of all people under attack, in the order that AttackTarget::people counts.
  [[nodiscard]] const std::vector<std::string>& people() const { return names_; }

 private:
  std::map<std::string, std::uint32_t> numbers_, people_;
  std::vector<std::string> names_;
  std::size_t data_sets_ = 0;
};

/// `success`, `balanced`, `ci` (null unless asked for) and `per_class` of guesses at the target's classes.
Json guess_quality(std::span<const std::int32_t> predicted, const AttackTarget& target,
                   const std::vector<std::string>& classes, bool with_interval);

/// The same as findings, one per attacker, with their draws; who they are is left to fill in.
std::vector<Finding> attribute_findings(std::span<const Predictions> predicted, const AttackTarget& target,
                                        const SubjectNumbers& subjects, std::size_t classes, const Drawing& drawing);

}  // namespace bauta
