// What a record keeps of itself and takes from others, feature by feature: what the technique's parameters tell an
// informed attacker.
#pragma once

#include <cstddef>
#include <vector>

namespace bauta {

/// A protected record is scale * (mean + pull * (record - mean)), with the mean of a random set that holds the record.
struct Blend {
  std::size_t size = 0;               ///< records of a set
  std::size_t own = 0;                ///< of them, those of the record's own class, the record itself included
  std::vector<double> pull;           ///< per feature, in [0, 1): 0 is the plain mean
  std::vector<double> scale;          ///< per feature
  std::vector<std::size_t> retained;  ///< features that are pulled back
  /// How many of them for the attribute that the technique was fitted for, then for each that it keeps beside it.
  /// Empty: none is retained for an attribute.
  std::vector<std::size_t> retained_for;
};

}  // namespace bauta
