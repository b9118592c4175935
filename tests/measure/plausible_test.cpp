// What an interval says of the truth, and how draws are put in order.
#include "plausible.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "bauta/core/random.hpp"

namespace bauta {
namespace {

TEST(Plausible, EndsWhereTheIntervalDoes) {
  const Plausible rate(0.9, {0.7, 0.95}, {0, 1});
  EXPECT_NEAR(rate.at(0), 0.9, 1e-12);
  EXPECT_NEAR(rate.at(-1.959963984540054), 0.7, 1e-12);
  EXPECT_NEAR(rate.at(1.959963984540054), 0.95, 1e-12);
  EXPECT_NEAR(rate.score(0.7), -1.959963984540054, 1e-12);
  EXPECT_NEAR(rate.score(rate.at(1.3)), 1.3, 1e-9);
  EXPECT_EQ(rate.at(50), 1);  // never beyond the scale
  EXPECT_EQ(rate.at(-50), 0);
  const Plausible number(3, {1, 4}, {-HUGE_VAL, HUGE_VAL});
  EXPECT_NEAR(number.at(-2 * 1.959963984540054), -1, 1e-12);
  EXPECT_NEAR(number.at(1.959963984540054 / 2), 3.5, 1e-12);
  const Plausible certain(1, {0.8, 1}, {0, 1});  // never wrong: the truth lies on one side only
  EXPECT_EQ(certain.at(2), 1);
  EXPECT_LT(certain.at(-2), 0.8);
}

TEST(NormalScores, FollowTheOrderOfDraws) {
  const std::vector<double> draws = {0.3, std::numeric_limits<double>::quiet_NaN(), 0.1, 0.2};
  const auto scores = normal_scores(draws, "");
  EXPECT_TRUE(std::isnan(scores[1]));
  EXPECT_EQ(scores[3], 0);  // the middle one of three
  EXPECT_GT(scores[0], 0);
  EXPECT_EQ(scores[2], -scores[0]);
}

// Probits of 1/6, 1/2 and 5/6, stretched: their 97.5 % quantile lies 0.95 of the way from the second to the third and
// is that of the normal distribution. Of four: probits of 1/8 and 3/8 (-1.15035, -0.31864), and 0.925 of the way.
TEST(NormalScores, OfFewDraws) {
  EXPECT_NEAR(normal_scores(std::vector<double>{1, 2, 3}, "")[2], 1.959963984540054 / 0.95, 1e-12);
  const auto four = normal_scores(std::vector<double>{4, 3, 2, 1}, "");
  const double scale = 1.959963984540054 / (0.31864 + 0.925 * (1.15035 - 0.31864));
  EXPECT_NEAR(four[0], 1.15035 * scale, 1e-4);
  EXPECT_NEAR(four[1], 0.31864 * scale, 1e-4);
  EXPECT_EQ(four[2], -four[1]);
  EXPECT_EQ(four[3], -four[0]);
  EXPECT_EQ(normal_scores(std::vector<double>{5}, "")[0], 0);
}

TEST(NormalScores, OfEqualDrawsAreChance) {
  const std::vector<double> alike(2000, 0.5);
  const auto scores = normal_scores(alike, "a"), same = normal_scores(alike, "a"), other = normal_scores(alike, "b");
  EXPECT_EQ(scores, same);
  double products = 0, squares = 0;
  for (std::size_t d = 0; d < scores.size(); ++d) {
    products += scores[d] * other[d];
    squares += scores[d] * scores[d];
  }
  EXPECT_NEAR(squares / 2000, 1, 0.01);
  EXPECT_NEAR(products / 2000, 0, 0.09);  // four deviations of 1 / sqrt(2000)
  auto sorted = plausible_draws({1, {0.8, 1}, {0, 1}}, alike, "a");
  std::sort(sorted.begin(), sorted.end());
  EXPECT_NEAR(quantile(sorted, 0.025), 0.8, 1e-6);  // between two draws
  EXPECT_EQ(quantile(sorted, 0.6), 1);
}

}  // namespace
}  // namespace bauta
