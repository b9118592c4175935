// Pixelation: the image as a mosaic of few cells, each of one colour.
#include <algorithm>
#include <cmath>

#include "image_protection.hpp"

namespace bauta {
namespace {

/// The cell of a place when `size` places are shared out among `cells`.
std::size_t cell_of(std::size_t place, std::size_t size, std::size_t cells) {
  return place * cells / size;
}

/// Means over exactly the pixels that a cell covers: the mean of the image stays.
std::vector<float> cell_means(const Image& image, std::size_t cells) {
  std::vector<double> sums(cells * cells * image.channels), counts(cells * cells);
  for (std::size_t y = 0; y < image.height; ++y) {
    for (std::size_t x = 0; x < image.width; ++x) {
      const std::size_t cell = cell_of(y, image.height, cells) * cells + cell_of(x, image.width, cells);
      ++counts[cell];
      for (std::size_t c = 0; c < image.channels; ++c) {
        sums[cell * image.channels + c] += image.pixels[(y * image.width + x) * image.channels + c];
      }
    }
  }
  std::vector<float> means(sums.size());
  for (std::size_t i = 0; i < means.size(); ++i) {
    means[i] = static_cast<float>(sums[i] / std::max(counts[i / image.channels], 1.0));
  }
  return means;
}

/// Between which two of `size` places the centre of a cell lies, and how far from the first.
struct Between {
  std::size_t first = 0, second = 0;
  double share = 0;
};

Between centre_of(std::size_t cell, std::size_t size, std::size_t cells) {
  const double last = static_cast<double>(size - 1);
  const double place = (static_cast<double>(cell) + 0.5) * static_cast<double>(size) / static_cast<double>(cells) - 0.5;
  const double inside = std::clamp(place, 0.0, last);
  const double first = std::floor(inside);
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(std::min(first + 1, last)), inside - first};
}

/// What bilinear interpolation finds at the centre of a cell: four pixels, and none of the others.
std::vector<float> cell_centres(const Image& image, std::size_t cells) {
  std::vector<float> values;
  for (std::size_t row = 0; row < cells; ++row) {
    const Between y = centre_of(row, image.height, cells);
    for (std::size_t column = 0; column < cells; ++column) {
      const Between x = centre_of(column, image.width, cells);
      for (std::size_t c = 0; c < image.channels; ++c) {
        const auto at = [&](std::size_t of_y, std::size_t of_x) {
          return double{static_cast<double>(image.pixels[(of_y * image.width + of_x) * image.channels + c])};
        };
        const double above = std::lerp(at(y.first, x.first), at(y.first, x.second), x.share);
        const double below = std::lerp(at(y.second, x.first), at(y.second, x.second), x.share);
        values.push_back(static_cast<float>(std::lerp(above, below, y.share)));
      }
    }
  }
  return values;
}

class Pixelate : public ImageProtection {
 public:
  explicit Pixelate(const Parameters& parameters)
      : ImageProtection("pixelate"),
        cells_(static_cast<std::size_t>(parameters.integer("cells"))),
        by_area_(parameters.text("mode") == "area") {}

 protected:
  [[nodiscard]] Image masked(const Image& image, std::size_t, const ProtectContext&) const override {
    const std::vector<float> cells = by_area_ ? cell_means(image, cells_) : cell_centres(image, cells_);
    std::vector<float> values;
    values.reserve(image.pixels.size());
    for (std::size_t y = 0; y < image.height; ++y) {
      for (std::size_t x = 0; x < image.width; ++x) {
        const std::size_t cell = cell_of(y, image.height, cells_) * cells_ + cell_of(x, image.width, cells_);
        for (std::size_t c = 0; c < image.channels; ++c) values.push_back(cells[cell * image.channels + c]);
      }
    }
    return with_values(image, values);
  }

 private:
  std::size_t cells_;
  bool by_area_;
};

}  // namespace

Entry<Protection> pixelate_protection() {
  return {{.name = "pixelate",
           .paper = "as evaluated in A False Sense of Privacy",
           .doc = "the image as a mosaic of few cells of one colour each",
           .medium = "image",
           .claim = "too few cells are left to recognise a face by; there is no formal guarantee",
           .broken_by = "recognisers that learned from pixelated images: coarse tones still differ between people",
           .parameters = {{"cells", ParameterType::integer, "5", "cells along each edge", 1, 4096},
                          {.name = "mode",
                           .type = ParameterType::choice,
                           .default_value = "area",
                           .doc = "a cell's colour: the mean of its pixels, or of the four in its middle as the code "
                                  "of the evaluation has it",
                           .choices = {"area", "bilinear_ref"}}}},
          [](const Parameters& parameters) { return std::make_unique<Pixelate>(parameters); }};
}

}  // namespace bauta
