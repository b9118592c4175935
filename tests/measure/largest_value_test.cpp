// The largest of several values by hand, and the draws of several findings side by side.
#include "largest_value.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "joint_draws.hpp"

namespace bauta {
namespace {

const Interval no_ends = {-HUGE_VAL, HUGE_VAL};

DrawnValues two_in_three_draws() {
  DrawnValues values;
  values.observed = {3, 2};
  values.plausible = {Plausible(3, {1, 5}, no_ends), Plausible(2, {1.5, 4}, no_ends)};
  values.drawn = Matrix<double>(3, 2);
  const double drawn[] = {3, 2, 4, 1, 2, 4};
  std::copy(std::begin(drawn), std::end(drawn), values.drawn.data());
  values.chance = {2, 2};
  values.lowest = -10;
  values.highest = 10;
  return values;
}

// The largest in the draws are 3, 4 and 4, 2/3 above the observed 3 on average. Scores of three draws are 0 and +-s
// with 0.95 s = z = 1.96, because their 97.5 % quantile lies 0.95 of the way from the second to the third; of the
// larger in each draw 0, s and s, so that s bounds both together: 3 - 2 s / z and 2 - 0.5 s / z.
TEST(LargestValue, ByHand) {
  DrawnValues values = two_in_three_draws();
  LargestValue largest = largest_value(values);
  EXPECT_EQ(largest.best, 0U);
  EXPECT_NEAR(largest.corrected, 3 - 2.0 / 3, 1e-12);
  EXPECT_NEAR(largest.ci.low, 2 - 0.5 / 0.95, 1e-12);
  EXPECT_NEAR(largest.ci.high, 5, 1e-12);
  EXPECT_EQ(largest.allowance, 0);  // the second one's bound is the higher
  // The first beats chance by z / 2, and so does the larger score in two of three draws.
  EXPECT_NEAR(largest.p, 3.0 / 4, 1e-12);
  values.chance = {1, 2};  // by z, and s is further
  EXPECT_NEAR(largest_value(values).p, 3.0 / 4, 1e-12);
  values.chance = {0.5, 3};  // by 1.25 z
  EXPECT_NEAR(largest_value(values).p, 1.0 / 4, 1e-12);
  values.plausible[1] = Plausible(2, {-1, 4}, no_ends);
  largest = largest_value(values);
  EXPECT_NEAR(largest.ci.low, 3 - 2 / 0.95, 1e-12);
  EXPECT_NEAR(largest.allowance, 1 - (3 - 2 / 0.95), 1e-12);  // alone it ends at 1
  values.lowest = 2.5;
  values.highest = 4.5;
  largest = largest_value(values);
  EXPECT_EQ(largest.corrected, 2.5);
  EXPECT_EQ(largest.ci.low, 2.5);
  EXPECT_EQ(largest.ci.high, 4.5);
}

TEST(LargestValue, WhoIsAloneIsNotCorrected) {
  DrawnValues values;
  values.observed = {3};
  values.plausible = {Plausible(3, {1, 5}, no_ends)};
  values.drawn = Matrix<double>(3, 1, 4.0);
  values.chance = {1};
  values.lowest = -10;
  values.highest = 10;
  const LargestValue largest = largest_value(values);
  EXPECT_EQ(largest.corrected, 3);
  EXPECT_NEAR(largest.ci.low, 1, 1e-12);
  EXPECT_NEAR(largest.ci.high, 5, 1e-12);
  EXPECT_NEAR(largest.allowance, 0, 1e-12);
}

/// Draw d has the value d.
Finding drawn(const std::string& over, std::size_t draws = 40) {
  Finding finding;
  finding.drawn_over = over;
  for (std::size_t d = 0; d < draws; ++d) finding.draws.push_back(static_cast<double>(d));
  return finding;
}

std::vector<double> column(const Matrix<double>& joined, std::size_t j) {
  std::vector<double> values;
  for (std::size_t d = 0; d < joined.rows(); ++d) values.push_back(joined(d, j));
  return values;
}

TEST(JointDraws, StayTogetherWithinTheirGroup) {
  const std::vector<Finding> findings = {drawn("people", 50), drawn("people"), drawn("others"),
                                         drawn("others", 60), drawn(""),       drawn("")};
  std::vector<const Finding*> all;
  for (const Finding& finding : findings) all.push_back(&finding);
  const Matrix<double> joined = join_draws(all);
  ASSERT_EQ(joined.rows(), 40U);
  ASSERT_EQ(joined.cols(), 6U);
  const std::vector<double> order = column(joined, 0);
  for (std::size_t d = 0; d < 40; ++d) EXPECT_EQ(order[d], static_cast<double>(d));
  EXPECT_EQ(column(joined, 1), order);
  EXPECT_NE(column(joined, 2), order);
  EXPECT_EQ(column(joined, 3), column(joined, 2));
  EXPECT_NE(column(joined, 4), order);
  EXPECT_NE(column(joined, 4), column(joined, 2));
  EXPECT_NE(column(joined, 5), column(joined, 4));  // of unknown subjects, each by itself
  for (std::size_t j = 0; j < 6; ++j) {
    std::vector<double> sorted = column(joined, j);
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(sorted, order);
  }
  EXPECT_TRUE(drawn_jointly(std::array{all[0], all[1]}));
  EXPECT_FALSE(drawn_jointly(std::array{all[0], all[2]}));
  EXPECT_FALSE(drawn_jointly(std::array{all[4], all[5]}));
  EXPECT_FALSE(drawn_jointly({}));
  EXPECT_EQ(join_draws({}).rows(), 0U);
}

// Truths that are plausible end where the interval does: a rate's within 0 and 1, another number's anywhere.
TEST(JointDraws, PlausibleOnesHaveTheIntervalsOfTheirFindings) {
  Finding rate = drawn("people", 2001), number = rate, plain = rate;
  rate.unit = "rate";
  rate.value = 0.9;
  rate.ci = Interval{0.7, 0.99};
  number.value = 3;
  number.ci = Interval{-1, 4};
  const Matrix<double> joined = join_plausible(std::array<const Finding*, 3>{&rate, &number, &plain});
  const std::vector<double> rates = column(joined, 0), numbers = column(joined, 1);  // ascending, as the draws are
  EXPECT_NEAR(quantile(rates, 0.025), 0.7, 1e-6);
  EXPECT_NEAR(quantile(rates, 0.5), 0.9, 1e-6);
  EXPECT_NEAR(quantile(rates, 0.975), 0.99, 1e-6);
  EXPECT_LE(rates.back(), 1);
  EXPECT_NEAR(quantile(numbers, 0.025), -1, 1e-6);
  EXPECT_NEAR(quantile(numbers, 0.975), 4, 1e-6);
  EXPECT_GT(numbers.back(), 4.5);
  EXPECT_EQ(column(joined, 2), plain.draws);
}

}  // namespace
}  // namespace bauta
