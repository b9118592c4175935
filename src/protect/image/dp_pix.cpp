// DP-Pix (Fan 2018): a mosaic whose cells carry Laplace noise. Two images are neighbours if they differ in at most m
// pixels. Changing m_b pixels of a block of n moves its mean by at most 255 m_b / n, so noise of the scale
// 255 m / (n epsilon) in each block makes the whole grey image epsilon-differentially private, also where blocks at the
// edge have fewer pixels than the others.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "image_protection.hpp"

namespace bauta {
namespace {

/// Of mean 0 and the given scale, by its inverse distribution function.
double laplace(Stream& stream, double scale) {
  const double u = stream.uniform() - 0.5 + 0x1.0p-54;  // between the grid's points: never at either end
  return (u < 0 ? 1 : -1) * scale * std::log(1 - 2 * std::abs(u));
}

class DpPix : public ImageProtection {
 public:
  explicit DpPix(const Parameters& parameters)
      : ImageProtection("dp-pix"),
        epsilon_(parameters.real("epsilon")),
        block_(static_cast<std::size_t>(parameters.integer("block"))),
        neighbours_(static_cast<double>(parameters.integer("m"))),
        quantize_(quantize_of(parameters)) {}

  /// Each channel has noise of its own, and neighbours may differ in all of them.
  [[nodiscard]] Guarantee guarantee(const ImageShape& shape) const override {
    const auto channels = static_cast<double>(shape.channels);
    return {.kind = Guarantee::Kind::differential_privacy,
            .epsilon = channels * epsilon_,
            .pixels = in_pixels(shape).at("m"),
            .remark = shape.channels == 1 ? "" : fmt::format("{:g} in each of {} channels", epsilon_, shape.channels)};
  }
  [[nodiscard]] std::map<std::string, std::size_t> in_pixels(const ImageShape& shape) const override {
    const std::size_t block = block_for(shape.width);
    return {{"block", block}, {"m", static_cast<std::size_t>(neighbours_for(block))}};
  }

 protected:
  [[nodiscard]] Image masked(const Image& image, std::size_t sample, const ProtectContext& context) const override {
    const std::size_t block = block_for(image.width);
    const double m = neighbours_for(block);
    Stream stream = context.randomness.stream("dp-pix", sample);
    Image result = image;
    for (std::size_t top = 0; top < image.height; top += block) {
      for (std::size_t left = 0; left < image.width; left += block) {
        const std::size_t bottom = std::min(top + block, image.height), right = std::min(left + block, image.width);
        const auto pixels = static_cast<double>((bottom - top) * (right - left));
        for (std::size_t c = 0; c < image.channels; ++c) {
          const auto at = [&](std::size_t y, std::size_t x) { return (y * image.width + x) * image.channels + c; };
          double sum = 0;
          for (std::size_t y = top; y < bottom; ++y) {
            for (std::size_t x = left; x < right; ++x) sum += image.pixels[at(y, x)];
          }
          const double noise = laplace(stream, 255 * m / (pixels * epsilon_));
          const std::uint8_t value = to_pixel(static_cast<float>(sum / pixels + noise), quantize_);
          for (std::size_t y = top; y < bottom; ++y) {
            for (std::size_t x = left; x < right; ++x) result.pixels[at(y, x)] = value;
          }
        }
      }
    }
    return result;
  }

 private:
  [[nodiscard]] std::size_t block_for(std::size_t width) const { return length_for(block_, 12, width); }
  [[nodiscard]] double neighbours_for(std::size_t block) const {
    // The paper's 16 pixels are a ninth of its blocks.
    return neighbours_ > 0 ? neighbours_ : std::max(1.0, std::round(static_cast<double>(block * block) / 9));
  }

  double epsilon_;
  std::size_t block_;
  double neighbours_;
  Quantize quantize_;
};

}  // namespace

Entry<Protection> dp_pix_protection() {
  return {{.name = "dp-pix",
           .paper = "Fan 2018, Image Pixelization with Differential Privacy",
           .doc = "a mosaic whose cells carry Laplace noise",
           .medium = "image",
           .claim = "epsilon-differential privacy of any m pixels of a grey image; a colour image has noise in each of "
                    "its three channels and gets 3 epsilon; nothing is promised of a person with several images",
           .broken_by = "recognisers that learned from such mosaics where epsilon is large; means over several images",
           .parameters =
               {{"epsilon", ParameterType::real, "2", "privacy budget of an image and channel", 1e-6, 1e9},
                {"block", ParameterType::integer, "0",
                 "edge of a cell in pixels; 0: 12 in faces 224 pixels wide, and in proportion for others", 0, 100000},
                {"m", ParameterType::integer, "0",
                 "pixels by which neighbouring images may differ; 0: a ninth of a cell, the paper's 16 of 144", 0, 1e9},
                quantize_parameter()}},
          [](const Parameters& parameters) { return std::make_unique<DpPix>(parameters); }};
}

}  // namespace bauta
