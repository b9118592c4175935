#include <cmath>

#include "../../data/scratch.hpp"
#include "../../deep/face_drawing.hpp"
#include "bauta/deep/face_landmarks.hpp"
#include "images.hpp"

namespace bauta {
namespace {

/// The rows that are black all over, as first and last; the others must be the image's.
std::pair<std::size_t, std::size_t> strip(const std::string& technique, const Image& image) {
  const Image result = masked(technique, image);
  const std::size_t line = image.width * image.channels;
  std::pair<std::size_t, std::size_t> rows = {image.height, 0};
  for (std::size_t y = 0; y < image.height; ++y) {
    const auto begin = result.pixels.begin() + static_cast<std::ptrdiff_t>(y * line);
    if (std::all_of(begin, begin + static_cast<std::ptrdiff_t>(line), [](int value) { return value == 0; })) {
      rows = {std::min(rows.first, y), y};
    } else {
      EXPECT_TRUE(std::equal(begin, begin + static_cast<std::ptrdiff_t>(line),
                             image.pixels.begin() + static_cast<std::ptrdiff_t>(y * line)))
          << y;
    }
  }
  return rows;
}

Image white(std::size_t width, std::size_t height) {
  return {width, height, 3, std::vector<std::uint8_t>(width * height * 3, 255)};
}

using Rows = std::pair<std::size_t, std::size_t>;

TEST(EyeMask, CoversTheRowsOfTheEvaluation) {
  // Faces of 224: 85 - 70 to 85 + 70, both included: 141 rows.
  EXPECT_EQ(strip("eye-mask", white(224, 224)), Rows(15, 155));
  // Faces of 112: 42.5 is 43 and 35 stays; the width decides, not the height.
  EXPECT_EQ(strip("eye-mask", white(112, 200)), Rows(8, 78));
}

TEST(EyeMask, WhatIsGivenIsInPixels) {
  EXPECT_EQ(strip("eye-mask:center=4,dist=1", white(224, 10)), Rows(3, 5));
  EXPECT_EQ(strip("eye-mask:center=2,dist=5", white(7, 10)), Rows(0, 7));    // cut at the upper edge
  EXPECT_EQ(strip("eye-mask:center=8,dist=5", white(7, 10)), Rows(3, 9));    // and at the lower
  EXPECT_EQ(strip("eye-mask:center=50,dist=5", white(7, 10)), Rows(10, 0));  // beside the image: nothing is masked
}

/// The weights come from npm; without them these tests say that they skipped.
class EyesFound : public testing::Test {
 protected:
  void SetUp() override {
    try {
      (void)load_face_landmarks();
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
  }

  /// The drawing stretched to this size, and moved down by 64ths of its height.
  static Image drawing(std::size_t width, std::size_t height, double moved = 0) {
    Image image{width, height, 3, {}};
    for (std::size_t i = 0; i < width * height * 3; ++i) {
      const double x = 64 * (static_cast<double>(i / 3 % width) + 0.5) / static_cast<double>(width);
      const double y = 64 * (static_cast<double>(i / 3 / width) + 0.5) / static_cast<double>(height);
      image.pixels.push_back(static_cast<std::uint8_t>(std::lround(255 * test::drawn_face(x, y - moved))));
    }
    return image;
  }
  static double middle(const Rows& rows) { return static_cast<double>(rows.first + rows.second) / 2; }
};

// Of a drawing whose eyes are 31 / 64 from the top and 18 / 64 apart, each found to 0.04 of the edge (as in
// deep/face_canvas_test.cpp): the strip lies around them, 15/16 of their distance up and down.
TEST_F(EyesFound, TheStripLiesOverThemHoweverTheFaceWasCut) {
  for (const auto& [width, height] :
       {std::pair<std::size_t, std::size_t>{112, 112}, {112, 168}, {180, 150}, {224, 224}}) {
    const Rows rows = strip("eye-mask:place=landmarks", drawing(width, height));
    EXPECT_NEAR(middle(rows), 31.0 / 64 * static_cast<double>(height), 0.04 * static_cast<double>(height) + 1);
    EXPECT_NEAR(static_cast<double>(rows.second - rows.first), 2 * 15.0 / 16 * 18 / 64 * static_cast<double>(width),
                2 * 15.0 / 16 * 0.08 * static_cast<double>(width) + 1);
  }
  // They go with the face; rows of the crop would not.
  const Rows here = strip("eye-mask:place=landmarks,dist=5", drawing(112, 112));
  const Rows there = strip("eye-mask:place=landmarks,dist=5", drawing(112, 112, -4));
  EXPECT_EQ(here.second - here.first, 10U);
  EXPECT_NEAR(middle(here) - middle(there), 112 * 4.0 / 64, 112 * 0.03 + 1);
  EXPECT_EQ(strip("eye-mask", drawing(112, 112)), Rows(8, 78));
}

TEST_F(EyesFound, AnImageWithoutAFaceFails) {
  const auto refused = [](const Image& image) {
    return test::input_error([&] { (void)masked("eye-mask:place=landmarks", image); });
  };
  test::expect_contains(refused(noise_image(112, 112, 3)), "no face was found");
  test::expect_contains(refused(even_image(1, 1, 1, 128)), "no face was found");
}

TEST(EyeMask, WhatIsFoundIsNotGiven) {
  test::expect_contains(
      test::error_of(Fault::usage, [] { (void)make_protection("eye-mask:place=landmarks,center=40"); }),
      "finds the middle");
  EXPECT_TRUE(make_protection("eye-mask:place=landmarks")->in_pixels({224, 224, 3}).empty());
}

}  // namespace
}  // namespace bauta
