#include "bauta/data/image_cut.hpp"

#include <algorithm>
#include <cmath>

#include "bauta/core/error.hpp"

namespace bauta {

namespace {

// More places say nothing new, and take time.
constexpr double most_places = 16;

double pixel(const Image& image, double x, double y, std::size_t channel) {
  if (x < 0 || y < 0 || x >= static_cast<double>(image.width) || y >= static_cast<double>(image.height)) return 0;
  return image
      .pixels[(static_cast<std::size_t>(y) * image.width + static_cast<std::size_t>(x)) * image.channels + channel];
}

/// Between the middles of the four pixels around a place.
double at(const Image& image, double x, double y, std::size_t channel) {
  const double left = std::floor(x - 0.5), top = std::floor(y - 0.5);
  const double right_share = x - 0.5 - left, low_share = y - 0.5 - top;
  const auto row = [&](double line) {
    return std::lerp(pixel(image, left, line, channel), pixel(image, left + 1, line, channel), right_share);
  };
  return std::lerp(row(top), row(top + 1), low_share);
}

}  // namespace

Image cut_square(const Image& image, const ImageCut& cut, std::size_t side) {
  BAUTA_ASSERT(side > 0 && !image.pixels.empty());
  Image result{side, side, image.channels, {}};
  result.pixels.reserve(side * side * image.channels);
  const double step = std::hypot(cut.across, cut.down);
  const double places = std::clamp(std::ceil(step - 1e-9), 1.0, most_places);
  for (std::size_t row = 0; row < side; ++row) {
    for (std::size_t column = 0; column < side; ++column) {
      for (std::size_t c = 0; c < image.channels; ++c) {
        double sum = 0;
        for (int i = 0; i < places; ++i) {
          for (int j = 0; j < places; ++j) {
            const double x = static_cast<double>(column) + (j + 0.5) / places;
            const double y = static_cast<double>(row) + (i + 0.5) / places;
            sum += at(image, cut.left + x * cut.across - y * cut.down, cut.top + x * cut.down + y * cut.across, c);
          }
        }
        result.pixels.push_back(static_cast<std::uint8_t>(std::lround(sum / (places * places))));
      }
    }
  }
  return result;
}

}  // namespace bauta
