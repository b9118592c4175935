#include <numbers>

#include <gtest/gtest.h>

#include "images.hpp"

namespace bauta {
namespace {

// A cosine that fits between mirrored borders is only made flatter by a blur: by exp(-(sigma w)^2 / 2) for a Gaussian,
// up to where the kernel ends. kernel=9: sigma 1.7; w = pi / 8 in both directions leaves 0.8^2 = 0.64 of it, and 0.5 of
// rounding becomes less than 0.5 / 0.64 + 0.5.
TEST(Deblur, ACosineComesBackToTheRounding) {
  const auto wave = [](double x, double y, std::size_t) {
    return 128 + 90 * std::cos(std::numbers::pi * x / 8) * std::cos(std::numbers::pi * y / 8);
  };
  for (const auto& [width, height] : {std::pair{65, 49}, std::pair{17, 33}}) {  // periods of 16 end at both borders
    const Image image = drawn(static_cast<std::size_t>(width), static_cast<std::size_t>(height), 1, wave);
    const Dataset masked = masked_images("gaussian-blur:kernel=9", images_of({image}));
    const Image back = image_at(recover_images("deblur", masked), 0);
    EXPECT_GT(squared_difference(image, image_at(masked, 0)), 150);
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
      EXPECT_LE(std::abs(int{image.pixels[i]} - int{back.pixels[i]}), 2) << i;
    }
  }
}

TEST(Deblur, ABlurOfOnePixelIsNone) {
  const Dataset masked = masked_images("gaussian-blur:kernel=1", images_of({disc(1, 33, 20, 3)}));
  EXPECT_EQ(image_at(recover_images("deblur", masked), 0), image_at(masked, 0));
  EXPECT_EQ(image_at(masked, 0), disc(1, 33, 20, 3));
}

// Levels as numpy 1.24 finds them for the same filter by dense cosine matrices are the same; a gain of several dB is
// what the noise of rounding leaves.
TEST(Deblur, ComesNearerToTheImageThanTheBlur) {
  const Dataset clear = images_of(discs(10, 4, 64, 48));
  const Dataset masked = masked_images("gaussian-blur:kernel=15", clear);
  const Dataset back = recover_images("deblur", masked);
  for (std::size_t row = 0; row < 4; ++row) {
    const double before = psnr(image_at(masked, row), image_at(clear, row));
    const double after = psnr(image_at(back, row), image_at(clear, row));
    EXPECT_LT(before, 30);
    EXPECT_GT(after, before + 8) << row;
    EXPECT_GT(after, 35) << row;
  }
}

TEST(Deblur, TheKernelFollowsTheWidthOfEachImage) {
  const Image narrow = disc(1, 40, 40), wide = disc(1, 80, 40);
  const Dataset masked = masked_images("gaussian-blur:kernel=20,unit=percent", images_of({narrow, wide}));
  const Dataset back = recover_images("deblur", masked);
  EXPECT_GT(psnr(image_at(back, 0), narrow), psnr(image_at(masked, 0), narrow) + 5);
  EXPECT_GT(psnr(image_at(back, 1), wide), psnr(image_at(masked, 1), wide) + 5);
}

TEST(Deblur, SaysWhatItCannotDo) {
  const Dataset plain = images_of(discs(0, 1));
  EXPECT_NE(error_of([&] { recover_images("deblur", plain); }).find("dataset.toml"), std::string::npos);
  EXPECT_NE(error_of([&] { recover_images("deblur", masked_images("dp-snow", plain)); }).find("no blur"),
            std::string::npos);
  const Dataset line = masked_images("gaussian-blur:kernel=3", images_of({disc(1, 9, 1)}));
  EXPECT_NE(error_of([&] { image_at(recover_images("deblur", line), 0); }).find("9x1"), std::string::npos);
}

}  // namespace
}  // namespace bauta
