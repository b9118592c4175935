#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "bauta/compare/comparator.hpp"
#include "bauta/extract/extractor.hpp"

namespace bauta {
namespace {

using Floats = std::vector<float>;

/// level_image() of references.py: few levels, so that many neighbours are equal.
Image level_image(std::uint64_t state, std::size_t width = 37, std::size_t height = 29) {
  Image image{width, height, 1, {}};
  for (std::size_t i = 0; i < width * height; ++i) {
    state = (1103515245 * state + 12345) % (std::uint64_t{1} << 31);
    image.pixels.push_back(static_cast<std::uint8_t>((state >> 16) % 16 * 16));
  }
  return image;
}

Floats histograms(const std::string& extractor, const Image& image) {
  return make_extractor(extractor)->extract(image).value();
}

double distance(const Floats& a, const Floats& b) {
  const auto templates = [](const Floats& row) {
    Matrix<float> values(1, row.size());
    std::ranges::copy(row, values.data());
    return Templates(std::move(values));
  };
  const auto comparator = make_comparator("chi-square");
  Matrix<float> score(1, 1);
  comparator->tile(*comparator->prepare(templates(a), Side::probe, "a"), {0, 1},
                   *comparator->prepare(templates(b), Side::reference, "b"), {0, 1}, score.view());
  return -double{score(0, 0)};
}

// LBPHFaceRecognizer of OpenCV 4.6.0: references.py. Width and height differ, and neither is a multiple of the cells.
TEST(Lbph, IsThatOfOpenCv) {
  struct Known {
    const char* extractor;
    std::size_t size, filled;
    double weighted, distance;
  };
  for (const Known& known : {Known{"lbph", 16384, 587, 3164.91675, 162.121433},
                             Known{"lbph:radius=2,neighbours=6,grid=3", 576, 318, 468.352287, 9.70726216}}) {
    const Floats one = histograms(known.extractor, level_image(1));
    ASSERT_EQ(one.size(), known.size);
    EXPECT_EQ(one.size() - static_cast<std::size_t>(std::count(one.begin(), one.end(), 0.0F)), known.filled);
    double weighted = 0;
    for (std::size_t i = 0; i < one.size(); ++i) weighted += one[i] * static_cast<double>(i % 97 + 1);
    EXPECT_NEAR(weighted, known.weighted, 1e-3);
    EXPECT_NEAR(distance(one, histograms(known.extractor, level_image(2))), known.distance, 1e-4);
  }
}

// Neighbours count against the clock, from the right: a pixel whose right neighbour alone is as bright is pattern 1,
// one whose upper neighbour (the third of eight) is, pattern 4.
TEST(Lbph, BitsOfOnePixel) {
  const auto pattern = [](std::vector<std::uint8_t> pixels) {
    const Floats bins = histograms("lbph:grid=1", Image{3, 3, 1, std::move(pixels)});
    return std::max_element(bins.begin(), bins.end()) - bins.begin();
  };
  EXPECT_EQ(pattern({0, 0, 0, 0, 9, 9, 0, 0, 0}), 1);
  EXPECT_EQ(pattern({0, 9, 0, 0, 9, 0, 0, 0, 0}), 4);
  EXPECT_EQ(pattern({0, 0, 0, 9, 9, 0, 0, 0, 0}), 16);
  EXPECT_EQ(pattern({5, 5, 5, 5, 5, 5, 5, 5, 5}), 255);  // as bright is bright
}

// Of 8 bits in a circle 58 patterns change at most twice: 2 are all alike, and 7 lengths of a run begin at 8 places.
TEST(Lbph, UniformPatternsShareWhatIsLeft) {
  const Floats all = histograms("lbph:grid=1", level_image(3));
  const Floats uniform = histograms("lbph:grid=1,patterns=uniform", level_image(3));
  ASSERT_EQ(uniform.size(), 59U);
  EXPECT_FLOAT_EQ(uniform[0], all[0]);
  EXPECT_FLOAT_EQ(uniform[1], all[1]);
  EXPECT_FLOAT_EQ(uniform[5], all[6]);  // 0, 1, 2, 3, 4, 6: 5 changes four times
  EXPECT_FLOAT_EQ(uniform[57], all[255]);
  const double own = std::accumulate(uniform.begin(), uniform.end() - 1, 0.0);
  EXPECT_GT(uniform[58], 0.1);
  EXPECT_NEAR(own + uniform[58], 1, 1e-5);
  EXPECT_EQ(histograms("lbph:grid=1,neighbours=3,patterns=uniform", level_image(3)).size(), 8U);  // all of them
}

TEST(Lbph, CellsAreSharesAndBrightnessMakesNoDifference) {
  Image image = level_image(4);
  // Neighbours on pixels: those between pixels are interpolated, and rounded as there.
  const Floats before = histograms("lbph:grid=4,neighbours=4", image);
  for (std::size_t cell = 0; cell < 16; ++cell) {
    EXPECT_NEAR(std::accumulate(before.begin() + static_cast<long>(cell) * 16,
                                before.begin() + static_cast<long>(cell + 1) * 16, 0.0),
                1, 1e-5);
  }
  for (std::uint8_t& level : image.pixels) level = static_cast<std::uint8_t>(level / 2 + 7);
  EXPECT_EQ(histograms("lbph:grid=4,neighbours=4", image), before);
  // Grey as three equal channels is the same image, and so is one that is stretched to its own size.
  const Image square = level_image(5, 20, 20);
  Image colour{20, 20, 3, {}};
  for (const std::uint8_t level : square.pixels) colour.pixels.insert(colour.pixels.end(), 3, level);
  EXPECT_EQ(histograms("lbph:grid=2", colour), histograms("lbph:grid=2", square));
  EXPECT_EQ(histograms("lbph:grid=2,size=20", square), histograms("lbph:grid=2", square));
}

TEST(Lbph, AnImageWithoutAPixelForEachCellFails) {
  EXPECT_EQ(histograms("lbph", level_image(6, 10, 10)).size(), 16384U);
  EXPECT_THROW((void)histograms("lbph", level_image(6, 10, 9)), Error);
  EXPECT_THROW((void)histograms("lbph", level_image(6, 1, 1)), Error);
  EXPECT_THROW((void)make_extractor("lbph")->extract(Motion{1, 1, {1, 2, 3}, 0, {}}), Error);
}

}  // namespace
}  // namespace bauta
