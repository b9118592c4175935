// Recoveries from data sets to recovered ones, and which of them can be tried on what.
#pragma once

#include <cstdint>
#include <string>

#include "bauta/data/dataset.hpp"
#include "bauta/recover/recovery.hpp"

namespace bauta {

/// What attackers bring along; a pointer may be null.
struct RecoveryRun {
  std::string recovery = {};                 ///< specification
  const Dataset* clear = nullptr;            ///< templates or media of people who are not in the target
  const Dataset* protected_clear = nullptr;  ///< the same rows, protected like the target
  const Dataset* original = nullptr;         ///< the target before protection, only to see that nobody is in both
  /// Stolen: the technique with its key or model; null: made from the target's record and what follows.
  const ResolvedProtection* technique = nullptr;
  std::string keyfile = {};    ///< stolen
  std::string model = {};      ///< stolen
  std::uint64_t key_seed = 1;  ///< stolen: where the key comes from if not from a file
  std::uint64_t seed = 1;
};

/// Leak guard, fit, recovery. Media are undone when somebody asks for them.
Dataset run_recovery(const Dataset& target, const RecoveryRun& run);

/// The same for people whom attackers hold clear and protected themselves: learned from one half of them, applied to
/// the other, and the other way round, because a recovery that was learned from a pair knows its answer.
Dataset recover_own(const Dataset& clear, const Dataset& hidden, const RecoveryRun& run);

const Declaration& recovery_declaration(const std::string& recovery);
/// Whether a recovery can be tried on a technique that masks data of this medium ("template", "image" ...). Those of
/// templates can always: templates are made of masked media, too.
bool undoes(const std::string& recovery, const std::string& technique, const std::string& medium);
/// Whether it learns the way back from pairs, of any technique.
bool learned_from_pairs(const std::string& recovery);
/// Whether it is tried with other people's data at hand: recoveries of media that do not learn go without.
bool needs_other_people(const std::string& recovery);
/// Whether it needs several enrolments of each sample.
bool needs_repeated_enrolments(const std::string& recovery);

}  // namespace bauta
