#include "bauta/deep/image_network.hpp"

#include <algorithm>

#include <cblas.h>

#include "bauta/core/error.hpp"

namespace bauta {
namespace {

/// Planes of edge x edge pixels.
struct Planes {
  std::size_t edge = 0;
  std::size_t count = 0;
  std::vector<float> values = {};

  Planes(std::size_t size, std::size_t channels) : edge(size), count(channels), values(size * size * channels) {}
  [[nodiscard]] float* plane(std::size_t c) { return values.data() + c * edge * edge; }
  [[nodiscard]] const float* plane(std::size_t c) const { return values.data() + c * edge * edge; }
};

/// Each row: one of the nine neighbours of every pixel of a channel.
std::vector<float> neighbourhoods(const Planes& planes) {
  const std::size_t edge = planes.edge, pixels = edge * edge;
  std::vector<float> rows(planes.count * 9 * pixels, 0.0F);
  for (std::size_t c = 0; c < planes.count; ++c) {
    for (std::size_t k = 0; k < 9; ++k) {
      const std::size_t dy = k / 3, dx = k % 3;
      float* const row = rows.data() + (c * 9 + k) * pixels;
      // Pixel (y, x) sees (y + dy - 1, x + dx - 1).
      const std::size_t first = dx == 0 ? 1 : 0, end = dx == 2 ? edge - 1 : edge;
      for (std::size_t y = dy == 0 ? 1 : 0; y < (dy == 2 ? edge - 1 : edge); ++y) {
        const float* const from = planes.plane(c) + (y + dy - 1) * edge;
        for (std::size_t x = first; x < end; ++x) row[y * edge + x] = from[x + dx - 1];
      }
    }
  }
  return rows;
}

Planes convolved(const ConvolutionLayer& layer, const Planes& planes, bool rectified) {
  BAUTA_ASSERT(layer.inputs() == planes.count);
  const std::size_t pixels = planes.edge * planes.edge;
  Planes result(planes.edge, layer.outputs());
  for (std::size_t c = 0; c < result.count; ++c) std::fill_n(result.plane(c), pixels, layer.bias[c]);
  const std::vector<float> seen = neighbourhoods(planes);
  const auto n = static_cast<int>(pixels), k = static_cast<int>(layer.weights.cols());
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(result.count), n, k, 1.0F,
              layer.weights.data(), k, seen.data(), n, 1.0F, result.values.data(), n);
  for (float& value : result.values) value = rectified && value < 0 ? 0 : value;
  return result;
}

Planes halved(const Planes& planes) {
  Planes result(planes.edge / 2, planes.count);
  for (std::size_t c = 0; c < planes.count; ++c) {
    for (std::size_t y = 0; y < result.edge; ++y) {
      const float* const above = planes.plane(c) + 2 * y * planes.edge;
      const float* const below = above + planes.edge;
      for (std::size_t x = 0; x < result.edge; ++x) {
        result.plane(c)[y * result.edge + x] = (above[2 * x] + above[2 * x + 1] + below[2 * x] + below[2 * x + 1]) / 4;
      }
    }
  }
  return result;
}

/// Doubled, with `others` after it.
Planes doubled(const Planes& planes, const Planes& others) {
  Planes result(2 * planes.edge, planes.count + others.count);
  for (std::size_t c = 0; c < planes.count; ++c) {
    for (std::size_t y = 0; y < result.edge; ++y) {
      for (std::size_t x = 0; x < result.edge; ++x) {
        result.plane(c)[y * result.edge + x] = planes.plane(c)[y / 2 * planes.edge + x / 2];
      }
    }
  }
  std::ranges::copy(others.values, result.plane(planes.count));
  return result;
}

}  // namespace

void ImageNetwork::forward(std::span<const float> image, std::span<float> result) const {
  BAUTA_ASSERT(!down.empty() && up.size() + 1 == down.size() && size % (std::size_t{1} << up.size()) == 0);
  BAUTA_ASSERT(image.size() == channels() * size * size && result.size() == image.size());
  Planes planes(size, channels());
  std::ranges::copy(image, planes.values.begin());
  std::vector<Planes> stages;
  for (const ConvolutionLayer& layer : down) {
    stages.push_back(convolved(layer, stages.empty() ? planes : halved(stages.back()), true));
  }
  Planes way = std::move(stages.back());
  for (std::size_t i = up.size(); i-- > 0;) way = convolved(up[i], doubled(way, stages[i]), true);
  const Planes change = convolved(last, way, false);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = image[i] + change.values[i];
}

}  // namespace bauta
