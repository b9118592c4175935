#include "bauta/data/image_cut.hpp"

#include <gtest/gtest.h>

namespace bauta {
namespace {

/// 3 x 2: 10 20 30 / 40 50 60
const Image small{3, 2, 1, {10, 20, 30, 40, 50, 60}};

TEST(ImageCut, NothingMovedIsTheImageWithBlackAroundIt) {
  EXPECT_EQ(cut_square(small, {}, 3).pixels, (std::vector<std::uint8_t>{10, 20, 30, 40, 50, 60, 0, 0, 0}));
}

// By hand: turned by a right angle, the way of one pixel to the right goes one down in the image: from its upper right
// corner (3, 0), the first row is the last column, from the top.
TEST(ImageCut, ARightAngleTurnsTheImage) {
  EXPECT_EQ(cut_square(small, {.left = 3, .top = 0, .across = 0, .down = 1}, 2).pixels,
            (std::vector<std::uint8_t>{30, 60, 20, 50}));
}

// By hand: half a pixel to the right lies between two neighbours; the last lies between 30 and black.
TEST(ImageCut, BetweenPixelsIsBetweenTheirValues) {
  EXPECT_EQ(cut_square(small, {.left = 0.5}, 3).pixels, (std::vector<std::uint8_t>{15, 25, 15, 45, 55, 30, 0, 0, 0}));
}

// By hand: a pixel for two by two is their mean, in each channel.
TEST(ImageCut, ASmallerPictureAverages) {
  const Image colours{2, 2, 3, {0, 1, 100, 10, 3, 100, 20, 5, 100, 30, 7, 200}};
  EXPECT_EQ(cut_square(colours, {.across = 2}, 1).pixels, (std::vector<std::uint8_t>{15, 4, 125}));
  const Image stripes{40, 40, 1, [] {
                        std::vector<std::uint8_t> all(1600);
                        for (std::size_t i = 0; i < all.size(); ++i) all[i] = i % 2 == 0 ? 0 : 200;
                        return all;
                      }()};
  for (const std::uint8_t value : cut_square(stripes, {.across = 4}, 10).pixels) EXPECT_EQ(value, 100);
}

}  // namespace
}  // namespace bauta
