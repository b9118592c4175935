// The most successful of several attackers, without the winner's curse: the largest of several noisy values is larger
// than the largest true one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "bauta/measure/intervals.hpp"
#include "bauta/measure/subject_tallies.hpp"

namespace bauta {

struct WorstCase {
  std::size_t best = 0;  ///< first of those with the largest balanced accuracy
  double balanced = 0;   ///< its balanced accuracy, as observed
  double corrected = 0;  ///< less the bootstrap estimate of the maximum's bias, which is too small if all are alike
  Interval ci;           ///< 95 %, of the largest true balanced accuracy of all
  double p = 1;          ///< of the hypothesis that none of them beats chance
  std::size_t of = 0;    ///< how many there are
};

/// `predicted`: of each estimator on the same samples. Subjects are drawn for all estimators at once, so that it counts
/// how much they agree. The lower end is the largest one of all lower ends, each moved down so far that the errors of
/// all together are bounded; the upper end the largest of their own upper ends: whichever is the best in truth, its own
/// end covers it. The interval is therefore too long rather than too short where many are equally good. That of one
/// alone is balanced_accuracy_interval().
WorstCase worst_case(std::span<const Predictions> predicted, std::span<const std::int32_t> truth, std::size_t classes,
                     std::span<const std::uint32_t> subjects, std::size_t draws, std::uint64_t seed);

}  // namespace bauta
