#include "bauta/measure/thresholds.hpp"

#include <gtest/gtest.h>

#include "bauta/core/random.hpp"

namespace bauta {
namespace {

// Ten scores 1..10: rate 0.3 allows three matches, 8, 9 and 10.
TEST(Thresholds, HandCalculated) {
  std::vector<float> scores = {3, 9, 1, 10, 5, 7, 2, 8, 4, 6};
  const auto thresholds = thresholds_at_fmr(scores, {0.3, 0.35, 0.1, 0.05, 1.0});
  EXPECT_EQ(thresholds[0].value, 8.0);
  EXPECT_EQ(thresholds[1].value, 8.0);
  EXPECT_DOUBLE_EQ(thresholds[1].actual_fmr, 0.3);
  EXPECT_EQ(thresholds[2].value, 10.0);
  EXPECT_FALSE(thresholds[3].resolvable);
  EXPECT_GT(thresholds[3].value, 10.0);
  EXPECT_LT(thresholds[3].value, 10.00001);
  EXPECT_EQ(thresholds[4].value, 1.0);
}

// A tie across the cut counts as a whole: two of {5, 5, 5, 1} cannot match alone.
TEST(Thresholds, TiesStandTogether) {
  const auto thresholds = thresholds_at_fmr({5, 5, 1, 5}, {0.5, 0.75});
  EXPECT_GT(thresholds[0].value, 5.0);
  EXPECT_EQ(thresholds[0].actual_fmr, 0.0);
  EXPECT_TRUE(thresholds[0].resolvable);
  EXPECT_EQ(thresholds[1].value, 5.0);
  EXPECT_EQ(thresholds[1].actual_fmr, 0.75);
}

TEST(Thresholds, NeverExceedTheRateAndNoLowerOneWould) {
  Stream stream(2, "test");
  for (int round = 0; round < 200; ++round) {
    std::vector<float> scores(1 + stream.below(50));
    for (float& score : scores) score = static_cast<float>(stream.below(12));  // many ties
    const double rate = stream.uniform();
    const Threshold threshold = thresholds_at_fmr(scores, {rate})[0];
    const auto share = [&](double t) {
      return static_cast<double>(std::count_if(scores.begin(), scores.end(), [&](float s) { return s >= t; })) /
             static_cast<double>(scores.size());
    };
    EXPECT_LE(share(threshold.value), rate);
    EXPECT_DOUBLE_EQ(share(threshold.value), threshold.actual_fmr);
    for (const float score : scores) {
      if (score < threshold.value) {
        EXPECT_GT(share(score), rate);
      }
    }
  }
}

}  // namespace
}  // namespace bauta
