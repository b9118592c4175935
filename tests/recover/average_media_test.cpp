#include <gtest/gtest.h>

#include "bauta/core/parallel.hpp"
#include "images.hpp"

namespace bauta {
namespace {

Image noisy(std::size_t number, double deviation) {
  Stream stream(4, "test.noise", number);
  return drawn(64, 64, 1, [&](double, double, std::size_t) { return 128 + deviation * stream.normal(); });
}

std::vector<Image> noisy_images(std::size_t count) {
  std::vector<Image> images;
  for (std::size_t i = 0; i < count; ++i) images.push_back(noisy(i, 20));
  return images;
}

// Variance 400 of an image, 400 / n + 1 / 12 of a mean of n that is rounded again; over 4,096 pixels its relative
// deviation is sqrt(2 / 4096) = 2 %.
TEST(AverageMedia, NoiseFallsWithTheNumberOfImages) {
  const Image flat = drawn(64, 64, 1, [](double, double, std::size_t) { return 128; });
  for (const std::size_t times : {1U, 4U, 16U}) {
    const Dataset back = recover("average-media", images_of(noisy_images(times), times));
    EXPECT_NEAR(squared_difference(image_at(back, 0), flat), 400.0 / static_cast<double>(times) + 1.0 / 12,
                0.09 * 400 / static_cast<double>(times));
  }
  const Dataset four = recover("average-media:most=4", images_of(noisy_images(16), 16));
  EXPECT_NEAR(squared_difference(image_at(four, 0), flat), 100, 9);
}

TEST(AverageMedia, OnlyImagesOfOnePersonArePutTogether) {
  const Image dark = drawn(3, 2, 1, [](double, double, std::size_t) { return 10; });
  const Image light = drawn(3, 2, 1, [](double, double, std::size_t) { return 21; });
  const Image other = drawn(3, 2, 1, [](double, double, std::size_t) { return 200; });
  const Image wide = drawn(2, 3, 1, [](double, double, std::size_t) { return 90; });
  Dataset images = images_of({dark, other, light, Image{}, wide});
  images.labels.replace_column("identity", {"a", "b", "a", "a", "a"});
  const Dataset back = recover("average-media", images);
  // (10 + 21) / 2 = 15.5 is rounded up; what cannot be read, or has another size, is passed over.
  EXPECT_EQ(image_at(back, 0).pixels, std::vector<std::uint8_t>(6, 16));
  EXPECT_EQ(image_at(back, 2).pixels, std::vector<std::uint8_t>(6, 16));
  EXPECT_EQ(image_at(back, 1), other);
  EXPECT_EQ(image_at(back, 4), wide);
  // Whoever has no name is alone.
  images.labels.replace_column("identity", {"", "b", "", "a", "a"});
  EXPECT_EQ(image_at(recover("average-media", images), 0), dark);
}

TEST(AverageMedia, TheColumnIsNamed) {
  Dataset images = images_of(noisy_images(4));
  EXPECT_NE(error_of([&] { recover("average-media:by=original", images); }).find("'original'"), std::string::npos);
  images.labels.add_column("original", {"1", "1", "2", "2"});
  const Dataset back = recover("average-media:by=original", images);
  EXPECT_EQ(image_at(back, 0), image_at(back, 1));
  EXPECT_NE(image_at(back, 0), image_at(back, 2));
}

}  // namespace
}  // namespace bauta
