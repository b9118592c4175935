// The layer that all our convolutional networks are made of, as plain arrays.
#pragma once

#include <cstddef>
#include <vector>

#include "bauta/core/matrix.hpp"

namespace bauta {

/// A convolution by 3 x 3 pixels; beyond the border everything is zero.
struct ConvolutionLayer {
  Matrix<float> weights;  ///< outputs x (inputs * 9): channel by channel, row by row
  std::vector<float> bias;

  [[nodiscard]] std::size_t inputs() const { return weights.cols() / 9; }
  [[nodiscard]] std::size_t outputs() const { return weights.rows(); }
};

}  // namespace bauta
