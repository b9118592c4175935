// A trained convolutional network as plain arrays: what inference needs, without LibTorch.
#pragma once

#include <cstddef>
#include <vector>

#include "bauta/core/image_shape.hpp"
#include "bauta/core/matrix.hpp"
#include "bauta/deep/convolution.hpp"
#include "bauta/deep/network.hpp"

namespace bauta {

struct ConvNetwork {
  ImageShape input;                      ///< what the features of a row are
  std::vector<ConvolutionLayer> layers;  ///< each followed by the largest of each 2 x 2, where it is positive
  Network head;                          ///< takes what is left of the image, channel by channel

  [[nodiscard]] std::size_t outputs() const { return head.outputs(); }

  /// Row i of `rows` is row `first + i` of the data set; bits depend neither on blocks nor on threads.
  void forward(MatrixView<const float> rows, std::size_t first, MatrixView<float> result) const;
};

/// What `layers` halvings leave of an image; 0 where nothing is left.
std::size_t pixels_left(const ImageShape& input, std::size_t layers);

}  // namespace bauta
