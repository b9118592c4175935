// Recoveries from data sets to recovered templates, and what these are worth: how near they come to the originals, whom
// and what they give away.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bauta/data/dataset.hpp"
#include "bauta/recover/recovery.hpp"
#include "bauta/run/json.hpp"

namespace bauta {

/// What the attacker brings along; a pointer may be null.
struct RecoveryRun {
  std::string recovery = {};                 ///< specification
  const Dataset* clear = nullptr;            ///< templates of people who are not in the target
  const Dataset* protected_clear = nullptr;  ///< the same rows, protected like the target
  const Dataset* original = nullptr;         ///< the target before protection, only to see that nobody is in both
  /// Stolen: the technique with its key or model; null: made from the target's record and what follows.
  const ResolvedProtection* technique = nullptr;
  std::string keyfile = {};    ///< stolen
  std::string model = {};      ///< stolen
  std::uint64_t key_seed = 1;  ///< stolen: where the key comes from if not from a file
  std::uint64_t seed = 1;
};

/// Leak guard, fit, recovery.
Dataset run_recovery(const Dataset& target, const RecoveryRun& run);

struct RecoveryCheck {
  const Dataset* clear = nullptr;            ///< the attacker's templates; null: attributes are not estimated
  const Dataset* target = nullptr;           ///< the protected data: where codes come back, its probes are the truth
  const Dataset* protected_clear = nullptr;  ///< the attacker's, for attributes where codes come back
  std::vector<std::string> attributes = {};
  std::size_t bootstrap = 1000;
  std::uint64_t seed = 1;
  std::uint64_t memory = std::uint64_t{1} << 30;
};

/// `original`: the clear templates of the target. Its rows are those of `recovered`, or a column `original` of
/// `recovered` counts them from 1. Recognition compares recovered templates with clear templates of other samples.
Json run_recovery_check(const Dataset& recovered, const Dataset& original, const RecoveryCheck& check);

}  // namespace bauta
