// Images to mask.
#pragma once

#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "../fixtures.hpp"
#include "bauta/data/media_source.hpp"

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

/// The blocks of an image, in reading order.
inline std::vector<std::vector<std::uint8_t>> blocks_of(const Image& image, std::size_t block) {
  std::vector<std::vector<std::uint8_t>> blocks;
  for (std::size_t top = 0; top + block <= image.height; top += block) {
    for (std::size_t left = 0; left + block <= image.width; left += block) {
      std::vector<std::uint8_t>& pixels = blocks.emplace_back();
      for (std::size_t y = top; y < top + block; ++y) {
        for (std::size_t i = left * image.channels; i < (left + block) * image.channels; ++i) {
          pixels.push_back(image.pixels[y * image.width * image.channels + i]);
        }
      }
    }
  }
  return blocks;
}

inline Image even_image(std::size_t width, std::size_t height, std::size_t channels, std::uint8_t value) {
  return {width, height, channels, std::vector<std::uint8_t>(width * height * channels, value)};
}

inline double mean_of(const Image& image) {
  return std::accumulate(image.pixels.begin(), image.pixels.end(), 0.0) / static_cast<double>(image.pixels.size());
}

class HeldImages : public MediaSource {
 public:
  explicit HeldImages(std::vector<Image> images) : images_(std::move(images)) {}
  [[nodiscard]] std::size_t size() const override { return images_.size(); }
  [[nodiscard]] Medium load(std::size_t row) const override {
    if (images_[row].pixels.empty()) throw_input("test", "is damaged");
    return images_[row];
  }

 private:
  std::vector<Image> images_;
};

inline Dataset data_of(const std::vector<Image>& images, const std::vector<std::string>& people) {
  Dataset data;
  data.origin = "test data";
  data.labels = LabelTable("test data", images.size());
  data.labels.add_column("identity", people);
  data.identity_column = "identity";
  data.media = std::make_shared<HeldImages>(images);
  return data;
}

}  // namespace bauta
