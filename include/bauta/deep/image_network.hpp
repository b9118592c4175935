// A trained network from images to images as plain arrays: what inference needs, without LibTorch.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "bauta/core/matrix.hpp"
#include "bauta/deep/convolution.hpp"
#include "bauta/deep/network.hpp"

namespace bauta {

/// On the way down images are halved (means of 2 x 2 pixels) between stages, on the way up doubled (each pixel four
/// times), and each stage on the way up also sees what its counterpart on the way down gave. What comes out is added to
/// the image. Between stages stands a ReLU.
///
/// Generators take a vector beside the image. It is added to the deepest stage, and on the way up it scales and shifts
/// each channel of each stage, which has two convolutions there. Their ReLU leaks.
struct ImageNetwork {
  static constexpr float leak = 0.2F;  ///< what generators pass on of what is below 0

  std::size_t size = 0;                ///< edge of the image, a multiple of 2^(stages - 1)
  std::vector<ConvolutionLayer> down;  ///< stage i works on images of size / 2^i
  std::vector<ConvolutionLayer> up;    ///< the same; one stage less
  ConvolutionLayer last;
  // Of generators, else empty.
  DenseLayer code = {};                ///< what a vector adds to the deepest stage, before its ReLU, plane by plane
  std::vector<DenseLayer> style = {};  ///< of each stage on the way up: what is added to factors of 1, and shifts
  std::vector<ConvolutionLayer> fine = {};  ///< of each stage on the way up: the second convolution

  [[nodiscard]] std::size_t channels() const { return last.outputs(); }
  /// Planes that it is shown: those of the image first, then others.
  [[nodiscard]] std::size_t inputs() const { return down.front().inputs(); }
  [[nodiscard]] std::size_t code_length() const { return code.inputs(); }
  /// Planes of size x size; `result` has one per channel. One thread.
  void forward(std::span<const float> planes, std::span<const float> vector, std::span<float> result) const;
  /// Of one that takes no vector.
  void forward(std::span<const float> planes, std::span<float> result) const { forward(planes, {}, result); }
};

/// Its layers by name, each with its bias as the last column.
std::map<std::string, Matrix<float>> arrays_of(const ImageNetwork& network);
/// The way back. An input error names `where` if a layer is absent, fits the others not, or holds what is no number.
ImageNetwork image_network_of(const std::map<std::string, Matrix<float>>& arrays, std::size_t size, std::size_t stages,
                              const std::string& where);

}  // namespace bauta
