// Closed-form intervals against scipy 1.10.1 (scipy.stats.binomtest(k, n).proportion_ci, scipy.stats.norm.ppf),
// quantiles against numpy 1.24.2, and resampling of subjects.
#include "bauta/measure/intervals.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"

namespace bauta {
namespace {

TEST(Intervals, Probit) {
  EXPECT_NEAR(probit(0.975), 1.959963984540054, 1e-14);
  EXPECT_EQ(probit(0.5), 0);
  EXPECT_NEAR(probit(1e-9), -5.9978070150076865, 1e-13);
  EXPECT_NEAR(probit(0.3), -0.52440051270804089, 1e-15);
  EXPECT_NEAR(normal_cdf(probit(0.8)), 0.8, 1e-15);
}

TEST(Intervals, Wilson) {
  const auto expect = [](Interval got, double low, double high) {
    EXPECT_NEAR(got.low, low, 1e-13);
    EXPECT_NEAR(got.high, high, 1e-13);
  };
  expect(wilson(0, 10), 0, 0.277532799862889);
  expect(wilson(3, 20), 0.0523687458962166, 0.360418864740757);
  expect(wilson(10, 10), 0.722467200137111, 1);
  expect(wilson(50, 1000), 0.0381302623927488, 0.0653138202442508);
}

TEST(Intervals, ClopperPearson) {
  const auto expect = [](Interval got, double low, double high) {
    EXPECT_NEAR(got.low, low, 1e-11);
    EXPECT_NEAR(got.high, high, 1e-11);
  };
  expect(clopper_pearson(0, 10), 0, 0.308497107818763);
  expect(clopper_pearson(3, 20), 0.0320709371855448, 0.378926826545296);
  expect(clopper_pearson(10, 10), 0.691502892181237, 1);
  expect(clopper_pearson(50, 1000), 0.0373353976046606, 0.0653904879154937);
  expect(clopper_pearson(120, 500000, 0.9), 0.000205138751351003, 0.000279282157626097);
}

TEST(Intervals, Rules) {
  EXPECT_NEAR(rule_of_three(3000), 0.001, 1e-18);
  EXPECT_EQ(rule_of_three(2), 1);
  EXPECT_EQ(rule_of_three(0), 1);
  // The rule of three approximates the one-sided exact bound 1 - 0.05^(1/n).
  EXPECT_NEAR(rule_of_three(1000), 1 - std::pow(0.05, 1.0 / 1000), 1e-5);
  EXPECT_TRUE(satisfies_rule_of_30(30));
  EXPECT_FALSE(satisfies_rule_of_30(29));
}

TEST(Intervals, QuantilesAsNumpy) {
  const std::vector<double> values = {1, 2, 4, 8, 16};
  EXPECT_EQ(quantile(values, 0), 1);
  EXPECT_EQ(quantile(values, 1), 16);
  EXPECT_EQ(quantile(values, 0.5), 4);
  EXPECT_NEAR(quantile(values, 0.025), 1.1, 1e-15);  // np.quantile([1, 2, 4, 8, 16], .025)
  EXPECT_NEAR(quantile(values, 0.9), 12.8, 1e-14);
  EXPECT_EQ(quantile(std::vector<double>{3}, 0.7), 3);
}

TEST(Intervals, SubjectsResampleTogether) {
  // 20 subjects, 50 samples each, a subject's samples all succeed or all fail: the interval must be that of 20 trials,
  // not of 1000. Closed form for 20 trials at one half: 0.5 +- 1.96 sqrt(.25 / 20) = 0.5 +- 0.219.
  std::vector<std::uint8_t> success;
  std::vector<std::uint32_t> together, apart;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    success.push_back(i / 50 % 2 == 0);
    together.push_back(7 * (i / 50));  // ids need not be dense
    apart.push_back(i);
  }
  const Interval wide = success_interval(success, together, 2000, 1);
  EXPECT_NEAR(wide.low, 0.281, 0.03);
  EXPECT_NEAR(wide.high, 0.719, 0.03);
  const Interval narrow = success_interval(success, apart, 2000, 1);
  EXPECT_NEAR(narrow.low, 0.469, 0.005);
  EXPECT_NEAR(narrow.high, 0.531, 0.005);
  const Interval again = success_interval(success, apart, 2000, 1);
  EXPECT_EQ(again.low, narrow.low);
  EXPECT_NE(success_interval(success, apart, 2000, 2).low, narrow.low);
}

TEST(Intervals, NoErrorSeenIsNotNoUncertainty) {
  const std::vector<std::uint8_t> success(100, 1);
  std::vector<std::uint32_t> subjects;
  for (std::uint32_t i = 0; i < 100; ++i) subjects.push_back(i / 10);
  const Interval interval = success_interval(success, subjects, 100, 1);
  EXPECT_NEAR(interval.low, 0.722467200137111, 1e-13);  // Wilson for 10 of 10: one trial per subject
  EXPECT_EQ(interval.high, 1);
}

TEST(Intervals, BalancedAccuracyAgreesWithDirectResampling) {
  Stream stream(4, "balanced");
  std::vector<std::int32_t> truth, predicted;
  std::vector<std::uint32_t> subjects;
  for (std::uint32_t s = 0; s < 12; ++s) {
    for (int k = 0; k < 3; ++k) {
      subjects.push_back(s);
      truth.push_back(s == 11 && k == 0 ? -1 : static_cast<std::int32_t>(s % 3));  // one unknown
      predicted.push_back(stream.uniform() < 0.6 ? static_cast<std::int32_t>(s % 3) : 0);
    }
  }
  const std::size_t draws = 50;
  std::vector<double> values;
  for (std::size_t d = 0; d < draws; ++d) {
    Stream draw(8, "bootstrap", d);
    std::vector<double> total(3), correct(3);
    for (int i = 0; i < 12; ++i) {
      const auto s = static_cast<std::uint32_t>(draw.below(12));
      for (std::size_t j = 0; j < truth.size(); ++j) {
        if (subjects[j] != s || truth[j] < 0) continue;
        ++total[static_cast<std::size_t>(truth[j])];
        correct[static_cast<std::size_t>(truth[j])] += predicted[j] == truth[j];
      }
    }
    double sum = 0, present = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      if (total[c] == 0) continue;
      sum += correct[c] / total[c];
      ++present;
    }
    values.push_back(sum / present);
  }
  const Interval expected = percentile_interval(values);
  const Interval got = balanced_accuracy_interval(predicted, truth, 3, subjects, draws, 8);
  EXPECT_NEAR(got.low, expected.low, 1e-14);
  EXPECT_NEAR(got.high, expected.high, 1e-14);
  EXPECT_LT(got.low, got.high);
}

// Values 0 and 1 are a success rate, whose interval is computed in another way from the same draws.
TEST(Intervals, MeanOfZerosAndOnesIsASuccessRate) {
  Stream stream(5, "mean");
  std::vector<double> values;
  std::vector<std::uint8_t> success;
  std::vector<std::uint32_t> subjects;
  for (std::uint32_t i = 0; i < 60; ++i) {
    subjects.push_back(i * i % 17);
    success.push_back(stream.uniform() < 0.7 ? 1 : 0);
    values.push_back(success.back());
  }
  const Interval expected = success_interval(success, subjects, 200, 3);
  const Interval got = mean_interval(values, subjects, 200, 3);
  EXPECT_NEAR(got.low, expected.low, 1e-14);
  EXPECT_NEAR(got.high, expected.high, 1e-14);
  for (double& value : values) value = 10 - 4 * value;
  EXPECT_NEAR(mean_interval(values, subjects, 200, 3).high, 10 - 4 * expected.low, 1e-12);
}

TEST(Intervals, NothingKnownIsAnError) {
  const std::vector<std::int32_t> predicted = {0}, truth = {-1};
  const std::vector<std::uint32_t> subjects = {0};
  EXPECT_THROW(balanced_accuracy_interval(predicted, truth, 2, subjects, 10, 1), Error);
}

}  // namespace
}  // namespace bauta
