// The search itself is tested where the network is (deep/face_net_test.cpp). The weights come from npm; without them
// these tests say that they skipped.
#include <cmath>

#include "../../data/scratch.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/deep/face_net.hpp"
#include "images.hpp"

namespace bauta {
namespace {

using test::expect_contains;

class Fawkes : public testing::Test {
 protected:
  void SetUp() override {
    try {
      (void)load_face_net();
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
  }
};

/// Soft spots, as a crop may have them.
Image soft_image(std::size_t width, std::size_t height, std::size_t channels) {
  Image image{width, height, channels, {}};
  for (std::size_t i = 0; i < width * height * channels; ++i) {
    const auto x = static_cast<double>(i / channels % width), y = static_cast<double>(i / channels / width);
    image.pixels.push_back(static_cast<std::uint8_t>(128 + 60 * std::sin(x / 5) + 50 * std::cos(y / 4 + x / 9)));
  }
  return image;
}

class EveryCloak : public Fawkes, public testing::WithParamInterface<std::string> {};

TEST_P(EveryCloak, ValuesMoveByFifteenAtMost) {
  for (const Image& image : {soft_image(48, 48, 3), soft_image(40, 40, 1)}) {
    const Image result = masked(GetParam(), image);
    ASSERT_EQ(result.pixels.size(), image.pixels.size());
    int furthest = 0;
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
      furthest = std::max(furthest, std::abs(result.pixels[i] - image.pixels[i]));
    }
    EXPECT_LE(furthest, 15);
    EXPECT_GE(furthest, 1);
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryCloak, testing::Values("fawkes:steps=3,mode=high", "fawkes:steps=3,mode=mid"));

// The network's square of 160 pixels, 1.45 to one of a crop of 112, reaches from (5, 20) of it to its other edges.
TEST_F(Fawkes, TheFaceIsWhereAnAlignedCropHasIt) {
  const Image image = soft_image(112, 112, 1), cloaked = masked("fawkes:steps=3,mode=high", image);
  const auto moved = [&](std::size_t left, std::size_t top, std::size_t width, std::size_t height) {
    int sum = 0;
    for (std::size_t y = top; y < top + height; ++y) {
      for (std::size_t x = left; x < left + width; ++x) {
        sum += std::abs(cloaked.pixels[y * 112 + x] - image.pixels[y * 112 + x]);
      }
    }
    return sum;
  };
  EXPECT_EQ(moved(0, 0, 3, 112), 0);
  EXPECT_EQ(moved(0, 0, 112, 18), 0);
  for (const std::size_t left : {10U, 84U}) {
    for (const std::size_t top : {25U, 84U}) EXPECT_GT(moved(left, top, 24, 24), 0) << left << " " << top;
  }
}

TEST_F(Fawkes, WithoutRoomNothingChanges) {
  EXPECT_EQ(masked("fawkes:steps=3,threshold=0", soft_image(32, 32, 3)), soft_image(32, 32, 3));
}

TEST_F(Fawkes, SeedAndSampleDecideWhereTheSearchBegins) {
  const Image image = soft_image(32, 32, 1);
  const auto result = [&](std::size_t sample, std::uint64_t seed) {
    return std::get<Image>(
        make_protection("fawkes:steps=3,mode=high")->mask(image, sample, {.randomness = Randomness::seeded(seed)}));
  };
  const Image first = result(0, 1);
  EXPECT_EQ(result(0, 1), first);
  EXPECT_NE(result(1, 1), first);
  EXPECT_NE(result(0, 2), first);
  std::vector<Image> again(3);
  parallel_for(3, [&](std::size_t i, int) { again[i] = result(0, 1); });
  for (const Image& image_again : again) EXPECT_EQ(image_again, first);
}

TEST_F(Fawkes, CropsAreSquareAndWholeImagesNeedNotBe) {
  const Image wide = soft_image(40, 30, 3);
  expect_contains(test::input_error([&] { (void)masked("fawkes:steps=2", wide); }), "needs a square crop, not 40 x 30");
  const Image result = masked("fawkes:steps=3,mode=high,frame=whole", wide);
  EXPECT_EQ(result.width, 40U);
  EXPECT_EQ(result.height, 30U);
  EXPECT_NE(result, wide);
  expect_contains(test::input_error([&] { (void)masked("fawkes:steps=2", soft_image(10, 10, 3)); }), "too few");
}

TEST(FawkesWeights, WhatIsMissingIsSaidBeforeAnyWorkIsDone) {
  const test::Scratch scratch;
  scratch.write("other.bin", "x");
  const Dataset data = dataset_of(gaussian_templates(1, 4), 1);
  expect_contains(
      test::error_of(Fault::environment,
                     [&] { (void)make_protection("fawkes:models=" + scratch.path().string())->among(data, {}, {}); }),
      "make setup installs them");
}

}  // namespace
}  // namespace bauta
