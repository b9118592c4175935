// Closed-form intervals against scipy 1.10.1 (scipy.stats.binomtest(k, n).proportion_ci, scipy.stats.norm.ppf),
// quantiles against numpy 1.24.2, and rates of subjects by hand.
#include "bauta/measure/intervals.hpp"

#include <cmath>
#include <numbers>

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

// Closed forms of one and two degrees of freedom; tables of Student's t (2.262, 2.040).
TEST(Intervals, StudentsQuantiles) {
  EXPECT_NEAR(student_quantile(1), std::tan(0.475 * std::numbers::pi), 1e-8);
  EXPECT_NEAR(student_quantile(2), 0.95 * std::sqrt(2 / (4 * 0.975 * 0.025)), 1e-9);
  EXPECT_NEAR(student_quantile(9), 2.262, 5e-4);
  EXPECT_NEAR(student_quantile(31), 2.040, 5e-4);
  EXPECT_NEAR(student_quantile(1000), student_quantile(1000.001), 1e-8);  // the closed form meets the series
  EXPECT_NEAR(student_quantile(HUGE_VAL), 1.959963984540054, 1e-14);
}

TEST(Intervals, SubjectsStandTogether) {
  // 20 subjects, 50 samples each, a subject's samples all succeed or all fail: the interval must be that of 20 trials,
  // not of 1000. Variance of the mean of 20 subjects: .25 / 19; worth 19 trials of 1000, with Student's quantile of
  // 19 / .981 degrees of freedom, 2.092: 0.5 +- 2.092 sqrt(.25 / (19 + 2.092^2)) = 0.5 +- 0.216.
  std::vector<std::uint8_t> success;
  std::vector<std::uint32_t> together, apart;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    success.push_back(i / 50 % 2 == 0);
    together.push_back(7 * (i / 50));  // ids need not be dense
    apart.push_back(i);
  }
  const Interval wide = success_interval(success, together);
  EXPECT_NEAR(wide.low, 0.284, 0.001);
  EXPECT_NEAR(wide.high, 0.716, 0.001);
  const Interval narrow = success_interval(success, apart);
  EXPECT_NEAR(narrow.low, wilson(500, 1000).low, 1e-4);  // 999 trials
  EXPECT_NEAR(narrow.high, wilson(500, 1000).high, 1e-4);
  // Each subject half right: worth no more than all samples.
  std::vector<std::uint8_t> halves;
  for (std::uint32_t i = 0; i < 1000; ++i) halves.push_back(i % 2 == 0);
  EXPECT_NEAR(success_interval(halves, together).low, wilson(500, 1000).low, 1e-12);
  halves[0] = 0;
  EXPECT_NEAR(success_interval(halves, together).low, wilson(499, 1000).low, 1e-12);
}

TEST(Intervals, NoErrorSeenIsNotNoUncertainty) {
  const std::vector<std::uint8_t> success(100, 1);
  std::vector<std::uint32_t> subjects;
  for (std::uint32_t i = 0; i < 100; ++i) subjects.push_back(i / 10);
  const Interval interval = success_interval(success, subjects);
  EXPECT_NEAR(interval.low, 0.722467200137111, 1e-13);  // Wilson for 10 of 10: one trial per subject
  EXPECT_EQ(interval.high, 1);
  const std::vector<double> draws(50, 1.0);
  EXPECT_NEAR(drawn_rate_interval(1, draws, 100, 10)->low, 0.722467200137111, 1e-13);
  EXPECT_FALSE(widened_percentiles(draws, 10));
}

// 30 people of one class, 2 of another, always the same guess. Wilson of 30 of 30 ends at 0.8865, of 0 of 2 at 0.6576:
// 0.5 - 0.1135 / 2 and 0.5 + 0.6576 / 2.
TEST(Intervals, OfAClassOfTwo) {
  std::vector<std::int32_t> truth, same(64, 0);
  std::vector<std::uint32_t> subjects;
  for (std::uint32_t i = 0; i < 64; ++i) {
    subjects.push_back(i / 2);
    truth.push_back(i / 2 < 30 ? 0 : 1);
  }
  const Interval interval = balanced_accuracy_interval(same, truth, 2, subjects);
  EXPECT_NEAR(interval.low, 0.5 - 0.5 * (1 - wilson(30, 30).low), 1e-14);
  EXPECT_NEAR(interval.low, 0.4432, 1e-4);
  EXPECT_NEAR(interval.high, 0.5 + 0.5 * wilson(0, 2).high, 1e-14);
  EXPECT_NEAR(interval.high, 0.8288, 1e-4);
}

// numpy 1.24.2, the formulas of docs/measures.md written out: person 0 has 300 samples, half of them right, nine others
// two each, seven of these 18 right. As long as their samples may stand or fall together, one person is one.
TEST(Intervals, WhoHasMostSamplesIsOnePerson) {
  std::vector<std::uint8_t> success;
  std::vector<std::uint32_t> subjects;
  const auto add = [&](std::uint32_t person, std::size_t right, std::size_t all) {
    for (std::size_t i = 0; i < all; ++i) {
      success.push_back(i < right);
      subjects.push_back(person);
    }
  };
  add(0, 150, 300);
  for (std::uint32_t person = 1; person < 10; ++person) add(person, person < 8 ? 1 : 0, 2);
  const Interval interval = success_interval(success, subjects);
  EXPECT_NEAR(interval.low, 0.04869996646337327, 1e-9);
  EXPECT_NEAR(interval.high, 0.9489152777703285, 1e-9);
}

// One sample more or less of two people with fifty each does not make them many.
TEST(Intervals, OfAClassOfTwoDoNotJump) {
  const auto width = [](std::size_t second) {
    std::vector<std::int32_t> predicted, truth;
    std::vector<std::uint32_t> subjects;
    for (std::uint32_t person = 0; person < 30; ++person) {
      for (std::uint32_t i = 0; i < 3; ++i) {
        truth.push_back(0);
        predicted.push_back((person + i) % 10 < 7 || person < 10 ? 0 : 1);
        subjects.push_back(person);
      }
    }
    for (std::uint32_t person = 0; person < 2; ++person) {
      for (std::size_t i = 0; i < 50; ++i) {
        truth.push_back(1);
        predicted.push_back(i < (person == 0 ? 30 : second) ? 1 : 0);
        subjects.push_back(30 + person);
      }
    }
    const Interval interval = balanced_accuracy_interval(predicted, truth, 2, subjects);
    return interval.high - interval.low;
  };
  EXPECT_NEAR(width(30), width(31), 0.02);
  EXPECT_GT(width(31), 0.25);
}

// By hand. Class 0: four people with (right, of) 2 2, 1 2, 2 2, 1 2: recall 3/4, distances +-1/2, variance
// 4/3 * 1 / 64 = 1/48, worth min(8, 3/16 * 48 = 9) = 8 trials: the normal quantile. Class 1: two people with 0 1, 2 3:
// recall 1/2, distances +-1/2, over 3/4 and 1/4: (1/3 + 1) / 16 = 1/12. W = 10/16, and what is unseen is
// 1/4 (1/16 (1/4 - 5/8) / (3/4) + 9/16 (3/4 - 5/8) / (1/4)) = 1/16. Worth 1/4 / (7/48) = 12/7 of 4, of which 4/7 say
// nothing new: 4 / (4/7) = 7 degrees of freedom. Samples of one person agree less than chance: no correlation.
TEST(Intervals, OfBalancedAccuracyByHand) {
  const std::vector<std::int32_t> truth = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, -1};
  const std::vector<std::int32_t> predicted = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0};
  const std::vector<std::uint32_t> subjects = {0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 5, 5, 6};
  const double t = student_quantile(7), half = 0.5 * t / std::sqrt(12.0 / 7 + t * t);
  const Interval a = wilson(6, 8), b = {0.5 - half, 0.5 + half};
  const Interval got = balanced_accuracy_interval(predicted, truth, 2, subjects);
  EXPECT_NEAR(got.low, 0.625 - 0.5 * std::hypot(0.75 - a.low, 0.5 - b.low), 1e-12);
  EXPECT_NEAR(got.high, 0.625 + 0.5 * std::hypot(a.high - 0.75, b.high - 0.5), 1e-12);
}

// Every subject in both classes, and right in both or in neither: the recalls move together, and their mean is as
// uncertain as one of them.
TEST(Intervals, ClassesOfTheSameSubjectsMoveTogether) {
  std::vector<std::int32_t> truth, predicted, first;
  std::vector<std::uint32_t> subjects, of_first;
  for (std::uint32_t s = 0; s < 40; ++s) {
    for (const std::int32_t c : {0, 1}) {
      truth.push_back(c);
      subjects.push_back(s);
      predicted.push_back(s % 4 == 0 ? -1 : c);
    }
    of_first.push_back(s);
    first.push_back(predicted[2 * s]);
  }
  const Interval both = balanced_accuracy_interval(predicted, truth, 2, subjects);
  const Interval one = balanced_accuracy_interval(first, std::vector<std::int32_t>(40, 0), 1, of_first);
  EXPECT_NEAR(both.low, one.low, 1e-3);  // 78 degrees of freedom in place of 39
  EXPECT_NEAR(both.high, one.high, 1e-3);
}

TEST(Intervals, SharesOfZerosAndOnesAreASuccessRate) {
  Stream stream(5, "mean");
  std::vector<double> values;
  std::vector<std::uint8_t> success;
  std::vector<std::uint32_t> subjects;
  for (std::uint32_t i = 0; i < 60; ++i) {
    subjects.push_back(i * i % 17);
    success.push_back(stream.uniform() < 0.7 ? 1 : 0);
    values.push_back(success.back());
  }
  const Interval expected = success_interval(success, subjects), got = share_interval(values, subjects);
  EXPECT_NEAR(got.low, expected.low, 1e-14);
  EXPECT_NEAR(got.high, expected.high, 1e-14);
}

// Percentiles of 5 subjects' draws are taken further out: sqrt(5 / 4) 2.776 = 3.104 deviations, where the normal
// distribution has 0.00096 (scipy.stats.norm.cdf(-3.104)).
TEST(Intervals, PercentilesOfFewSubjectsAreWidened) {
  std::vector<double> draws(10001);
  for (std::size_t d = 0; d < draws.size(); ++d) draws[d] = static_cast<double>(d) / 10000;
  const auto interval = widened_percentiles(draws, 5);
  EXPECT_NEAR(interval->low, 0.00096, 1e-5);
  EXPECT_NEAR(interval->high, 1 - 0.00096, 1e-5);
  EXPECT_NEAR(widened_percentiles(draws, 100000)->low, 0.025, 1e-5);
  EXPECT_FALSE(widened_percentiles(draws, 1));
}

// Draws 0.5, 0.6, 0.7 have the variance 1/150, n / (n - 1) of it over n subjects, whatever the value in their middle
// is: worth 30 trials for 5 subjects and 18.75 for 2. Wilson about 1/2 reaches t / (2 sqrt(trials + t^2)); t of 4, 1
// and 9 degrees of freedom is 2.7764, 12.706 and 2.2622 (tables).
TEST(Intervals, OfRatesThatWereDrawn) {
  const double nan = std::nan("");
  const std::vector<double> draws = {0.5, nan, 0.6, 0.7}, alike = {0.5, 0.5 + 1e-13}, nearly = {0.5 - 1e-9, 0.5 + 1e-9};
  const auto half = [](double trials, double t) { return t / (2 * std::sqrt(trials + t * t)); };
  EXPECT_NEAR(drawn_rate_interval(0.5, draws, 100, 5)->high, 0.5 + half(30, 2.7764), 1e-5);
  EXPECT_NEAR(drawn_rate_interval(0.5, draws, 100, 5)->low, 0.5 - half(30, 2.7764), 1e-5);
  EXPECT_NEAR(drawn_rate_interval(0.5, draws, 20, 5)->high, 0.5 + half(20, 2.7764), 1e-5);
  EXPECT_NEAR(drawn_rate_interval(0.5, draws, 100, 2)->high, 0.5 + half(18.75, 12.706), 1e-5);
  EXPECT_NEAR(drawn_rate_interval(0.5, alike, 100, 10)->high, wilson(5, 10).high, 1e-12);  // rounding is no spread
  EXPECT_NEAR(drawn_rate_interval(0.5, nearly, 100, 10)->high, 0.5 + half(100, 2.2622), 1e-5);
  EXPECT_FALSE(drawn_rate_interval(0.5, std::vector<double>{nan}, 100, 5));
  EXPECT_FALSE(drawn_rate_interval(0.5, draws, 100, 0));
}

TEST(Intervals, RoundingIsNoSpread) {
  EXPECT_FALSE(widened_percentiles(std::vector<double>{1, 1 + 0.9e-12}, 10));
  EXPECT_FALSE(widened_percentiles(std::vector<double>{-1e6, -1e6 - 0.9e-6}, 10));
  EXPECT_TRUE(widened_percentiles(std::vector<double>{1, 1 + 1.1e-12}, 10));
  EXPECT_TRUE(widened_percentiles(std::vector<double>{0, 1e-13}, 2));
  EXPECT_FALSE(widened_percentiles(std::vector<double>{std::nan("")}, 10));
}

TEST(Intervals, NothingKnownIsAnError) {
  const std::vector<std::int32_t> predicted = {0}, truth = {-1};
  const std::vector<std::uint32_t> subjects = {0};
  EXPECT_THROW(balanced_accuracy_interval(predicted, truth, 2, subjects), Error);
}

}  // namespace
}  // namespace bauta
