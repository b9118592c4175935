#include "planes.hpp"

#include <algorithm>

#include <cblas.h>

#include "bauta/core/error.hpp"

namespace bauta {
namespace {

/// Each row: one of the nine neighbours of every pixel of a channel.
std::vector<float> neighbourhoods(const Planes& image) {
  const std::size_t pixels = image.pixels(), width = image.width, height = image.height;
  std::vector<float> rows(image.channels * 9 * pixels, 0.0F);
  for (std::size_t k = 0; k < image.channels * 9; ++k) {
    // Pixel (y, x) sees (y + dy - 1, x + dx - 1).
    const std::size_t dy = k % 9 / 3, dx = k % 3;
    float* const row = rows.data() + k * pixels;
    const std::size_t bottom = dy == 2 ? height - 1 : height, end = dx == 2 ? width - 1 : width;
    for (std::size_t y = dy == 0 ? 1 : 0; y < bottom; ++y) {
      const float* const from = image.plane(k / 9) + (y + dy - 1) * width;
      for (std::size_t x = dx == 0 ? 1 : 0; x < end; ++x) row[y * width + x] = from[x + dx - 1];
    }
  }
  return rows;
}

}  // namespace

Planes convolved(const ConvolutionLayer& layer, const Planes& image) {
  BAUTA_ASSERT(layer.inputs() == image.channels && layer.bias.size() == layer.outputs());
  Planes result(layer.outputs(), image.height, image.width);
  for (std::size_t c = 0; c < result.channels; ++c) std::fill_n(result.plane(c), image.pixels(), layer.bias[c]);
  const std::vector<float> seen = neighbourhoods(image);
  const auto n = static_cast<int>(image.pixels()), k = static_cast<int>(layer.weights.cols());
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(result.channels), n, k, 1.0F,
              layer.weights.data(), k, seen.data(), n, 1.0F, result.values.data(), n);
  return result;
}

}  // namespace bauta
