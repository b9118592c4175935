// The population of tests/learn/references.py: a level that depends on the first two features, the second half of the
// features constant.
#pragma once

#include <vector>

#include "lcg.hpp"

namespace bauta {

struct Population {
  Matrix<float> x;
  std::vector<double> level;

  Population(std::uint64_t seed, std::size_t rows, std::size_t cols) {
    Lcg lcg(seed);
    x = lcg.matrix(rows, cols);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = cols / 2; j < cols; ++j) x(i, j) = 0.5F;
      level.push_back(x(i, 0) + 0.5F * x(i, 1) + 0.5F * lcg.next());
    }
  }
  /// The number of thresholds below each level.
  [[nodiscard]] std::vector<std::int32_t> classes(const std::vector<double>& thresholds) const {
    std::vector<std::int32_t> codes;
    for (const double value : level) {
      codes.push_back(0);
      for (const double threshold : thresholds) codes.back() += value > threshold ? 1 : 0;
    }
    return codes;
  }
};

}  // namespace bauta
