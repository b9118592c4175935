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
  Interval ci;            ///< 95 %, of plausible_pairs()
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

/// Balanced accuracies of all estimators that are plausible for their intervals, one row per draw of subjects for all
/// at once: what differences and ratios of them are made of.
Matrix<double> plausible_pairs(const SubjectTallies& tallies, std::size_t draws, std::uint64_t seed);

/// Percentile interval of differences in joint draws. All alike: half its width is Wilson's bound for no event in one
/// trial per subject, times `unit`, because resampling cannot see a subject that differs where none did.
Interval paired_interval(std::vector<double> differences, std::size_t subjects, double unit = 1);

}  // namespace bauta
