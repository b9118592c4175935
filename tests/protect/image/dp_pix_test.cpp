#include <cmath>

#include "images.hpp"

namespace bauta {
namespace {

using Pixels = std::vector<std::uint8_t>;

/// The value of the only cell of a grey image of one tone, for samples 0 to count - 1.
std::vector<double> cells(const std::string& technique, std::size_t edge, std::size_t count) {
  const Image image{edge, edge, 1, Pixels(edge * edge, 128)};
  const auto mask = make_protection(technique);
  std::vector<double> values;
  for (std::size_t sample = 0; sample < count; ++sample) {
    values.push_back(std::get<Image>(mask->mask(image, sample, {})).pixels[0]);
  }
  return values;
}

double variance_about(const std::vector<double>& values, double centre) {
  double sum = 0;
  for (const double value : values) sum += (value - centre) * (value - centre);
  return sum / static_cast<double>(values.size());
}

// The scale is 255 * 16 / (144 * 2) = 14.1667 with the paper's parameters, the variance of Laplace noise twice its
// square: 401.4, and 1/12 from rounding. Its fourth moment is 24 scale^4, so that of 20,000 draws the standard error of
// the variance is scale^2 * sqrt(20 / 20000): 6.3. Clamping at 8.99 and 8.96 scales takes less than 0.1.
TEST(DpPix, NoiseHasTheScaleOfTheDefinition) {
  const double scale = 255.0 * 16 / (144 * 2);
  const std::vector<double> values = cells("dp-pix:epsilon=2,block=12,m=16", 12, 20000);
  EXPECT_NEAR(variance_about(values, 128), 2 * scale * scale + 1.0 / 12, 4 * 6.4);
  // Laplace, not normal: P(|noise| < 0.5 scale) = 1 - exp(-1/2) = 0.3935; a normal of that variance has 0.276.
  double near = 0;
  for (const double value : values) near += std::abs(value - 128) <= 7 ? 1.0 / 20000 : 0;  // up to 7.5 before rounding
  EXPECT_NEAR(near, 1 - std::exp(-7.5 / scale), 4 * std::sqrt(0.25 / 20000));
}

TEST(DpPix, MGrowsWithTheBlock) {
  // A ninth of a cell, so the noise of cells of any size has the scale 255 / (9 epsilon); 255 / 72 = 3.54 here.
  const double scale = 255.0 / 72;
  for (const std::size_t edge : {6U, 24U}) {
    const std::vector<double> values = cells("dp-pix:epsilon=8,block=" + std::to_string(edge), edge, 5000);
    EXPECT_NEAR(variance_about(values, 128), 2 * scale * scale + 1.0 / 12, 0.1 * 2 * scale * scale) << edge;
  }
  // A ninth of 4 pixels is none; at least one is hidden: 255 / (4 * 8).
  const double least = 255.0 / 32;
  EXPECT_NEAR(variance_about(cells("dp-pix:epsilon=8,block=2", 2, 5000), 128), 2 * least * least + 1.0 / 12,
              0.1 * 2 * least * least);
}

TEST(DpPix, CellsAtTheEdgeCarryTheNoiseOfTheirSize) {
  // 5 x 3 in blocks of 4: the cell at the right has 3 pixels of one column, where the whole one has 12. Four times the
  // noise, sixteen times the variance.
  const Image image{5, 3, 1, Pixels(15, 128)};
  const auto mask = make_protection("dp-pix:epsilon=8,block=4,m=1");
  std::vector<double> whole, edge;
  for (std::size_t sample = 0; sample < 5000; ++sample) {
    const Image result = std::get<Image>(mask->mask(image, sample, {}));
    whole.push_back(result.pixels[0]);
    edge.push_back(result.pixels[4]);
    for (std::size_t y = 0; y < 3; ++y) {
      for (std::size_t x = 0; x < 5; ++x) EXPECT_EQ(result.pixels[y * 5 + x], x < 4 ? whole.back() : edge.back());
    }
  }
  const double small = 255.0 / (12 * 8), large = 255.0 / (3 * 8);
  EXPECT_NEAR(variance_about(whole, 128) / (2 * small * small + 1.0 / 12), 1, 0.1);
  EXPECT_NEAR(variance_about(edge, 128) / (2 * large * large + 1.0 / 12), 1, 0.1);
}

TEST(DpPix, WithoutNoiseItIsAMosaic) {
  // Blocks of two: means 2.5 and 6.5 round up.
  const Image image{4, 2, 1, {1, 2, 5, 6, 3, 4, 7, 8}};
  EXPECT_EQ(masked("dp-pix:epsilon=1e9,block=2,m=1", image).pixels, (Pixels{3, 3, 7, 7, 3, 3, 7, 7}));
}

TEST(DpPix, ValuesAreRoundedHalfUpOrTruncated) {
  // Blocks of two: means 2.5 and 6.75.
  const Image image{4, 2, 1, {1, 2, 6, 7, 3, 4, 7, 7}};
  EXPECT_EQ(masked("dp-pix:epsilon=1e9,block=2,m=1", image).pixels, (Pixels{3, 3, 7, 7, 3, 3, 7, 7}));
  EXPECT_EQ(masked("dp-pix:epsilon=1e9,block=2,m=1,quantize=truncate", image).pixels, (Pixels{2, 2, 6, 6, 2, 2, 6, 6}));
}

TEST(DpPix, EveryChannelAndSampleHasItsOwnNoise) {
  const Image grey{12, 12, 3, Pixels(12 * 12 * 3, 128)};
  const auto mask = make_protection("dp-pix:block=12");
  const Image one = std::get<Image>(mask->mask(grey, 0, {})), two = std::get<Image>(mask->mask(grey, 1, {}));
  EXPECT_FALSE(one.pixels[0] == one.pixels[1] && one.pixels[1] == one.pixels[2]);
  EXPECT_NE(one, two);
  EXPECT_EQ(one, std::get<Image>(mask->mask(grey, 0, {})));
}

}  // namespace
}  // namespace bauta
