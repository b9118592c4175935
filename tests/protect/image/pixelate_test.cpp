#include "images.hpp"

namespace bauta {
namespace {

using Pixels = std::vector<std::uint8_t>;

TEST(Pixelate, ACellIsTheMeanOfItsPixels) {
  // Two cells each way of 4 x 2: means of 2 x 1 pixels, 1.5 and 5 above, 20 and 250.5 below; halves round up.
  const Image image{4, 2, 1, {1, 2, 4, 6, 10, 30, 250, 251}};
  EXPECT_EQ(masked("pixelate:cells=2", image).pixels, (Pixels{2, 2, 5, 5, 20, 20, 251, 251}));
}

TEST(Pixelate, CellsOfUnequalSizeShareAllPixels) {
  // Five pixels in two cells: floor(2 x / 5) puts three into the first.
  EXPECT_EQ(masked("pixelate:cells=2", Image{5, 1, 1, {0, 3, 6, 10, 20}}).pixels, (Pixels{3, 3, 3, 15, 15}));
}

TEST(Pixelate, BilinearSeesTheMiddleOfACellOnly) {
  // One cell of four pixels: its centre lies between the second and the third, (10 + 30) / 2 = 20; the mean is 60.
  const Image row{4, 1, 1, {100, 10, 30, 100}};
  EXPECT_EQ(masked("pixelate:cells=1,mode=bilinear_ref", row).pixels, Pixels(4, 20));
  EXPECT_EQ(masked("pixelate:cells=1", row).pixels, Pixels(4, 60));
  // Two cells of three pixels: centres at 1 and 4.
  EXPECT_EQ(masked("pixelate:cells=2,mode=bilinear_ref", Image{6, 1, 1, {0, 11, 0, 0, 44, 0}}).pixels,
            (Pixels{11, 11, 11, 44, 44, 44}));
}

// Of a plane 40 x + 20 y + 30 c, interpolation gives its value anywhere: centres of two cells of three pixels lie at
// 0.25 and 1.75.
TEST(Pixelate, BilinearFollowsAPlaneBetweenPixels) {
  Image plane{3, 3, 3, {}};
  for (std::size_t i = 0; i < 27; ++i) {
    plane.pixels.push_back(static_cast<std::uint8_t>(40 * (i / 3 % 3) + 20 * (i / 9) + 30 * (i % 3)));
  }
  const Image result = masked("pixelate:cells=2,mode=bilinear_ref", plane);
  for (std::size_t y = 0; y < 3; ++y) {
    for (std::size_t x = 0; x < 3; ++x) {
      // floor(2 x / 3): the first two pixels see the first cell.
      const double expected = 40 * (x < 2 ? 0.25 : 1.75) + 20 * (y < 2 ? 0.25 : 1.75);
      for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_EQ(result.pixels[(y * 3 + x) * 3 + c], expected + 30 * static_cast<double>(c)) << x << " " << y;
      }
    }
  }
}

TEST(Pixelate, AConstantImageStaysTheMeanStaysAndTwiceIsOnce) {
  for (const std::string mode : {"area", "bilinear_ref"}) {
    const Image flat{17, 23, 3, Pixels(17 * 23 * 3, 77)};
    EXPECT_EQ(masked("pixelate:mode=" + mode, flat), flat);
  }
  const Image noise = noise_image(112, 112, 3);
  const Image mosaic = masked("pixelate", noise);
  EXPECT_NEAR(mean_of(mosaic), mean_of(noise), 0.5);
  EXPECT_EQ(masked("pixelate", mosaic), mosaic);
}

TEST(Pixelate, AsManyCellsAsPixelsLeaveTheImage) {
  const Image noise = noise_image(9, 9, 1);
  EXPECT_EQ(masked("pixelate:cells=9", noise), noise);
  EXPECT_EQ(masked("pixelate:cells=40", noise), noise);
}

}  // namespace
}  // namespace bauta
