// The part of a data set that a release is judged on: no more than a machine can hold and attackers can look through.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bauta/data/dataset.hpp"

namespace bauta {

inline constexpr std::size_t most_judged_records = 20000;

/// Samples that did not fail, cut in three. Whole people are drawn where there are more than `most`, so that attackers
/// who name people find other samples of them.
struct ReleaseSample {
  std::vector<std::size_t> rows;                     ///< of the data set, ascending
  Dataset data;                                      ///< these
  std::vector<std::size_t> learn, search, evidence;  ///< rows of `data`: 50 %, 25 %, 25 % of each identity and class
  bool one_sample_each = false;
  bool whole = true;  ///< nothing was left out
};

ReleaseSample release_sample(const Dataset& dataset, const std::string& attribute, std::uint64_t seed,
                             std::size_t most = most_judged_records);

}  // namespace bauta
