#include "../../../src/protect/image/gaussian_blur.hpp"

#include <cmath>
#include <numeric>

#include "images.hpp"

namespace bauta {
namespace {

TEST(GaussianKernel, HasTheDeviationOfItsSize) {
  // sigma = 0.3 * ((size - 1) / 2 - 1) + 0.8: 0.8 for 3, 15.5 for 101. Neighbours of the centre weigh exp(-1 / 2
  // sigma^2) of it, by hand.
  const std::vector<float> three = gaussian_kernel(3);
  EXPECT_NEAR(three[0] / three[1], std::exp(-1 / (2 * 0.8 * 0.8)), 1e-6);
  const std::vector<float> paper = gaussian_kernel(101);
  EXPECT_NEAR(paper[51] / paper[50], std::exp(-1 / (2 * 15.5 * 15.5)), 1e-6);
}

TEST(GaussianKernel, IsSymmetricOfSumOneAndFallsOutwards) {
  for (const std::size_t size : {1U, 3U, 51U, 101U, 227U}) {
    const std::vector<float> kernel = gaussian_kernel(size);
    ASSERT_EQ(kernel.size(), size);
    EXPECT_NEAR(std::accumulate(kernel.begin(), kernel.end(), 0.0), 1, 1e-6) << size;
    for (std::size_t i = 0; i < size / 2; ++i) {
      EXPECT_EQ(kernel[i], kernel[size - 1 - i]);
      EXPECT_LT(kernel[i], kernel[i + 1]);
    }
  }
}

TEST(Mirrored, ShowsNoBorderPixelTwice) {
  // Three places a b c continue as ... b a b c b | a b c | b a b c b ...
  std::string seen;
  for (std::ptrdiff_t place = -6; place <= 8; ++place) seen.push_back("abc"[mirrored(place, 3)]);
  EXPECT_EQ(seen, "cbabcbabcbabcba");
  EXPECT_EQ(mirrored(9, 1), 0U);
}

TEST(GaussianBlur, APointBecomesTheKernel) {
  // Kernel 3: w = exp(-1 / 1.28) / (1 + 2 exp(-1 / 1.28)) = 0.238994 beside 0.522011; products of both times 200,
  // rounded: 0.522011^2 * 200 = 54.50, 0.522011 * 0.238994 * 200 = 24.95, 0.238994^2 * 200 = 11.42.
  Image point{5, 5, 1, std::vector<std::uint8_t>(25, 0)};
  point.pixels[12] = 200;
  const Image blurred = masked("gaussian-blur:kernel=3", point);
  const std::vector<int> row = {blurred.pixels[6], blurred.pixels[7], blurred.pixels[8]};
  EXPECT_EQ(row, (std::vector<int>{11, 25, 11}));
  EXPECT_EQ(blurred.pixels[11], 25);
  EXPECT_NEAR(blurred.pixels[12], 54.5, 0.51);
  EXPECT_EQ(blurred.pixels[0], 0);
  EXPECT_EQ(blurred.pixels[10], 0);
}

TEST(GaussianBlur, TheBorderSeesItsNeighbourTwice) {
  // One row of 0 and 100: the first pixel mirrors the second, 2 * 0.238994 * 100 = 47.80; likewise the second.
  EXPECT_EQ(masked("gaussian-blur:kernel=3", Image{2, 1, 1, {0, 100}}).pixels, (std::vector<std::uint8_t>{48, 52}));
}

TEST(GaussianBlur, AConstantImageStaysAndTheMeanHardlyMoves) {
  const Image flat{30, 20, 3, std::vector<std::uint8_t>(1800, 201)};
  EXPECT_EQ(masked("gaussian-blur:kernel=41", flat), flat);
  const Image noise = noise_image(64, 48, 3);
  EXPECT_NEAR(mean_of(masked("gaussian-blur:kernel=9", noise)), mean_of(noise), 1.0);
  EXPECT_EQ(masked("gaussian-blur:kernel=1", noise), noise);
}

// The definition, in double: each pixel is the mean of all others under the kernel, over both directions at once. Lines
// of 111 values are three runs of 32 and what is left.
TEST(GaussianBlur, IsTheWeightedMeanOfTheNeighbourhood) {
  const Image image = noise_image(37, 13, 3);
  for (const std::size_t size : {3U, 21U, 75U}) {  // the last reaches over the border more than once
    const std::vector<float> kernel = gaussian_kernel(size);
    const auto reach = static_cast<std::ptrdiff_t>(size / 2);
    const Image blurred = masked("gaussian-blur:kernel=" + std::to_string(size), image);
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
      const auto x = static_cast<std::ptrdiff_t>(i / 3 % 37), y = static_cast<std::ptrdiff_t>(i / 111);
      double sum = 0;
      for (std::ptrdiff_t v = -reach; v <= reach; ++v) {
        for (std::ptrdiff_t u = -reach; u <= reach; ++u) {
          const double weight =
              double{kernel[static_cast<std::size_t>(v + reach)]} * double{kernel[static_cast<std::size_t>(u + reach)]};
          sum += weight * image.pixels[(mirrored(y + v, 13) * 37 + mirrored(x + u, 37)) * 3 + i % 3];
        }
      }
      EXPECT_NEAR(blurred.pixels[i], sum, 0.501) << size << " at " << i;
    }
  }
}

TEST(GaussianBlur, ChannelsDoNotMix) {
  Image red = noise_image(16, 16, 3);
  for (std::size_t i = 0; i < red.pixels.size(); i += 3) red.pixels[i + 1] = red.pixels[i + 2] = 9;
  const Image blurred = masked("gaussian-blur:kernel=5", red);
  for (std::size_t i = 0; i < blurred.pixels.size(); i += 3) ASSERT_EQ(blurred.pixels[i + 1], 9);
}

TEST(GaussianBlur, TheDefaultGrowsWithTheImageAsInThePaper) {
  // 101 for 224 pixels; 2 * floor(112 * 101 / 448) + 1 = 51 for 112.
  EXPECT_EQ(masked("gaussian-blur", noise_image(224, 8, 1)),
            masked("gaussian-blur:kernel=101", noise_image(224, 8, 1)));
  EXPECT_EQ(masked("gaussian-blur", noise_image(112, 8, 1)), masked("gaussian-blur:kernel=51", noise_image(112, 8, 1)));
  // The scaled mode: 2 * floor(224 * 45 / 200) + 1 = 101, with 101 percent 227.
  const Image image = noise_image(224, 8, 1);
  EXPECT_EQ(masked("gaussian-blur:kernel=45,unit=percent", image), masked("gaussian-blur:kernel=101", image));
  EXPECT_EQ(masked("gaussian-blur:kernel=101,unit=percent", image), masked("gaussian-blur:kernel=227", image));
}

TEST(GaussianBlur, AnEvenKernelIsRefused) {
  EXPECT_NE(error_of([] { make_protection("gaussian-blur:kernel=4"); }).find("3 or 5"), std::string::npos);
  EXPECT_NE(error_of([] { make_protection("gaussian-blur:unit=percent"); }), "no error");
}

}  // namespace
}  // namespace bauta
