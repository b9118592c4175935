// Images on their way through a convolutional network.
#pragma once

#include <cstddef>
#include <vector>

#include "bauta/deep/convolution.hpp"

namespace bauta {

/// Channel by channel, row by row.
struct Planes {
  std::size_t channels = 0, height = 0, width = 0;
  std::vector<float> values = {};

  Planes(std::size_t channel_count, std::size_t rows, std::size_t columns)
      : channels(channel_count), height(rows), width(columns), values(channel_count * rows * columns) {}
  [[nodiscard]] std::size_t pixels() const { return width * height; }
  [[nodiscard]] float* plane(std::size_t c) { return values.data() + c * pixels(); }
  [[nodiscard]] const float* plane(std::size_t c) const { return values.data() + c * pixels(); }
};

/// What the layer makes of an image, without activation. One thread.
Planes convolved(const ConvolutionLayer& layer, const Planes& image);

}  // namespace bauta
