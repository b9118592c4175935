// Principal components of features.
#pragma once

#include <cstddef>
#include <vector>

#include "bauta/core/matrix.hpp"

namespace bauta {

struct Pca {
  std::vector<double> means;
  std::vector<double> variances;  ///< of the components, descending (sum of squares over n)
  Matrix<double> components;      ///< one per row; the element of largest size is positive

  /// As many components as features.
  static Pca fit(MatrixView<const float> x);
  /// The first ones alone, at most `count`, and none whose deviation is the rounding of floats. Of few rows with many
  /// features (images) what is decomposed is as large as the number of rows.
  static Pca leading(MatrixView<const float> x, std::size_t count);
  /// The centred rows in coordinates of the components.
  [[nodiscard]] Matrix<float> transform(MatrixView<const float> x) const;
};

}  // namespace bauta
