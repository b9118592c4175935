#include "bauta/deep/conv_network.hpp"

#include <algorithm>

#include "planes.hpp"

namespace bauta {
namespace {

Planes planes_of(std::span<const float> row, const ImageShape& shape) {
  Planes planes(shape.channels, shape.height, shape.width);
  for (std::size_t i = 0; i < row.size(); ++i) planes.plane(i % shape.channels)[i / shape.channels] = row[i];
  return planes;
}

/// The largest of each 2 x 2, where it is positive.
Planes pooled(const Planes& image) {
  Planes half(image.channels, image.height / 2, image.width / 2);
  float* next = half.values.data();
  for (std::size_t f = 0; f < half.channels; ++f) {
    for (std::size_t y = 0; y < half.height; ++y) {
      const float* const above = image.plane(f) + 2 * y * image.width;
      for (std::size_t x = 0; x < half.width; ++x) {
        const float* const one = above + 2 * x;
        const float* const two = one + image.width;
        *next++ = std::max({one[0], one[1], two[0], two[1], 0.0F});
      }
    }
  }
  return half;
}

}  // namespace

void ConvNetwork::forward(MatrixView<const float> rows, std::size_t first, MatrixView<float> result) const {
  BAUTA_ASSERT(rows.cols == input.size() && result.cols == outputs());
  Matrix<float> left(rows.rows, head.inputs());
  for (std::size_t i = 0; i < rows.rows; ++i) {
    Planes image = planes_of(rows.row(i), input);
    for (const ConvolutionLayer& layer : layers) image = pooled(convolved(layer, image));
    BAUTA_ASSERT(image.values.size() == left.cols());
    std::ranges::copy(image.values, left.row(i).begin());
  }
  head.forward(left.view(), first, result);
}

std::size_t pixels_left(const ImageShape& input, std::size_t layers) {
  return (input.width >> layers) * (input.height >> layers);
}

}  // namespace bauta
