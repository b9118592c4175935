// Whether two estimators differ, on the same samples: the difference of their balanced accuracies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bauta/measure/intervals.hpp"
#include "bauta/measure/subject_tallies.hpp"

namespace bauta {

struct PairedComparison {
  double difference = 0;  ///< of balanced accuracies, a less b
  Interval ci;            ///< 95 %, of truths that are plausible for each, paired_interval()
  double p = 1;           ///< two-sided; of no difference
  bool exact = false;     ///< all exchanges were counted, not drawn
};

struct PairedOptions {
  std::size_t draws = 1000;          ///< of the bootstrap
  std::size_t permutations = 10000;  ///< at most this many exchanges are counted or drawn
  std::uint64_t seed = 1;
};

/// Permutation test: if a and b are alike, all guesses of a subject may change sides. Samples may occur several times;
/// they stay with their subject.
PairedComparison compare_paired(Predictions a, Predictions b, std::span<const std::int32_t> truth, std::size_t classes,
                                std::span<const std::uint32_t> subjects, const PairedOptions& options = {});

/// 95 % interval of a difference of rates on the same subjects, from who disagrees: how many speak for one side and how
/// many for the other, each a share of the subjects with Wilson's interval, reaches combined as a root of squares
/// (Newcombe 1998). Resampling cannot see subjects that differ where none did, and hardly where few did.
///
/// `drawn`: the difference in draws of subjects, of which its variance is used: of subjects who disagree altogether or
/// not at all it tells how many there are, and where all disagree in part, how much. All alike: half the width is
/// Wilson's bound for no event in one trial per subject.
Interval disagreement_interval(double difference, std::span<const double> drawn, std::size_t subjects);

/// Percentile interval of plausible differences, and no shorter on either side than who disagrees allows.
Interval paired_interval(std::vector<double> differences, const Interval& by_disagreement);

}  // namespace bauta
