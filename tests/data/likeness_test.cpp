#include "bauta/data/likeness.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"

namespace bauta {
namespace {

Image drawn(std::size_t width, std::size_t height, std::size_t channels) {
  Image image{width, height, channels, {}};
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      for (std::size_t c = 0; c < channels; ++c) {
        image.pixels.push_back(static_cast<std::uint8_t>((x * 7 + y * 13 + c * 29 + x * y) % 256));
      }
    }
  }
  return image;
}

Image changed(Image image) {
  for (std::size_t i = 0; i < image.pixels.size(); ++i) {
    const std::size_t c = i % image.channels, x = i / image.channels % image.width,
                      y = i / image.channels / image.width;
    image.pixels[i] = static_cast<std::uint8_t>(image.pixels[i] * 3 / 4 + 20 + (x * x + 3 * y + c) % 17);
  }
  return image;
}

Image noise(std::size_t width, std::size_t height, std::uint64_t seed) {
  Image image{width, height, 1, std::vector<std::uint8_t>(width * height)};
  Stream stream(seed, "noise");
  for (std::uint8_t& pixel : image.pixels) pixel = static_cast<std::uint8_t>(stream.below(256));
  return image;
}

// Expected values: scikit-image 0.19.3 (structural_similarity with the arguments of the header, mean_squared_error,
// peak_signal_noise_ratio) on the same images.
TEST(Likeness, AgreesWithScikitImage) {
  struct Known {
    std::size_t width, height, channels;
    double similarity, ratio, error;
  };
  for (const Known& known : {Known{23, 17, 3, 0.9528660978405602, 22.454854577626513, 369.4833759590793},
                             Known{11, 11, 1, 0.9481022079003744, 23.554111175129485, 286.8595041322314},
                             Known{40, 12, 1, 0.9519914551223773, 22.3145065620512, 381.61875}}) {
    const Image clear = drawn(known.width, known.height, known.channels), made = changed(clear);
    EXPECT_NEAR(ssim(clear, made), known.similarity, 1e-12);
    EXPECT_NEAR(mean_square_error(clear, made), known.error, 1e-9);
    EXPECT_NEAR(psnr(mean_square_error(clear, made)), known.ratio, 1e-12);
  }
}

// The same, the grey image repeated in three channels.
TEST(Likeness, AGreyImageHasNoColourOfItsOwn) {
  const Image colours = drawn(23, 17, 3);
  Image grey{23, 17, 1, {}};
  for (std::size_t i = 0; i < colours.pixels.size(); i += 3) grey.pixels.push_back(colours.pixels[i]);
  EXPECT_NEAR(ssim(grey, changed(colours)), 0.40341566254342776, 1e-12);
  EXPECT_NEAR(mean_square_error(changed(colours), grey), 4396.868712702472, 1e-9);
}

TEST(Likeness, EqualImagesAreAlikeAndUnequalOnesAlikeInBothDirections) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Image one = noise(11 + seed, 11 + seed % 3, seed), other = noise(11 + seed, 11 + seed % 3, seed + 100);
    EXPECT_NEAR(ssim(one, one), 1, 1e-9);
    EXPECT_EQ(mean_square_error(one, one), 0);
    EXPECT_TRUE(std::isinf(psnr(0)));
    EXPECT_NEAR(ssim(one, other), ssim(other, one), 1e-12);
    EXPECT_LT(ssim(one, other), 0.5);
  }
}

// By hand: two constant images of 100 and 110 have no variance, and (2 100 110 + C1) / (100^2 + 110^2 + C1), C1
// = 6.5025.
TEST(Likeness, OfConstantImagesIsKnown) {
  Image one{12, 13, 1, std::vector<std::uint8_t>(12 * 13, 100)}, other = one;
  other.pixels.assign(12 * 13, 110);
  EXPECT_NEAR(ssim(one, other), 22006.5025 / 22106.5025, 1e-9);
  EXPECT_EQ(mean_square_error(one, other), 100);
  EXPECT_NEAR(psnr(100), 28.130803608679106, 1e-12);  // 20 log10(25.5)
}

TEST(Likeness, WhatCannotBeComparedIsRefused) {
  EXPECT_THROW((void)ssim(drawn(12, 12, 1), drawn(12, 13, 1)), Error);
  EXPECT_THROW((void)mean_square_error(drawn(12, 12, 1), drawn(13, 12, 1)), Error);
  EXPECT_THROW((void)ssim(drawn(10, 12, 1), drawn(10, 12, 1)), Error);  // no window
  EXPECT_THROW(
      (void)motion_likeness(Motion{2, 1, std::vector<float>(6), 0, {}}, Motion{2, 2, std::vector<float>(12), 0, {}}),
      Error);
}

/// One joint whose x goes 0 1 2 3, y stands still at 5, z goes 3 1 3 1.
Motion walk() {
  return {.frames = 4, .joints = 1, .positions = {0, 5, 3, 1, 5, 1, 2, 5, 3, 3, 5, 1}, .rate = 0, .names = {}};
}

// By hand: a shift by (3, 4, 0) moves every joint by 5 and no movement.
TEST(Likeness, AShiftMovesJointsAndNoMovement) {
  Motion moved = walk();
  for (std::size_t i = 0; i < moved.positions.size(); ++i)
    moved.positions[i] += i % 3 == 0 ? 3.0F : i % 3 == 1 ? 4.0F : 0.0F;
  const MotionLikeness likeness = motion_likeness(walk(), moved);
  EXPECT_NEAR(likeness.displacement, 5, 1e-6);
  EXPECT_NEAR(likeness.correlation, 1, 1e-12);
  EXPECT_EQ(motion_likeness(walk(), walk()).displacement, 0);
}

// By hand: x turned round correlates by -1, z that stands still by 0; y never moved and does not count: -1 / 2.
TEST(Likeness, WhatDoesNotMoveAnyMoreFollowsNothing) {
  Motion made = walk();
  for (std::size_t frame = 0; frame < 4; ++frame) {
    made.positions[3 * frame] = 3 - made.positions[3 * frame];
    made.positions[3 * frame + 2] = 7;
  }
  EXPECT_NEAR(motion_likeness(walk(), made).correlation, -0.5, 1e-12);
  // One frame stands for all: distances |0 - x| to the first pose along x and z are 0, |(1, 2)|, 2, |(3, 2)|.
  const Motion still{.frames = 1, .joints = 1, .positions = {0, 5, 3}, .rate = 0, .names = {}};
  const MotionLikeness likeness = motion_likeness(walk(), still);
  EXPECT_EQ(likeness.correlation, 0);
  EXPECT_NEAR(likeness.displacement, (0 + std::sqrt(5) + 2 + std::sqrt(13)) / 4, 1e-6);
}

}  // namespace
}  // namespace bauta
