#include "bauta/deep/conv_network.hpp"

#include <algorithm>

#include <cblas.h>

#include "bauta/core/row_tiles.hpp"

namespace bauta {
namespace {

/// Channel by channel.
struct Planes {
  std::size_t channels = 0, height = 0, width = 0;
  std::vector<float> values;
};

Planes planes_of(std::span<const float> row, const ImageShape& shape) {
  Planes planes{shape.channels, shape.height, shape.width, std::vector<float>(row.size())};
  const std::size_t pixels = shape.width * shape.height;
  for (std::size_t i = 0; i < row.size(); ++i) {
    planes.values[i % shape.channels * pixels + i / shape.channels] = row[i];
  }
  return planes;
}

/// For each pixel the nine around it in every channel: a column per pixel.
void unfold(const Planes& image, std::vector<float>& columns) {
  const std::size_t pixels = image.width * image.height;
  columns.assign(image.channels * 9 * pixels, 0.0F);
  for (std::size_t k = 0; k < image.channels * 9; ++k) {
    const float* const plane = image.values.data() + k / 9 * pixels;
    const std::size_t down = k % 9 / 3, right = k % 3;  // shifted by one less
    float* const to = columns.data() + k * pixels;
    const std::size_t bottom = std::min(image.height, image.height + 1 - down);
    const std::size_t end = std::min(image.width, image.width + 1 - right);
    for (std::size_t y = down == 0 ? 1 : 0; y < bottom; ++y) {
      const float* const line = plane + (y + down - 1) * image.width;
      for (std::size_t x = right == 0 ? 1 : 0; x < end; ++x) to[y * image.width + x] = line[x + right - 1];
    }
  }
}

Planes apply(const ConvLayer& layer, const Planes& image, std::vector<float>& columns) {
  unfold(image, columns);
  const std::size_t pixels = image.width * image.height;
  std::vector<float> sums(layer.filters() * pixels);
  for (std::size_t f = 0; f < layer.filters(); ++f) std::fill_n(sums.data() + f * pixels, pixels, layer.bias[f]);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(layer.filters()), static_cast<int>(pixels),
              static_cast<int>(layer.weights.cols()), 1.0F, layer.weights.data(),
              static_cast<int>(layer.weights.cols()), columns.data(), static_cast<int>(pixels), 1.0F, sums.data(),
              static_cast<int>(pixels));
  Planes half{layer.filters(), image.height / 2, image.width / 2, {}};
  half.values.reserve(half.channels * half.height * half.width);
  for (std::size_t f = 0; f < half.channels; ++f) {
    for (std::size_t y = 0; y < half.height; ++y) {
      const float* const above = sums.data() + f * pixels + 2 * y * image.width;
      for (std::size_t x = 0; x < half.width; ++x) {
        const float* const one = above + 2 * x;
        const float* const two = one + image.width;
        half.values.push_back(std::max({one[0], one[1], two[0], two[1], 0.0F}));
      }
    }
  }
  return half;
}

}  // namespace

void ConvNetwork::forward(MatrixView<const float> rows, std::size_t first, MatrixView<float> result) const {
  BAUTA_ASSERT(rows.cols == input.size() && result.cols == outputs());
  Matrix<float> left(rows.rows, head.inputs());
  std::vector<float> columns;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    Planes image = planes_of(rows.row(i), input);
    for (const ConvLayer& layer : layers) image = apply(layer, image, columns);
    BAUTA_ASSERT(image.values.size() == left.cols());
    std::ranges::copy(image.values, left.row(i).begin());
  }
  head.forward(left.view(), first, result);
}

std::size_t pixels_left(const ImageShape& input, std::size_t layers) {
  return (input.width >> layers) * (input.height >> layers);
}

}  // namespace bauta
