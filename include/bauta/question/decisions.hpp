// What attackers learn from match / no match.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bauta/measure/usual.hpp"
#include "bauta/question/attack_data.hpp"

namespace bauta {

struct DecisionRun {
  std::string attribute;
  std::vector<double> fmr;
  std::vector<double> edges = {};  ///< between classes of a continuous attribute; empty: tertiles
  std::string comparator = {};     ///< empty: the technique's own, else cosine
  std::size_t bootstrap = usual_draws;
  std::uint64_t seed = 1;
};

/// The similarity attack with decisions only (S0, Table X): all of the attackers' samples are presented.
Answer run_decision_attack(const AttackData& data, const DecisionRun& run);

}  // namespace bauta
