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

}  // namespace
}  // namespace bauta
