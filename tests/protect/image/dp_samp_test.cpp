#include "images.hpp"

namespace bauta {
namespace {

/// White with so many black pixels, which stand apart from the border.
Image spotted(std::size_t width, std::size_t height, std::size_t black) {
  Image image{width, height, 3, std::vector<std::uint8_t>(width * height * 3, 255)};
  for (std::size_t i = 0; i < black; ++i) std::fill_n(image.pixels.data() + (width * 40 + i) * 3, 3, std::uint8_t{0});
  return image;
}

TEST(DpSamp, AFlatImageStays) {
  const Image image{30, 20, 3, std::vector<std::uint8_t>(30 * 20 * 3, 77)};
  EXPECT_EQ(masked("dp-samp", image), image);
}

TEST(DpSamp, AClusterShowsWhatItCanAfford) {
  // One pixel of f costs log(f / (f - 12)), the budget is 5 f / 224^2: 0.03489 > 0.03488 at 350, 0.03479 < 0.03498 at
  // 351. The pixel that is shown has the colour of its cluster, and nothing between two white ones is black.
  EXPECT_EQ(masked("dp-samp", spotted(224, 224, 350)), spotted(224, 224, 0));
  const Image shown = masked("dp-samp", spotted(224, 224, 351));
  std::size_t black = 0;
  for (std::size_t i = 0; i < shown.pixels.size(); i += 3) black += shown.pixels[i] == 0;
  EXPECT_EQ(black, 1U);
}

TEST(DpSamp, MGrowsWithTheArea) {
  // In a quarter of the pixels three stand for twelve: one pixel of f costs log(f / (f - 3)), the budget is
  // 5 f / 112^2: 0.03509 > 0.03468 at 87, 0.03469 < 0.03508 at 88. Two would cost 0.0698.
  for (const auto& [f, shown] : {std::pair<std::size_t, std::size_t>{87, 0}, {88, 1}}) {
    const Image result = masked("dp-samp", spotted(112, 112, f));
    std::size_t black = 0;
    for (std::size_t i = 0; i < result.pixels.size(); i += 3) black += result.pixels[i] == 0;
    EXPECT_EQ(black, shown) << f;
  }
  const auto m = [](const char* technique, std::size_t width, std::size_t height) {
    return make_protection(technique)->in_pixels({width, height, 3}).at("m");
  };
  EXPECT_EQ(m("dp-samp", 224, 224), 12U);
  EXPECT_EQ(m("dp-samp", 256, 120), 7U);  // 12 * 30720 / 50176 = 7.35
  EXPECT_EQ(m("dp-samp", 20, 20), 1U);    // 0.1, but not less than one
  EXPECT_EQ(m("dp-samp:m=12", 20, 20), 12U);
}

TEST(DpSamp, NothingAffordedShowsNothing) {
  // A cluster of at most m pixels shows none.
  const Image image = noise_image(3, 2, 3);
  EXPECT_EQ(masked("dp-samp", image), (Image{3, 2, 3, std::vector<std::uint8_t>(18, 127)}));
  // log(600 / (600 - 12 - x ...)) at x = 1 is 0.0202, more than the whole budget.
  EXPECT_EQ(masked("dp-samp:m=12,epsilon=0.02", Image{30, 20, 1, std::vector<std::uint8_t>(600, 9)}),
            (Image{30, 20, 1, std::vector<std::uint8_t>(600, 127)}));
  EXPECT_EQ(masked("dp-samp:m=12,epsilon=0.021", Image{30, 20, 1, std::vector<std::uint8_t>(600, 9)}),
            (Image{30, 20, 1, std::vector<std::uint8_t>(600, 9)}));
}

TEST(DpSamp, ARampStaysARamp) {
  // 256 columns of one grey each. Clusters hold about 11 columns, centres are off by at most 6, and so is what is
  // interpolated between samples; where no sample is near, the slope hides less than two clusters.
  Image image{256, 120, 1, {}};
  for (std::size_t i = 0; i < 256 * 120; ++i) image.pixels.push_back(static_cast<std::uint8_t>(i % 256));
  const Image result = masked("dp-samp:epsilon=50", image);
  double off = 0;
  for (std::size_t i = 0; i < image.pixels.size(); ++i) off += std::abs(int{result.pixels[i]} - int{image.pixels[i]});
  EXPECT_LT(off / static_cast<double>(image.pixels.size()), 11);
  EXPECT_NE(result, image);
}

TEST(DpSamp, PixelsFarFromTheirCentreAreNeverShown) {
  // One cluster of 0 and 100 has its centre at 50: nobody is within 30.
  Image image{40, 30, 1, {}};
  for (std::size_t i = 0; i < 1200; ++i) image.pixels.push_back(i % 2 == 0 ? 0 : 100);
  EXPECT_EQ(masked("dp-samp:k=1", image), (Image{40, 30, 1, std::vector<std::uint8_t>(1200, 127)}));
  EXPECT_EQ(masked("dp-samp:k=1,threshold=50", image), (Image{40, 30, 1, std::vector<std::uint8_t>(1200, 50)}));
}

}  // namespace
}  // namespace bauta
