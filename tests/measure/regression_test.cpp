// Errors of predicted numbers, against scikit-learn 1.2.1 (mean_absolute_error, mean_squared_error, r2_score) and
// scipy 1.10.1 (pearsonr).
#include "bauta/measure/regression.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"

namespace bauta {
namespace {

const double unknown = std::nan("");
const std::vector<double> truth = {23, 45, 31, 60, 18, 52.5};
const std::vector<double> predicted = {30, 40, 33.5, 48, 25, 50};

TEST(Regression, AsScikitLearn) {
  const RegressionResult result = regression_result(predicted, truth);
  EXPECT_EQ(result.samples, 6U);
  EXPECT_NEAR(result.mae, 6, 1e-14);  // (7 + 5 + 2.5 + 12 + 7 + 2.5) / 6
  EXPECT_NEAR(result.rmse, 6.82519840981442, 1e-13);
  EXPECT_NEAR(*result.r2, 0.802734891927658, 1e-14);
  EXPECT_NEAR(*result.correlation, 0.97323383152857, 1e-14);
}

TEST(Regression, LeavesOutUnknownValues) {
  std::vector<double> more = truth, guesses = predicted;
  more.insert(more.begin() + 2, unknown);
  guesses.insert(guesses.begin() + 2, 1000);
  const RegressionResult result = regression_result(guesses, more);
  EXPECT_EQ(result.samples, 6U);
  EXPECT_NEAR(result.mae, 6, 1e-14);
  EXPECT_THROW((void)regression_result(std::vector<double>{1}, std::vector<double>{unknown}), Error);
}

TEST(Regression, UndefinedWhereNothingVaries) {
  EXPECT_FALSE(regression_result(predicted, std::vector<double>(6, 0.1)).r2.has_value());
  const RegressionResult one = regression_result(std::vector<double>{3}, std::vector<double>{5});
  EXPECT_EQ(one.mae, 2);
  EXPECT_FALSE(one.r2 || one.correlation);
  const RegressionResult flat = regression_result(std::vector<double>(6, 0.1), truth);
  EXPECT_TRUE(flat.r2.has_value());
  EXPECT_FALSE(flat.correlation.has_value());
}

TEST(Regression, ChanceIsTheTrainingMedian) {
  // Median of 10, 20, 40, 90 is 30; |23-30| + |45-30| + |31-30| + |60-30| + |18-30| + |52.5-30| = 87.5.
  EXPECT_NEAR(chance_mae(std::vector<double>{90, unknown, 10, 40, 20}, truth), 87.5 / 6, 1e-13);
}

TEST(Regression, IntervalCountsSubjects) {
  // Ten subjects with errors 0 or 2, the same for their four samples: mean 1, standard error 1 / sqrt(9) = 1/3.
  std::vector<double> t, p;
  std::vector<std::uint32_t> together, apart;
  for (std::uint32_t i = 0; i < 40; ++i) {
    t.push_back(i);
    p.push_back(i + (i / 4 % 2 == 0 ? 0 : 2));
    together.push_back(i / 4);
    apart.push_back(i);
  }
  const Interval wide = *mae_interval(p, t, together);
  // Student's quantile of 9 degrees of freedom (scipy.stats.t.ppf(.975, 9)).
  EXPECT_NEAR(wide.low, 1 - 2.262157 / 3, 1e-6);
  EXPECT_NEAR(wide.high, 1 + 2.262157 / 3, 1e-6);
  const Interval narrow = *mae_interval(p, t, apart);
  EXPECT_NEAR(narrow.high - narrow.low, 2 * 2.022691 / std::sqrt(39), 1e-6);  // t of 39 degrees
  // Two people whose errors are 3 and 4: 3.5 and 12.70620 halves. No error is below 0.
  const Interval two =
      *mae_interval(std::vector<double>{3, 4}, std::vector<double>{0, 0}, std::vector<std::uint32_t>{0, 1});
  EXPECT_EQ(two.low, 0);
  EXPECT_NEAR(two.high, 3.5 + 12.70620 / 2, 1e-4);
  t[0] = unknown;
  EXPECT_NO_THROW((void)mae_interval(p, t, together));
  EXPECT_FALSE(mae_interval(t, t, together));  // no error was seen: no number says how large it may be
  EXPECT_FALSE(mae_interval(p, t, std::vector<std::uint32_t>(40, 7)));  // nor does one person
}

}  // namespace
}  // namespace bauta
