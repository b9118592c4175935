// Decisions of a system under attack: thresholds as an operator sets them, guesses as they are counted.
#pragma once

#include <string>
#include <vector>

#include "attack_target.hpp"
#include "bauta/attack/decisions.hpp"
#include "bauta/compare/comparator.hpp"
#include "bauta/data/dataset.hpp"
#include "bauta/measure/thresholds.hpp"
#include "bauta/protocol/attacker_database.hpp"

namespace bauta {

/// Thresholds from comparisons of different people of a protected data set: one sample of each of up to 2,000 subjects.
std::vector<Threshold> system_thresholds(const Comparator& comparator, const Dataset& dataset,
                                         const std::vector<double>& fmr, std::uint64_t seed);

/// Samples that attackers present, and what they know of them.
struct Presented {
  std::vector<std::int32_t> classes;
  std::vector<std::string> class_names;
};

/// Of each of the data base's samples, the code of its class among all.
std::vector<std::int32_t> presented_codes(const AttackerDatabase& database, const std::vector<std::string>& classes);

/// Guesses of attackers who see decisions only, pooled over rotations.
class DecisionPool {
 public:
  DecisionPool(std::size_t bootstrap, std::uint64_t seed) : bootstrap_(bootstrap), seed_(seed) {}

  /// The targets of the next rotation; `test` is the data set that they are rows of.
  void begin_rotation(AttackTarget targets, const Dataset& test);
  /// What the answers of one system told: a row per budget of queries. Each rotation adds the same rows in the same
  /// order.
  void add(const Decisions& decisions, const Threshold& threshold, const Presented& presented,
           const std::vector<std::size_t>& budgets, Refusal refusal);

  [[nodiscard]] const AttackTarget& targets() const { return pool_; }
  /// With what is to be said of all rotations.
  [[nodiscard]] std::vector<std::string> remarks(std::vector<std::string> others, const TaughtClasses& taught) const;
  [[nodiscard]] std::size_t identities() const { return subjects_.count(); }
  /// `fmr`, `threshold`, `actual_fmr`, `resolvable` (of the first rotation), `refusal`, `queries`, `decided` (share of
  /// targets that attackers learned something about) and guess_quality().
  [[nodiscard]] Json rows(const std::vector<std::string>& class_names) const;
  /// `what`: the attackers' name begins with it.
  [[nodiscard]] std::vector<Finding> findings(const std::vector<std::string>& class_names,
                                              const std::string& what) const;

 private:
  struct Row {
    Threshold threshold;
    Refusal refusal = Refusal::message;
    std::size_t queries = 0;
    std::vector<std::int32_t> predicted = {};
    std::vector<std::uint8_t> decided = {};
  };

  /// Budgets beyond the attackers' samples are all of them, and one attack.
  [[nodiscard]] std::vector<const Row*> distinct() const;

  std::size_t bootstrap_;
  std::uint64_t seed_;
  AttackTarget pool_;
  SubjectNumbers subjects_;
  std::vector<Row> rows_;
  std::size_t next_ = 0;  // row of the rotation that is being added
};

}  // namespace bauta
