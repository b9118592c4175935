// Images for tests of recoveries.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bauta/core/random.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/protect/media.hpp"
#include "fixtures.hpp"

namespace bauta {

class ImagesInMemory : public MediaSource {
 public:
  explicit ImagesInMemory(std::vector<Image> images) : images_(std::move(images)) {}

  [[nodiscard]] std::size_t size() const override { return images_.size(); }
  [[nodiscard]] std::string_view kind(std::size_t) const override { return "image"; }
  [[nodiscard]] Medium load(std::size_t row) const override {
    if (images_[row].pixels.empty()) throw_input("test", "is damaged");
    return images_[row];
  }

 private:
  std::vector<Image> images_;
};

/// `samples` images each of person 0, 1 ...
inline Dataset images_of(std::vector<Image> images, std::size_t samples = 1, const std::string& origin = "images") {
  Dataset dataset;
  dataset.origin = origin;
  dataset.identity_column = "identity";
  dataset.labels = LabelTable(origin, images.size());
  std::vector<std::string> people;
  for (std::size_t i = 0; i < images.size(); ++i) people.push_back(origin + " " + std::to_string(i / samples));
  dataset.labels.add_column("identity", people);
  dataset.media = std::make_shared<ImagesInMemory>(std::move(images));
  return dataset;
}

/// `value(x, y, channel)`, rounded.
inline Image drawn(std::size_t width, std::size_t height, std::size_t channels,
                   const std::function<double(double, double, std::size_t)>& value) {
  Image image{width, height, channels, {}};
  for (std::size_t i = 0; i < width * height * channels; ++i) {
    const std::size_t pixel = i / channels;
    image.pixels.push_back(static_cast<std::uint8_t>(std::lround(std::clamp(
        value(static_cast<double>(pixel % width), static_cast<double>(pixel / width), i % channels), 0.0, 255.0))));
  }
  return image;
}

inline Image image_at(const Dataset& dataset, std::size_t row) {
  return std::get<Image>(dataset.media->load(row));
}

/// Mean squared difference of pixels, in grey levels.
inline double squared_difference(const Image& a, const Image& b) {
  BAUTA_ASSERT(a.pixels.size() == b.pixels.size());
  double sum = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i) sum += std::pow(a.pixels[i] - b.pixels[i], 2);
  return sum / static_cast<double>(a.pixels.size());
}

inline double psnr(const Image& a, const Image& b) {
  return 10 * std::log10(255.0 * 255.0 / squared_difference(a, b));
}

/// A soft-edged disc on a slope, at a place of its own for each number.
inline Image disc(std::size_t number, std::size_t width = 48, std::size_t height = 40, std::size_t channels = 1) {
  Stream stream(3, "test.disc", number);
  const double x0 = static_cast<double>(width) * (0.35 + 0.3 * stream.uniform());
  const double y0 = static_cast<double>(height) * (0.35 + 0.3 * stream.uniform());
  const double radius = static_cast<double>(height) * (0.15 + 0.15 * stream.uniform()), tone = 60 * stream.uniform();
  return drawn(width, height, channels, [&](double x, double y, std::size_t c) {
    const double inside = 1 / (1 + std::exp(std::hypot(x - x0, y - y0) - radius));
    return 60 + x + 20 * static_cast<double>(c) + inside * (100 + tone - x);
  });
}

inline std::vector<Image> discs(std::size_t first, std::size_t count, std::size_t width = 48, std::size_t height = 40) {
  std::vector<Image> images;
  for (std::size_t i = 0; i < count; ++i) images.push_back(disc(first + i, width, height));
  return images;
}

/// Masked as `protect` writes it, but in memory.
inline Dataset masked_images(const std::string& technique, const Dataset& dataset) {
  return protect_media(make_protection(technique), dataset, {});
}

/// With what the record tells of the technique.
inline Dataset recover_images(const std::string& recovery, const Dataset& masked, Knowledge knowledge = {}) {
  const std::optional<ResolvedProtection> technique = recorded_protection(masked);
  if (technique) knowledge.technique = &*technique;
  return recover(recovery, masked, knowledge);
}

}  // namespace bauta
