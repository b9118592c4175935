#include "bauta/core/most_frequent.hpp"

#include <gtest/gtest.h>

#include "bauta/core/image_shape.hpp"

namespace bauta {
namespace {

TEST(MostFrequent, OfSeveralTheFirst) {
  EXPECT_EQ(most_frequent<int>({7}), 7);
  EXPECT_EQ(most_frequent<int>({7, 3, 3}), 3);
  EXPECT_EQ(most_frequent<int>({7, 3, 3, 7, 1}), 7);
  EXPECT_EQ(most_frequent<int>({1, 7, 3, 3, 7}), 7);
}

TEST(MostFrequent, ShapesDifferInEachNumber) {
  EXPECT_EQ(most_frequent<ImageShape>({{2, 3, 1}, {3, 2, 1}, {2, 3, 3}, {2, 3, 3}}), (ImageShape{2, 3, 3}));
}

}  // namespace
}  // namespace bauta
