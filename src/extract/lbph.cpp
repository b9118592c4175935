// Histograms of local binary patterns, as OpenCV's LBPHFaceRecognizer makes them: each pixel is a number whose bits say
// which of its neighbours on a circle are as bright, and cells of a grid are histograms of these numbers.
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "bauta/extract/extractor.hpp"
#include "resized.hpp"

namespace bauta {
namespace {

/// Grey levels.
struct Grey {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<std::uint8_t> levels;

  [[nodiscard]] float at(std::int64_t y, std::int64_t x) const {
    return levels[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)];
  }
};

Grey grey_of(const Image& image, std::size_t size) {
  if (size > 0) {
    Grey grey{size, size, {}};
    for (const float value : resized(image, size, 1)) {
      grey.levels.push_back(static_cast<std::uint8_t>(std::lround(value * 255)));
    }
    return grey;
  }
  if (image.channels == 1) return {image.width, image.height, image.pixels};
  Grey grey{image.width, image.height, {}};
  for (std::size_t i = 0; i < image.pixels.size(); i += 3) {
    const std::uint8_t* const pixel = image.pixels.data() + i;
    grey.levels.push_back(
        static_cast<std::uint8_t>(std::lround(0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2])));
  }
  return grey;
}

/// Where a neighbour lies between four pixels. Single precision, as there: it decides about near ties.
struct Sample {
  std::int64_t left, right, above, below;
  std::array<float, 4> weights;

  Sample(std::int64_t radius, std::size_t neighbour, std::size_t neighbours) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(neighbour) / static_cast<double>(neighbours);
    const auto x = static_cast<float>(static_cast<double>(radius) * std::cos(angle));
    const auto y = static_cast<float>(-static_cast<double>(radius) * std::sin(angle));
    left = static_cast<std::int64_t>(std::floor(x));
    right = static_cast<std::int64_t>(std::ceil(x));
    above = static_cast<std::int64_t>(std::floor(y));
    below = static_cast<std::int64_t>(std::ceil(y));
    const float across = x - static_cast<float>(left);
    const float down = y - static_cast<float>(above);
    weights = {(1 - across) * (1 - down), across * (1 - down), (1 - across) * down, across * down};
  }

  [[nodiscard]] float of(const Grey& grey, std::int64_t y, std::int64_t x) const {
    return weights[0] * grey.at(y + above, x + left) + weights[1] * grey.at(y + above, x + right) +
           weights[2] * grey.at(y + below, x + left) + weights[3] * grey.at(y + below, x + right);
  }
};

/// Bins of the patterns: each its own; or one for each that changes at most twice around the circle, in ascending
/// order, and a last one for all others (Ojala et al. 2002).
std::vector<std::uint32_t> bins_of(std::size_t neighbours, bool uniform, std::size_t& count) {
  const std::uint32_t patterns = 1U << neighbours;
  std::vector<std::uint32_t> bins(patterns);
  std::uint32_t next = 0;
  const auto own = [&](std::uint32_t pattern) {
    const std::uint32_t turned = (pattern >> 1U) | ((pattern & 1U) << (neighbours - 1));
    return !uniform || std::popcount(pattern ^ turned) <= 2;
  };
  for (std::uint32_t pattern = 0; pattern < patterns; ++pattern) {
    if (own(pattern)) bins[pattern] = next++;
  }
  for (std::uint32_t pattern = 0; pattern < patterns; ++pattern) {
    if (!own(pattern)) bins[pattern] = next;
  }
  count = next + (uniform && next < patterns ? 1 : 0);
  return bins;
}

class Lbph : public Extractor {
 public:
  explicit Lbph(const Parameters& parameters)
      : size_(static_cast<std::size_t>(parameters.integer("size"))),
        grid_(static_cast<std::size_t>(parameters.integer("grid"))),
        radius_(parameters.integer("radius")),
        bins_(bins_of(static_cast<std::size_t>(parameters.integer("neighbours")),
                      parameters.text("patterns") == "uniform", count_)) {
    const auto neighbours = static_cast<std::size_t>(parameters.integer("neighbours"));
    for (std::size_t n = 0; n < neighbours; ++n) samples_.emplace_back(radius_, n, neighbours);
  }

  [[nodiscard]] std::optional<std::vector<float>> extract(const Medium& medium) const override {
    const Grey grey = grey_of(medium_as<Image>(medium, "lbph"), size_);
    const auto margin = static_cast<std::size_t>(2 * radius_);
    if (grey.width < margin + grid_ || grey.height < margin + grid_) {
      throw_input("lbph", fmt::format("an image of {} x {} pixels has no pixel for each of {} x {} cells", grey.width,
                                      grey.height, grid_, grid_));
    }
    // What is left over when patterns are cut into cells belongs to none.
    const std::size_t cell_width = (grey.width - margin) / grid_;
    const std::size_t cell_height = (grey.height - margin) / grid_;
    std::vector<float> histograms(grid_ * grid_ * count_, 0.0F);
    for (std::size_t y = 0; y < cell_height * grid_; ++y) {
      for (std::size_t x = 0; x < cell_width * grid_; ++x) {
        const std::size_t cell = y / cell_height * grid_ + x / cell_width;
        ++histograms[cell * count_ + bins_[pattern(grey, y, x)]];
      }
    }
    const auto pixels = static_cast<float>(cell_width * cell_height);
    for (float& value : histograms) value /= pixels;
    return histograms;
  }

 private:
  [[nodiscard]] std::uint32_t pattern(const Grey& grey, std::size_t row, std::size_t column) const {
    const std::int64_t y = static_cast<std::int64_t>(row) + radius_;
    const std::int64_t x = static_cast<std::int64_t>(column) + radius_;
    const float centre = grey.at(y, x);
    std::uint32_t bits = 0;
    for (std::size_t n = 0; n < samples_.size(); ++n) {
      const float value = samples_[n].of(grey, y, x);
      const bool as_bright = value > centre || std::abs(value - centre) < std::numeric_limits<float>::epsilon();
      bits |= static_cast<std::uint32_t>(as_bright) << n;
    }
    return bits;
  }

  std::size_t size_;
  std::size_t grid_;
  std::int64_t radius_;
  std::size_t count_ = 0;
  std::vector<std::uint32_t> bins_;
  std::vector<Sample> samples_;
};

}  // namespace

Entry<Extractor> lbph_extractor() {
  return {{.name = "lbph",
           .paper = "Ahonen, Hadid, Pietikainen 2006, Face Description with Local Binary Patterns",
           .doc = "histograms of local binary patterns in the cells of a grid; compare them with chi-square",
           .medium = "image",
           .parameters = {{"size", ParameterType::integer, "0",
                           "edge of the square that the image is stretched to first; 0: as it is", 0, 1024},
                          {"grid", ParameterType::integer, "8", "cells across and down", 1, 64},
                          {"radius", ParameterType::integer, "1", "of the circle of neighbours, in pixels", 1, 100},
                          {"neighbours", ParameterType::integer, "8", "on that circle", 2, 12},
                          {.name = "patterns",
                           .type = ParameterType::choice,
                           .default_value = "all",
                           .doc = "a bin for every pattern, or for those that change at most twice around the circle "
                                  "and one for all others (59 of 8 neighbours)",
                           .choices = {"all", "uniform"}}}},
          [](const Parameters& parameters) { return std::make_unique<Lbph>(parameters); }};
}

}  // namespace bauta
