// The online attack on a working system: attackers present faces of their own, the system applies the victim's key and
// answers match or no match.
#pragma once

#include <string>
#include <vector>

#include "bauta/attack/decisions.hpp"
#include "bauta/measure/usual.hpp"
#include "bauta/protect/protection.hpp"
#include "bauta/question/question.hpp"

namespace bauta {

struct OnlineRun {
  std::string attribute;
  std::vector<double> edges = {};  ///< between classes of a continuous attribute; empty: tertiles
  std::vector<double> fmr = {0.01, 0.001};
  std::vector<std::size_t> queries = {1, 10, 100, 1000};
  std::vector<Refusal> refusals = {Refusal::message, Refusal::random_key};
  std::size_t targets = 1000;  ///< samples attacked, a seeded choice
  std::uint64_t seed = 1;
  std::size_t bootstrap = usual_draws;
};

/// What a working system is attacked with, clear; `protection` is how it protects what it stores. Null: both are as the
/// system sees them already (templates of masked media).
struct OnlineSplit {
  const ResolvedProtection* protection = nullptr;
  Dataset attacker;
  Dataset target;
  std::vector<bool> left_out = {};  ///< as in AttackSplit
};

/// The system stores the target's samples protected. With keys per subject every query is protected with the key of the
/// attacked subject, and so are the comparisons that set the threshold. Guesses of all rotations are pooled.
Answer run_online_attack(const std::vector<OnlineSplit>& rotations, const OnlineRun& run);
Answer run_online_attack(const ResolvedProtection& protection, const Dataset& attacker, const Dataset& target,
                         const OnlineRun& run);

}  // namespace bauta
