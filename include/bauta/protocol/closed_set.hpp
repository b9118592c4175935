// Closed-set identification: everybody who is looked for is known from other samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bauta/data/dataset.hpp"

namespace bauta {

struct ClosedSet {
  std::vector<std::size_t> train;  ///< rows, ascending
  std::vector<std::size_t> test;
  /// No identity has two samples: each sample is its own, and only samples can be looked for, not people.
  bool one_sample_each = false;
};

/// `share` of each identity's samples, as nearly as their number allows, is for testing; within an identity the classes
/// of `attribute` (empty: none) are split alike. Who has one sample only is never tested. Where nobody has two, the
/// samples of each class are split. Failed samples are in neither part.
ClosedSet closed_set_split(const Dataset& data, const std::string& attribute, double share, std::uint64_t seed);

}  // namespace bauta
