// The similarity attack from two data sets to numbers: leak guard, attacker's data base, attack, success with
// intervals.
#pragma once

#include <string>

#include "bauta/attack/similarity.hpp"
#include "bauta/run/attack_data.hpp"
#include "bauta/run/json.hpp"

namespace bauta {

struct SimilarityRun {
  std::string attribute;
  std::string comparator;  ///< empty: the technique's own, else cosine
  SimilarityOptions options;
  std::size_t bootstrap = 1000;
  /// Also attack with decisions only, at the thresholds for these false match rates (S0, Table X).
  std::vector<double> decision_fmr = {};
  std::vector<double> edges =
      {};                 ///< between classes of a continuous attribute; empty: tertiles of the attacker's data
  bool controls = false;  ///< also with exchanged labels and planted leaks, in the first rotation
};

/// Both data sets are protected alike, or not at all. Fields as promised for `attack similarity --json`.
Json run_similarity_attack(const Dataset& attacker, const Dataset& target, const SimilarityRun& run);
/// The same over all rotations, whose guesses are pooled; the training part is the attacker's. Decisions are seen where
/// there is one rotation.
Json run_similarity_attack(const AttackData& data, const SimilarityRun& run);

/// Throws unless the attribute has at least two classes that both data sets know.
void require_attribute(const Dataset& attacker, const Dataset& target, const std::string& attribute);

}  // namespace bauta
