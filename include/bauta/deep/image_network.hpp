// A trained network from images to images as plain arrays: what inference needs, without LibTorch.
#pragma once

#include <cstddef>
#include <span>
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

/// On the way down images are halved (means of 2 x 2 pixels) between stages, on the way up doubled (each pixel four
/// times), and each stage on the way up also sees what its counterpart on the way down gave. What comes out is added to
/// the image. Between stages stands a ReLU.
struct ImageNetwork {
  std::size_t size = 0;                ///< edge of the image, a multiple of 2^(stages - 1)
  std::vector<ConvolutionLayer> down;  ///< stage i works on images of size / 2^i
  std::vector<ConvolutionLayer> up;    ///< the same; one stage less
  ConvolutionLayer last;

  [[nodiscard]] std::size_t channels() const { return last.outputs(); }
  /// Planes of size x size, one per channel; both spans hold channels * size * size values. One thread.
  void forward(std::span<const float> image, std::span<float> result) const;
};

}  // namespace bauta
