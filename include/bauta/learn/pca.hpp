// Principal components of features.
#pragma once

#include <cstddef>
#include <vector>

#include "bauta/core/matrix.hpp"

namespace bauta {

struct Pca {
  std::vector<double> means;
  std::vector<double> variances;  ///< of the components, descending (sum of squares over n)
  Matrix<double> components;      ///< one per row, as many as features; the element of largest size is positive

  static Pca fit(MatrixView<const float> x);
  /// The centred rows in coordinates of the components.
  [[nodiscard]] Matrix<float> transform(MatrixView<const float> x) const;
};

}  // namespace bauta
