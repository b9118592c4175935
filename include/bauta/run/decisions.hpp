// What an attacker learns from match / no match: thresholds as an operator sets them, guesses as they are counted.
#pragma once

#include <string>
#include <vector>

#include "bauta/attack/decisions.hpp"
#include "bauta/compare/comparator.hpp"
#include "bauta/data/dataset.hpp"
#include "bauta/measure/thresholds.hpp"
#include "bauta/run/attack_target.hpp"
#include "bauta/run/json.hpp"

namespace bauta {

/// Thresholds from comparisons of different people of a protected data set: one sample of each of up to 2,000 subjects.
std::vector<Threshold> system_thresholds(const Comparator& comparator, const Dataset& dataset,
                                         const std::vector<double>& fmr, std::uint64_t seed);

/// One row per budget: `fmr`, `threshold`, `actual_fmr`, `resolvable`, `refusal`, `queries`, `decided` (share of
/// targets that the attacker learned something about) and guess_quality().
Json decision_rows(const Decisions& decisions, const Threshold& threshold, const std::vector<std::int32_t>& classes,
                   const std::vector<std::string>& class_names, const AttackTarget& target,
                   const std::vector<std::size_t>& budgets, Refusal refusal, std::size_t bootstrap, std::uint64_t seed);

}  // namespace bauta
