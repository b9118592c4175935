// Coordinates in which deviations have unit covariance: there, the nearest is the likeliest.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "bauta/core/matrix.hpp"

namespace bauta {

class Whitening {
 public:
  /// Covariance of `deviations` (rows of mean zero, e.g. from the means of their classes), each with a weight of at
  /// least 0. Features are brought to unit variance, then a share of the identity is mixed in: `shrinkage`, or what
  /// Ledoit and Wolf (2004) estimate. A feature that never deviates becomes 0.
  Whitening(MatrixView<const float> deviations, std::span<const double> weights,
            std::optional<double> shrinkage = std::nullopt);

  /// Rows in the new coordinates.
  [[nodiscard]] Matrix<float> apply(MatrixView<const double> x) const;
  [[nodiscard]] double shrinkage() const { return shrinkage_; }

 private:
  std::vector<double> scale_;  // 1 / deviation of each feature; 0 where it has none
  Matrix<double> root_;        // lower Cholesky factor of the shrunk correlation
  double shrinkage_ = 0;
};

}  // namespace bauta
