// Images to mask.
#pragma once

#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include "../fixtures.hpp"

namespace bauta {

inline Image masked(const std::string& technique, const Image& image) {
  return std::get<Image>(make_protection(technique)->mask(image, 0, {}));
}

inline Image noise_image(std::size_t width, std::size_t height, std::size_t channels) {
  Stream stream(5, "test.image");
  Image image{width, height, channels, {}};
  for (std::size_t i = 0; i < width * height * channels; ++i) {
    image.pixels.push_back(static_cast<std::uint8_t>(stream.below(256)));
  }
  return image;
}

inline double mean_of(const Image& image) {
  return std::accumulate(image.pixels.begin(), image.pixels.end(), 0.0) / static_cast<double>(image.pixels.size());
}

}  // namespace bauta
