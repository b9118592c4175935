#include <cmath>

#include <gtest/gtest.h>

#include "bauta/extract/extractor.hpp"

namespace bauta {
namespace {

using Floats = std::vector<float>;

Floats features(const std::string& extractor, const Motion& motion) {
  return make_extractor(extractor)->extract(motion).value();
}

TEST(Flatten, PositionsInOrder) {
  const Motion motion{3, 1, {0, 0, 0, 10, 20, 30, 20, 40, 0}, 0, {}};
  EXPECT_EQ(features("flatten:frames=0", motion), motion.positions);
  EXPECT_EQ(features("flatten:frames=2", motion), (Floats{0, 0, 0, 20, 40, 0}));
  EXPECT_EQ(features("flatten", motion).size(), 300U);
}

// x is 0 and 6, y 0 and -8 in turn: the mean is (3, -4, 5), all movement lies along (0.6, -0.8, 0), whose largest
// element is made positive, and its deviation is 5.
TEST(Simple, MeanPoseAndComponents) {
  const Motion motion{4, 1, {0, 0, 5, 6, -8, 5, 0, 0, 5, 6, -8, 5}, 0, {}};
  const Floats unit = features("simple:components=2", motion);
  ASSERT_EQ(unit.size(), 9U);
  const double expected[] = {3, -4, 5, -0.6, 0.8, 0, 0, 0, 0};
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(unit[i], expected[i], 1e-6) << i;
  const Floats scaled = features("simple:components=1,scale=deviation", motion);
  EXPECT_NEAR(scaled[3], -3, 1e-5);
  EXPECT_NEAR(scaled[4], 4, 1e-5);
  // One pose, and more components than there are coordinates: zeros where nothing moves.
  EXPECT_EQ(features("simple:components=4", Motion{1, 1, {1, 2, 3}, 0, {}}).size(), 15U);
  EXPECT_EQ(features("simple", Motion{1, 1, {1, 2, 3}, 0, {}})[7], 0);
}

TEST(GaitExtractors, TakeMotionOnly) {
  for (const char* const name : {"flatten", "simple"}) {
    EXPECT_THROW((void)make_extractor(name)->extract(Image{1, 1, 1, {7}}), Error) << name;
  }
}

}  // namespace
}  // namespace bauta
