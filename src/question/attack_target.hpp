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

/// The samples that attackers are judged by: with a value of the attribute that they know.
struct AttackTarget {
  std::vector<std::size_t> rows;
  /// Places in `rows` of those that attackers meet; the others are lost behind a mask.
  std::vector<std::size_t> present = {};
  std::vector<std::int32_t> truth;
  std::vector<std::uint32_t> subjects;
  /// Who they are among all people under attack, usable or not: findings of several questions are drawn together by it.
  std::vector<std::uint32_t> people = {};
  std::size_t identities = 0;
  std::size_t failures = 0;    ///< samples that are left out
  std::size_t unlabelled = 0;  ///< and those without a class that attackers know
  std::size_t lost = 0;

  /// The target of a further rotation; rows are not kept.
  void append(const AttackTarget& more);
  /// Rows of the samples that attackers meet.
  [[nodiscard]] std::vector<std::size_t> met() const;
  /// What was said of those whom attackers meet, in the places of all; of who is lost they say `otherwise`.
  template <class T>
  [[nodiscard]] std::vector<T> of_all(const std::vector<T>& said, const T& otherwise) const {
    std::vector<T> all(rows.size(), otherwise);
    for (std::size_t i = 0; i < present.size(); ++i) all[present[i]] = said[i];
    return all;
  }
};

/// An input error where nobody could be told from anybody else.
void require_two_classes(const AttackTarget& target, const std::string& attribute);
/// That samples have no class which attackers know.
std::string unlabelled_remark(const AttackTarget& target, const std::string& attribute);

/// Without identities every sample counts as a subject of its own. Failed samples are lost, unless they are left out;
/// where `left_out` is empty all that failed are.
AttackTarget attack_target(const Dataset& target, const std::string& attribute, const std::vector<std::string>& classes,
                           const std::vector<bool>& left_out = {});

/// What is said about samples that are lost, and what is guessed of them.
std::string lost_remark(const AttackTarget& target, const std::string& guessed);

/// The classes of an attribute that attackers learn in any rotation. Guesses of all rotations are pooled, so that a
/// class has one code in all of them.
class TaughtClasses {
 public:
  explicit TaughtClasses(std::string attribute) : attribute_(std::move(attribute)) {}

  /// What is learned from in the next rotation.
  void add(const Dataset& train);
  /// Sorted.
  [[nodiscard]] std::vector<std::string> names() const;
  /// A remark for each class that some rotation cannot teach.
  [[nodiscard]] std::vector<std::string> remarks() const;
  [[nodiscard]] const std::string& attribute() const { return attribute_; }

 private:
  std::string attribute_;
  std::map<std::string, std::size_t> rotations_of_;  // by class
  std::size_t rotations_ = 0;
};

/// The codes in `all` of classes in the order of `own`; each must stand there.
std::vector<std::int32_t> codes_among(const std::vector<std::string>& own, const std::vector<std::string>& all);

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
