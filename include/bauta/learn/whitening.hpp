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
  /// Ledoit and Wolf (2004) estimate. A feature that never deviates becomes 0. With far fewer rows than features,
  /// memory is rows x features, never features x features.
  Whitening(MatrixView<const float> deviations, std::span<const double> weights,
            std::optional<double> shrinkage = std::nullopt);

  /// Rows in the new coordinates.
  [[nodiscard]] Matrix<float> apply(MatrixView<const double> x) const;
  [[nodiscard]] double shrinkage() const { return shrinkage_; }

 private:
  /// What the correlation of many rows is made of, and that of few.
  void fit_features(MatrixView<const float> standard, const std::vector<double>& share, std::optional<double> asked);
  void fit_rows(MatrixView<const float> standard, const std::vector<double>& share, std::optional<double> asked);
  /// From the correlation's trace, sum of squares, and uncertainty. Returns the mean variance that is mixed in.
  double shrink(double trace, double squares, double uncertainty, std::optional<double> asked);
  /// Rows in the coordinates of few deviations, in place.
  void stretch(std::size_t rows, std::vector<double>& block) const;

  std::vector<double> scale_;  // 1 / deviation of each feature; 0 where it has none
  double shrinkage_ = 0;
  Matrix<double> root_;  // many rows: lower Cholesky factor of the shrunk correlation
  // Few rows: the directions in which they deviate, one per row, what each is multiplied by, and what all others are.
  Matrix<double> directions_;
  std::vector<double> along_;
  double across_ = 1;
};

}  // namespace bauta
