// What templates that came back are worth: how near they come to the originals, whom and what they give away.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bauta/data/dataset.hpp"
#include "bauta/measure/usual.hpp"
#include "bauta/question/question.hpp"

namespace bauta {

/// What came back in one rotation, and what it is judged by; a pointer may be null.
struct RecoveryRotation {
  const Dataset* recovered = nullptr;
  /// The clear templates of the target. Its rows are those of `recovered`, or a column `original` of `recovered` counts
  /// them from 1.
  const Dataset* original = nullptr;
  const Dataset* clear = nullptr;            ///< the attackers' templates; null: attributes are not estimated
  const Dataset* target = nullptr;           ///< the protected data: where codes come back, its probes are the truth
  const Dataset* protected_clear = nullptr;  ///< the attackers', for attributes where codes come back
};

struct RecoveryCheck {
  std::vector<std::string> attributes = {};
  std::vector<std::string> estimators = {};  ///< that read them; empty: those that EstimateRun has
  std::string preparation = "unit";
  std::map<std::string, std::vector<double>> classes = {};  ///< where numbers are cut; of others at tertiles
  std::size_t bootstrap = usual_draws;
  std::uint64_t seed = 1;
  std::uint64_t memory = std::uint64_t{1} << 30;
};

/// Recognition compares recovered templates with clear templates of other samples. Rotations are pooled.
Answer run_recovery_check(const std::vector<RecoveryRotation>& rotations, const RecoveryCheck& check);

}  // namespace bauta
