#include <gtest/gtest.h>

#include "images.hpp"

namespace bauta {
namespace {

/// All pixels hidden but those that `keep` takes.
Image hidden(const Image& image, const std::function<bool(std::size_t x, std::size_t y)>& keep, std::uint8_t fill) {
  Image result = image;
  for (std::size_t i = 0; i < image.width * image.height; ++i) {
    if (keep(i % image.width, i / image.width)) continue;
    std::fill_n(result.pixels.begin() + static_cast<std::ptrdiff_t>(i * image.channels), image.channels, fill);
  }
  return result;
}

// Linear interpolation of a plane is that plane, within the hull of what is kept: corners are kept.
TEST(Interpolate, APlaneComesBackAsItWas) {
  const Image plane = drawn(
      31, 20, 3, [](double x, double y, std::size_t c) { return 20 + 2 * x + 5 * y + 10 * static_cast<double>(c); });
  Stream stream(1, "test.kept");
  const Image masked = hidden(
      plane,
      [&](std::size_t x, std::size_t y) {
        return ((x == 0 || x == 30) && (y == 0 || y == 19)) || stream.below(50) == 0;
      },
      127);
  EXPECT_GT(squared_difference(plane, masked), 100);
  EXPECT_EQ(image_at(recover("interpolate:fill=127", images_of({masked})), 0), plane);
}

TEST(Interpolate, WhatTheTechniqueHidIsFoundByWhatIsKnownOfIt) {
  const Dataset clear = images_of(discs(0, 3));
  Dataset masked = masked_images("dp-snow:d=0.1", clear);
  const std::vector<std::string> of_masked = {"guarantee", "guarantee_before", "noise_source", "noise_source_before"};
  for (const std::string& name : of_masked) masked.provenance->properties[name] = "what was said of it";
  const Dataset back = recover_images("interpolate", masked);
  for (const std::string& name : of_masked) EXPECT_FALSE(back.provenance->properties.contains(name)) << name;
  for (std::size_t row = 0; row < 3; ++row) {
    // Grey where nine of ten pixels were, against a surface that is nearly flat between those that stayed.
    EXPECT_LT(psnr(image_at(masked, row), image_at(clear, row)), 20);
    EXPECT_GT(psnr(image_at(back, row), image_at(clear, row)), 27);
    // Kept pixels stay as they are.
    const Image before = image_at(masked, row), after = image_at(back, row);
    for (std::size_t i = 0; i < before.pixels.size(); ++i) {
      if (before.pixels[i] == 127) continue;
      EXPECT_EQ(after.pixels[i], before.pixels[i]);
    }
  }
  EXPECT_EQ(back.provenance->technique, "none");
  EXPECT_EQ(back.provenance->properties.at("recovered_from"), "dp-snow:d=0.1");
  EXPECT_EQ(back.provenance->properties.at("recovered_by"), "interpolate:fill=-1");
}

TEST(Interpolate, WhereNothingOrEverythingIsKept) {
  const Dataset clear = images_of(discs(0, 1));
  const Dataset none = masked_images("dp-snow:d=0", clear);
  EXPECT_EQ(image_at(recover_images("interpolate", none), 0), image_at(none, 0));
  const Image bright = drawn(9, 7, 1, [](double x, double y, std::size_t) { return 130 + x * y; });
  EXPECT_EQ(image_at(recover_images("interpolate", masked_images("dp-snow:d=1", images_of({bright}))), 0), bright);
  const Image one = hidden(
      bright, [](std::size_t x, std::size_t y) { return x == 3 && y == 2; }, 0);
  for (const std::uint8_t value : image_at(recover("interpolate:fill=0", images_of({one})), 0).pixels) {
    EXPECT_EQ(value, 136);
  }
}

TEST(Interpolate, SaysWhatItNeedsToKnow) {
  const Dataset plain = images_of(discs(0, 1));
  EXPECT_NE(error_of([&] { recover_images("interpolate", plain); }).find("fill=127"), std::string::npos);
  EXPECT_NE(error_of([&] { recover_images("interpolate", masked_images("pixelate", plain)); }).find("fill=127"),
            std::string::npos);
}

}  // namespace
}  // namespace bauta
