#include <array>
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

// x of the head is 1, 3, 8, 0 and 2, 2, 4, 8 in two windows of four frames: by numpy 1.24 the median is 2 and 3, the
// mean 3 and 4, the deviation sqrt(38 / 4) and sqrt(24 / 4).
TEST(Segment, StatisticsOfPartsByWindow) {
  Motion motion{8, 2, {}, 4, {"Head", "KneeLeft"}};
  for (const float x : {1.F, 3.F, 8.F, 0.F, 2.F, 2.F, 4.F, 8.F}) motion.positions.insert(motion.positions.end(), {x, 0, 7, -1, -x, 0});
  const std::size_t window = 7 * 3 * 5, knee = 5 * 15;
  const Floats found = features("segment:windows=2", motion);
  ASSERT_EQ(found.size(), 2 * window);
  const auto expect = [&](std::size_t at, const std::array<double, 5>& wanted) {
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(found[at + i], wanted[i], 1e-6) << at << " " << i;
  };
  expect(0, {8, 0, 2, 3, std::sqrt(9.5)});
  expect(10, {7, 7, 7, 7, 0});                                 // its z
  expect(15, {0, 0, 0, 0, 0});                                 // there is no torso
  expect(knee, {-1, -1, -1, -1, 0});                           // the left knee is of the sixth part
  expect(window, {8, 2, 3, 4, std::sqrt(6.0)});
  expect(window + knee + 5, {-2, -8, -3, -4, std::sqrt(6.0)});  // y
  // Four frames are a second.
  EXPECT_EQ(features("segment:seconds=1", motion), found);
  motion.rate = 1.6;  // two windows of 3.2 frames, the last 1.6 are left out
  EXPECT_EQ(features("segment:seconds=2", motion).size(), 2 * window);
  motion.rate = 0;
  EXPECT_THROW((void)features("segment:seconds=1", motion), Error);
  motion.names.clear();
  EXPECT_THROW((void)features("segment", motion), Error);
}

// A part may have several joints, of which each frame counts.
TEST(Segment, JointsOfAPartCountTogether) {
  const Motion motion{1, 2, {1, 0, 0, 4, 0, 0}, 0, {"KneeLeft", "AnkleLeft"}};
  EXPECT_EQ(features("segment:windows=1", motion)[5 * 15 + 2], 2.5F);
}

TEST(GaitExtractors, TakeMotionOnly) {
  for (const char* const name : {"flatten", "simple", "segment"}) {
    EXPECT_THROW((void)make_extractor(name)->extract(Image{1, 1, 1, {7}}), Error) << name;
  }
}

}  // namespace
}  // namespace bauta
