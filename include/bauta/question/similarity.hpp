// The similarity attack from two data sets to numbers: leak guard, attacker's data base, attack, success with
// intervals.
#pragma once

#include <functional>
#include <string>

#include "bauta/attack/similarity.hpp"
#include "bauta/measure/usual.hpp"
#include "bauta/question/attack_data.hpp"

namespace bauta {

struct SimilarityRun {
  std::string attribute;
  std::string comparator;  ///< empty: the technique's own, else cosine
  SimilarityOptions options;
  std::size_t bootstrap = usual_draws;
  std::vector<double> edges =
      {};                 ///< between classes of a continuous attribute; empty: tertiles of the attacker's data
  bool controls = false;  ///< also with exchanged labels and planted leaks, in the first rotation
  /// Calls `compute`, unless what it says of clear data is known from before.
  std::function<Json(const std::function<Json()>& compute)> remember_clear = [](const auto& compute) {
    return compute();
  };
};

/// Both data sets are protected alike, or not at all. A rule that finds nothing in clear data, where that is known, or
/// something where there is nothing, is not healthy. Fields as promised for `attack similarity --json`.
Answer run_similarity_attack(const Dataset& attacker, const Dataset& target, const SimilarityRun& run);
/// The same over all rotations, whose guesses are pooled; the training part is the attackers'.
Answer run_similarity_attack(const AttackData& data, const SimilarityRun& run);

}  // namespace bauta
