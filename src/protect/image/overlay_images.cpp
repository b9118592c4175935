#include "overlay_images.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "image_protection.hpp"

namespace bauta {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 30;

/// Between which two of `size` places a place of `of` lies, and how far on the way.
struct Between {
  std::size_t low = 0, high = 0;
  float way = 0;
};

/// Centres of pixels lie on centres where both sizes are equal.
Between between(std::size_t place, std::size_t of, std::size_t size) {
  const float at = (static_cast<float>(place) + 0.5F) * static_cast<float>(size) / static_cast<float>(of) - 0.5F;
  const float within = std::clamp(at, 0.0F, static_cast<float>(size - 1));
  const auto low = static_cast<std::size_t>(within);
  return {low, std::min(low + 1, size - 1), within - static_cast<float>(low)};
}

float channel_of(const Image& image, std::size_t pixel, std::size_t channel, std::size_t channels) {
  const std::uint8_t* const values = image.pixels.data() + pixel * image.channels;
  if (image.channels == channels) return values[channel];
  if (image.channels == 1) return values[0];
  return 0.299F * values[0] + 0.587F * values[1] + 0.114F * values[2];
}

/// Noise on a grid with so many cells across, linear between its points, is added to one channel.
void add_noise(std::size_t cells, float size, std::size_t channel, const Image& shape, Stream& stream,
               std::vector<float>& values) {
  const float edge = static_cast<float>(shape.width) / static_cast<float>(cells);
  const std::size_t across = cells + 1;
  const std::size_t down = static_cast<std::size_t>(std::ceil(static_cast<float>(shape.height) / edge)) + 1;
  std::vector<float> grid(across * down);
  stream.normals(std::span(grid));
  std::vector<float> upper(shape.width), lower(shape.width);
  const auto stretched = [&](std::size_t row, std::vector<float>& out) {
    const float* const points = grid.data() + row * across;
    for (std::size_t x = 0; x < shape.width; ++x) {
      const float at = (static_cast<float>(x) + 0.5F) / edge;
      const std::size_t left = std::min(static_cast<std::size_t>(at), cells - 1);
      const float way = at - static_cast<float>(left);
      out[x] = size * ((1 - way) * points[left] + way * points[left + 1]);
    }
  };
  std::size_t held = down;  // the row of the grid that `upper` shows
  for (std::size_t y = 0; y < shape.height; ++y) {
    const float at = (static_cast<float>(y) + 0.5F) / edge;
    const std::size_t top = std::min(static_cast<std::size_t>(at), down - 2);
    if (top != held) {
      stretched(top, upper);
      stretched(top + 1, lower);
      held = top;
    }
    const float way = at - static_cast<float>(top);
    float* const to = values.data() + y * shape.width * shape.channels + channel;
    for (std::size_t x = 0; x < shape.width; ++x) to[x * shape.channels] += (1 - way) * upper[x] + way * lower[x];
  }
}

}  // namespace

std::vector<Image> images_in_folder(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Image> images;
  std::size_t bytes = 0;
  for (const fs::path& file : files) {
    images.push_back(read_image(file));
    bytes += images.back().pixels.size();
    if (bytes > most_bytes) {
      throw_input(folder.string(), fmt::format("{} of its {} images take more than 1 GiB", images.size(), files.size()),
                  "make them smaller: they are stretched to the size of the faces anyway");
    }
  }
  if (images.empty()) throw_usage(folder.string(), "holds no images to lay over others");
  return images;
}

Image like(const Image& image, const Image& shape) {
  if (image.width == shape.width && image.height == shape.height && image.channels == shape.channels) return image;
  std::vector<Between> columns;
  for (std::size_t x = 0; x < shape.width; ++x) columns.push_back(between(x, shape.width, image.width));
  std::vector<float> values;
  values.reserve(shape.width * shape.height * shape.channels);
  for (std::size_t y = 0; y < shape.height; ++y) {
    const Between row = between(y, shape.height, image.height);
    for (const Between& column : columns) {
      for (std::size_t c = 0; c < shape.channels; ++c) {
        const auto at = [&](std::size_t v, std::size_t u) {
          return channel_of(image, v * image.width + u, c, shape.channels);
        };
        const float upper = (1 - column.way) * at(row.low, column.low) + column.way * at(row.low, column.high);
        const float lower = (1 - column.way) * at(row.high, column.low) + column.way * at(row.high, column.high);
        values.push_back((1 - row.way) * upper + row.way * lower);
      }
    }
  }
  return with_values(shape, values);
}

Image texture(const Image& shape, Stream& stream) {
  constexpr float deviation = 64;  // of the grid's points, over all wavelengths
  std::vector<float> values(shape.width * shape.height * shape.channels, 127.5F);
  const float whole = std::sqrt(1 + 1 / 2.0F + 1 / 4.0F + 1 / 8.0F);
  for (std::size_t c = 0; c < shape.channels; ++c) {
    for (const std::size_t cells : {2U, 4U, 8U, 16U}) {
      add_noise(cells, deviation / whole * std::sqrt(2.0F / static_cast<float>(cells)), c, shape, stream, values);
    }
  }
  return with_values(shape, values);
}

}  // namespace bauta
