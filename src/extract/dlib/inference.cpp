#include "inference.hpp"

#include <algorithm>

#include <cblas.h>

namespace bauta::faces {
namespace {

struct Planes {
  std::size_t channels = 0, height = 0, width = 0;
  std::vector<float> values;

  Planes(std::size_t c, std::size_t h, std::size_t w) : channels(c), height(h), width(w), values(c * h * w, 0.0F) {}
  [[nodiscard]] std::size_t size() const { return height * width; }
  [[nodiscard]] float* row(std::size_t c, std::size_t y) { return values.data() + (c * height + y) * width; }
  [[nodiscard]] const float* row(std::size_t c, std::size_t y) const {
    return values.data() + (c * height + y) * width;
  }
};

std::size_t steps(std::size_t length, std::size_t side, std::size_t stride) {
  return (length - side) / stride + 1;
}

/// A column for each place of the filter: what it covers there.
void unfold(const Planes& image, const Convolution& filter, const Planes& result, std::vector<float>& columns) {
  const std::size_t area = filter.side * filter.side;
  columns.assign(image.channels * area * result.size(), 0.0F);
  float* to = columns.data();
  for (std::size_t k = 0; k < image.channels * area; ++k) {
    const std::size_t down = k % area / filter.side, right = k % filter.side;
    // The places at which this element of the filter lies on the image.
    const std::size_t first = right < filter.padding ? (filter.padding - right + filter.stride - 1) / filter.stride : 0;
    const std::size_t last = std::min(result.width, (image.width - 1 + filter.padding - right) / filter.stride + 1);
    for (std::size_t y = 0; y < result.height; ++y, to += result.width) {
      const std::size_t from = y * filter.stride + down;
      if (from < filter.padding || from - filter.padding >= image.height) continue;
      const float* const line = image.row(k / area, from - filter.padding);
      for (std::size_t x = first; x < last; ++x) to[x] = line[x * filter.stride + right - filter.padding];
    }
  }
}

void cut_negative(Planes& planes) {
  for (float& value : planes.values) value = std::max(value, 0.0F);
}

/// `added`: of the same shape, what is added to the result.
Planes convolve(const Planes& image, const Convolution& filter, std::vector<float>& columns,
                const Planes* added = nullptr) {
  const std::size_t filters = filter.weights.rows();
  Planes result(filters, steps(image.height + 2 * filter.padding, filter.side, filter.stride),
                steps(image.width + 2 * filter.padding, filter.side, filter.stride));
  unfold(image, filter, result, columns);
  for (std::size_t f = 0; f < filters; ++f) {
    float* const row = result.row(f, 0);
    if (added == nullptr) {
      std::fill_n(row, result.size(), filter.bias[f]);
    } else {
      const float* const other = added->row(f, 0);
      for (std::size_t i = 0; i < result.size(); ++i) row[i] = other[i] + filter.bias[f];
    }
  }
  const auto as_int = [](std::size_t n) { return static_cast<int>(n); };
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, as_int(filters), as_int(result.size()),
              as_int(filter.weights.cols()), 1.0F, filter.weights.data(), as_int(filter.weights.cols()), columns.data(),
              as_int(result.size()), 1.0F, result.values.data(), as_int(result.size()));
  return result;
}

/// The largest of each 3 x 3, every second pixel.
Planes largest(const Planes& image) {
  Planes result(image.channels, steps(image.height, 3, 2), steps(image.width, 3, 2));
  for (std::size_t c = 0; c < result.channels; ++c) {
    for (std::size_t y = 0; y < result.height; ++y) {
      for (std::size_t x = 0; x < result.width; ++x) {
        float most = image.row(c, 2 * y)[2 * x];
        for (std::size_t k = 1; k < 9; ++k) most = std::max(most, image.row(c, 2 * y + k / 3)[2 * x + k % 3]);
        result.row(c, y)[x] = most;
      }
    }
  }
  return result;
}

Planes halved(const Planes& image) {
  Planes result(image.channels, steps(image.height, 2, 2), steps(image.width, 2, 2));
  for (std::size_t c = 0; c < result.channels; ++c) {
    for (std::size_t y = 0; y < result.height; ++y) {
      const float* const one = image.row(c, 2 * y);
      const float* const two = image.row(c, 2 * y + 1);
      for (std::size_t x = 0; x < result.width; ++x) {
        result.row(c, y)[x] = (one[2 * x] + one[2 * x + 1] + two[2 * x] + two[2 * x + 1]) / 4;
      }
    }
  }
  return result;
}

/// As dlib adds what differs in shape: what one of them lacks is zero.
Planes sum(const Planes& a, const Planes& b) {
  Planes result(std::max(a.channels, b.channels), std::max(a.height, b.height), std::max(a.width, b.width));
  for (const Planes* planes : {&a, &b}) {
    for (std::size_t c = 0; c < planes->channels; ++c) {
      for (std::size_t y = 0; y < planes->height; ++y) {
        for (std::size_t x = 0; x < planes->width; ++x) result.row(c, y)[x] += planes->row(c, y)[x];
      }
    }
  }
  return result;
}

}  // namespace

std::vector<float> infer(const FaceWeights& weights, const Image& chip) {
  // Residual blocks of a resolution, then the one that halves it.
  constexpr std::array<std::size_t, 4> blocks = {3, 3, 2, 2};
  Planes image(3, chip.height, chip.width);
  for (std::size_t i = 0; i < image.values.size(); ++i) {
    const std::size_t c = i % 3;
    image.values[c * image.size() + i / 3] = (static_cast<float>(chip.pixels[i]) - weights.average[c]) / 256;
  }
  std::vector<float> columns;
  const Convolution* next = weights.convolutions.data();
  image = convolve(image, *next++, columns);
  cut_negative(image);
  image = largest(image);
  for (const std::size_t count : blocks) {
    for (std::size_t k = 0; k < count; ++k) {
      Planes inner = convolve(image, *next++, columns);
      cut_negative(inner);
      image = convolve(inner, *next++, columns, &image);
      cut_negative(image);
    }
    Planes inner = convolve(image, *next++, columns);
    cut_negative(inner);
    image = sum(convolve(inner, *next++, columns), halved(image));
    cut_negative(image);
  }
  std::vector<float> result(weights.last.cols(), 0.0F);
  for (std::size_t c = 0; c < image.channels; ++c) {
    float mean = 0;
    for (std::size_t i = 0; i < image.size(); ++i) mean += image.row(c, 0)[i] / static_cast<float>(image.size());
    for (std::size_t k = 0; k < result.size(); ++k) result[k] += mean * weights.last(c, k);
  }
  return result;
}

}  // namespace bauta::faces
