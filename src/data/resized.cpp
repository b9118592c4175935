#include "bauta/data/resized.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "bauta/core/error.hpp"

namespace bauta {

namespace {

/// What part of which input elements an output element is made of; the parts add up to one.
struct Cover {
  std::size_t first = 0;
  std::vector<double> parts;
};

std::vector<Cover> covers(std::size_t input, std::size_t output) {
  const double step = static_cast<double>(input) / static_cast<double>(output);
  std::vector<Cover> all(output);
  for (std::size_t i = 0; i < output; ++i) {
    const double begin = static_cast<double>(i) * step;
    const double end = std::min(static_cast<double>(i + 1) * step, static_cast<double>(input));
    Cover& cover = all[i];
    cover.first = std::min(static_cast<std::size_t>(begin), input - 1);
    double sum = 0;
    for (std::size_t j = cover.first; cover.parts.empty() || static_cast<double>(j) < end; ++j) {
      const auto left = static_cast<double>(j);
      cover.parts.push_back(std::max(0.0, std::min(end, left + 1) - std::max(begin, left)));
      sum += cover.parts.back();
    }
    for (double& part : cover.parts) part /= sum;
  }
  return all;
}

/// A row of the image with as many channels as asked for, from 0 to 1.
void convert_row(const Image& image, std::size_t row, std::size_t channels, std::vector<double>& values) {
  constexpr std::array<double, 3> luma = {0.299, 0.587, 0.114};
  const std::uint8_t* pixel = image.pixels.data() + row * image.width * image.channels;
  for (std::size_t x = 0; x < image.width; ++x, pixel += image.channels) {
    double* const value = values.data() + x * channels;
    if (channels == 1 && image.channels == 3) {
      value[0] = (luma[0] * pixel[0] + luma[1] * pixel[1] + luma[2] * pixel[2]) / 255;
    } else {
      for (std::size_t c = 0; c < channels; ++c) value[c] = pixel[image.channels == 1 ? 0 : c] / 255.0;
    }
  }
}

/// Where one of `size` pixels lies between those of `from`, whose edges are the same.
struct Between {
  std::size_t low = 0, high = 0;
  float share = 0;  ///< of the higher
};

std::vector<Between> between(std::size_t from, std::size_t size) {
  std::vector<Between> places(size);
  const double step = static_cast<double>(from) / static_cast<double>(size);
  for (std::size_t i = 0; i < size; ++i) {
    const double at = std::clamp((static_cast<double>(i) + 0.5) * step - 0.5, 0.0, static_cast<double>(from - 1));
    const auto low = static_cast<std::size_t>(at);
    places[i] = {low, std::min(low + 1, from - 1), static_cast<float>(at - static_cast<double>(low))};
  }
  return places;
}

}  // namespace

std::vector<float> resized(const Image& image, std::size_t size, std::size_t channels) {
  BAUTA_ASSERT((channels == 1 || channels == 3) && (image.channels == 1 || image.channels == 3));
  BAUTA_ASSERT(size > 0 && image.pixels.size() == image.width * image.height * image.channels && image.width > 0);
  const std::vector<Cover> columns = covers(image.width, size);
  const std::vector<Cover> rows = covers(image.height, size);
  std::vector<double> line(image.width * channels);
  std::vector<double> narrow(size * channels);
  std::vector<double> sums(size * size * channels);
  std::size_t converted = image.height;  // the row that `narrow` holds; rows are asked for in order
  for (std::size_t y = 0; y < size; ++y) {
    for (std::size_t i = 0; i < rows[y].parts.size(); ++i) {
      const std::size_t row = rows[y].first + i;
      if (row != converted) {
        convert_row(image, row, channels, line);
        std::fill(narrow.begin(), narrow.end(), 0.0);
        for (std::size_t x = 0; x < size; ++x) {
          const Cover& cover = columns[x];
          for (std::size_t j = 0; j < cover.parts.size(); ++j) {
            const double* const value = line.data() + (cover.first + j) * channels;
            for (std::size_t c = 0; c < channels; ++c) narrow[x * channels + c] += cover.parts[j] * value[c];
          }
        }
        converted = row;
      }
      double* const sum = sums.data() + y * narrow.size();
      for (std::size_t x = 0; x < narrow.size(); ++x) sum[x] += rows[y].parts[i] * narrow[x];
    }
  }
  return {sums.begin(), sums.end()};
}

std::vector<float> resized_planes(const Image& image, std::size_t size, std::size_t channels) {
  const std::vector<float> pixels = resized(image, size, channels);
  std::vector<float> planes(pixels.size());
  for (std::size_t i = 0; i < pixels.size(); ++i) planes[i % channels * size * size + i / channels] = pixels[i];
  return planes;
}

std::vector<float> stretched(std::span<const float> planes, std::size_t size, std::size_t width, std::size_t height) {
  const std::size_t channels = planes.size() / (size * size);
  BAUTA_ASSERT(channels * size * size == planes.size());
  const std::vector<Between> across = between(size, width), down = between(size, height);
  std::vector<float> values(width * height * channels);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Between &x = across[i / channels % width], &y = down[i / channels / width];
    const float* const plane = planes.data() + i % channels * size * size;
    const auto along = [&](std::size_t row) {
      return (1 - x.share) * plane[row * size + x.low] + x.share * plane[row * size + x.high];
    };
    values[i] = (1 - y.share) * along(y.low) + y.share * along(y.high);
  }
  return values;
}

}  // namespace bauta
