// Paired comparison: exact p-values against scipy, calibration under the null, the same bits for any number of threads.
#include "bauta/measure/paired.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"

namespace bauta {
namespace {

const std::vector<std::int32_t> truth = {0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 1, 1};
const std::vector<std::uint32_t> subjects = {0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 4, 4};
const std::vector<std::int32_t> right_often = {0, 0, 0, 1, 1, 1, 1, 0, 1, 0, 1, 1};
const std::vector<std::int32_t> right_rarely = {0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0};

// sklearn 1.2.1 balanced_accuracy_score: 0.828571..., 0.414285...; scipy 1.10.1 permutation_test on the subjects'
// shares (permutation_type='samples', n_resamples=inf): 0.125. By hand: four subjects differ, all in one direction (two
// change nothing), so 2 of 2^4 sums are as far from 0.
TEST(Paired, ExactPermutationTest) {
  const PairedComparison result = compare_paired(right_often, right_rarely, truth, 2, subjects);
  EXPECT_NEAR(result.difference, 0.41428571428571426, 1e-15);
  EXPECT_TRUE(result.exact);
  EXPECT_EQ(result.p, 0.125);
  const PairedComparison mirrored = compare_paired(right_rarely, right_often, truth, 2, subjects);
  EXPECT_EQ(mirrored.difference, -result.difference);
  EXPECT_EQ(mirrored.p, 0.125);
  EXPECT_NEAR(mirrored.ci.low, -result.ci.high, 1e-15);
}

TEST(Paired, DrawnExchangesApproachTheExactOnes) {
  const PairedComparison drawn = compare_paired(right_often, right_rarely, truth, 2, subjects, {10, 15, 1});
  EXPECT_FALSE(drawn.exact);  // 16 exchanges are more than 15
  std::vector<std::int32_t> a, b, t;
  std::vector<std::uint32_t> s;
  Stream stream(1, "paired");
  for (std::uint32_t i = 0; i < 12; ++i) {
    for (int k = 0; k < 3; ++k) {
      s.push_back(i);
      t.push_back(static_cast<std::int32_t>(i % 2));
      a.push_back(stream.uniform() < 0.7 ? t.back() : -1);
      b.push_back(stream.uniform() < 0.5 ? t.back() : -1);
    }
  }
  const PairedComparison exact = compare_paired(a, b, t, 2, s, {10, 4096, 1});
  const PairedComparison many = compare_paired(a, b, t, 2, s, {10, 4000, 1});
  EXPECT_TRUE(exact.exact);
  EXPECT_NEAR(many.p, exact.p, 4 * std::sqrt(0.25 / 4000));
}

// 90 people of one sample each, of whom 75 differ: the sign of person i changes with bit i of the words that the
// stream of an exchange gives, and the observed order counts as one exchange more.
TEST(Paired, DrawnExchangesAreThoseOfTheStream) {
  std::vector<std::int32_t> t(90, 0), a, b;
  std::vector<std::uint32_t> s;
  std::vector<int> signs;
  for (std::uint32_t i = 0; i < 90; ++i) {
    s.push_back(i);
    const bool alike = i % 6 == 5, first = i % 5 < 3;
    a.push_back(alike || first ? 0 : -1);
    b.push_back(alike || !first ? 0 : -1);
    if (!alike) signs.push_back(first ? 1 : -1);
  }
  ASSERT_EQ(signs.size(), 75U);
  int observed = 0;
  for (const int sign : signs) observed += sign;
  constexpr std::size_t exchanges = 700;
  int as_far = 0;
  for (std::size_t e = 0; e < exchanges; ++e) {
    Stream stream(6, "exchange", e);
    const std::uint64_t words[] = {stream.next64(), stream.next64()};
    int sum = 0;
    for (std::size_t i = 0; i < signs.size(); ++i) sum += (words[i / 64] >> (i % 64)) % 2 != 0 ? -signs[i] : signs[i];
    as_far += std::abs(sum) >= std::abs(observed) ? 1 : 0;
  }
  const PairedComparison result = compare_paired(a, b, t, 1, s, {10, exchanges, 6});
  EXPECT_FALSE(result.exact);
  EXPECT_NEAR(result.p, (1.0 + as_far) / (1.0 + exchanges), 1e-12);
  EXPECT_GT(as_far, 10);
  EXPECT_LT(as_far, 600);
}

// What was seen, and what twelve people could have shown: Wilson's upper end of 0 of 12 is 0.2425.
TEST(Paired, WhereNobodyDisagreesPeopleCountAsTrials) {
  const Interval alike = disagreement_interval(0.3, std::vector<double>{0.3, 0.3, 0.3 + 1e-14}, 12);
  EXPECT_NEAR(alike.low, 0.3 - 0.2425, 1e-4);
  EXPECT_NEAR(alike.high, 0.3 + 0.2425, 1e-4);
}

/// Draws whose variance is that of the mean of so many people who add 1, -1 or 0.
std::vector<double> draws_of(double more, double less, double people) {
  const double difference = more - less, deviation = std::sqrt((more + less - difference * difference) / people);
  return {difference - deviation, difference + deviation};
}

// Of 100 people 10 speak for one side and 4 for the other; statsmodels 0.13 proportion_confint(method='wilson'): 0.0552
// to 0.1744 and 0.0157 to 0.0984. So 0.06 - sqrt(0.0448^2 + 0.0584^2) and 0.06 + sqrt(0.0744^2 + 0.0243^2).
TEST(Paired, WhereFewDisagreeTheirSharesHaveWilsonsIntervals) {
  const Interval ci = disagreement_interval(0.06, draws_of(0.10, 0.04, 100), 100);
  EXPECT_NEAR(ci.low, -0.0136, 2e-4);
  EXPECT_NEAR(ci.high, 0.1383, 2e-4);
  // One of 60 on one side: at most 0.0886 on it (Wilson of 1 of 60: 0.0030 to 0.0886), 0.0602 on the other.
  const Interval one = disagreement_interval(1.0 / 60, draws_of(1.0 / 60, 0, 60), 60);
  EXPECT_NEAR(one.low, 1.0 / 60 - std::hypot(1.0 / 60 - 0.0030, 0.0602), 2e-4);
  EXPECT_NEAR(one.high, 0.0886, 2e-4);
}

TEST(Paired, IntervalIsNoShorterThanWhoDisagreesAllows) {
  const std::vector<double> truths = {-0.1, 0, 0.1, 0.2};
  EXPECT_NEAR(paired_interval(truths, {0, 0.05}).low, percentile_interval(truths).low, 1e-15);
  EXPECT_NEAR(paired_interval(truths, {0, 0.05}).high, percentile_interval(truths).high, 1e-15);
  EXPECT_EQ(paired_interval(truths, {-0.3, 0.4}).low, -0.3);
  EXPECT_EQ(paired_interval(truths, {-0.3, 0.4}).high, 0.4);
}

TEST(Paired, RepeatedSamplesChangeNothing) {
  // Every sample twice, as from two rotations: the same people, the same evidence.
  auto twice = [](auto values) {
    const auto once = values;
    values.insert(values.end(), once.begin(), once.end());
    return values;
  };
  const PairedComparison once = compare_paired(right_often, right_rarely, truth, 2, subjects);
  const PairedComparison result =
      compare_paired(twice(right_often), twice(right_rarely), twice(truth), 2, twice(subjects));
  EXPECT_NEAR(result.difference, once.difference, 1e-15);
  EXPECT_EQ(result.p, once.p);
  EXPECT_GT(result.ci.high - result.ci.low, 0.9 * (once.ci.high - once.ci.low));
}

// Two attackers with independent errors on one class of 200 people, 120 and 100 right: the closed form of the
// difference of independent rates, 0.1 +- 1.96 sqrt(.6 .4 / 200 + .5 .5 / 200) = 0.1 +- 0.097.
TEST(Paired, IntervalOfIndependentRates) {
  std::vector<std::int32_t> t(200, 0), a, b;
  std::vector<std::uint32_t> s;
  for (std::uint32_t i = 0; i < 200; ++i) {
    s.push_back(i);
    a.push_back(i % 10 < 6 ? 0 : -1);
    b.push_back(i / 10 % 2 == 0 ? 0 : -1);  // of each ten alike: independent of the other's
  }
  const PairedComparison result = compare_paired(a, b, t, 1, s, {4000, 100, 9});
  EXPECT_NEAR(result.difference, 0.1, 1e-12);
  EXPECT_NEAR(result.ci.low, 0.003, 0.012);
  EXPECT_NEAR(result.ci.high, 0.197, 0.012);
  // The same hundred and twenty: one is right wherever the other is, and on twenty people more. Closed form of the
  // paired difference: 0.1 +- 1.96 sqrt(.1 .9 / 200) = 0.1 +- 0.042.
  std::vector<std::int32_t> fewer = a;
  for (std::size_t i = 0; i < 200; i += 10) fewer[i] = -1;
  const PairedComparison nested = compare_paired(a, fewer, t, 1, s, {4000, 100, 9});
  EXPECT_NEAR(nested.difference, 0.1, 1e-12);
  EXPECT_NEAR(nested.ci.low, 0.058, 0.012);
  EXPECT_NEAR(nested.ci.high, 0.142, 0.012);
}

TEST(Paired, NoDifferenceSeenIsNotNoUncertainty) {
  const PairedComparison result = compare_paired(right_often, right_often, truth, 2, subjects);
  EXPECT_EQ(result.difference, 0);
  EXPECT_EQ(result.p, 1);
  EXPECT_NEAR(result.ci.high, wilson(0, 6).high, 1e-15);
  EXPECT_NEAR(result.ci.low, -wilson(0, 6).high, 1e-15);
}

// Two estimators of equal quality, whose guesses on one subject hang together (a subject is easy or hard for each). A
// test that took samples for independent would reject far more often.
TEST(Paired, CalibratedUnderTheNull) {
  const std::size_t trials = 600;
  std::vector<PairedComparison> results(trials);
  parallel_for(trials, [&](std::size_t trial, int) {
    Stream stream(21, "null", trial);
    std::vector<std::int32_t> a, b, t;
    std::vector<std::uint32_t> s;
    for (std::uint32_t i = 0; i < 50; ++i) {
      const double easy_a = stream.uniform(), easy_b = stream.uniform();
      for (int k = 0; k < 6; ++k) {
        s.push_back(i);
        t.push_back(static_cast<std::int32_t>(i % 2));
        a.push_back(stream.uniform() < easy_a ? t.back() : -1);
        b.push_back(stream.uniform() < easy_b ? t.back() : -1);
      }
    }
    results[trial] = compare_paired(a, b, t, 2, s, {400, 400, trial});
  });
  int rejected = 0, covered = 0;
  for (const PairedComparison& result : results) {
    rejected += result.p <= 0.05;
    covered += result.ci.low <= 0 && 0 <= result.ci.high;
  }
  // Binomial(600, 0.05): mean 30, deviation 5.3; bounds at three deviations. The bootstrap is known to be a little
  // short with 50 subjects.
  EXPECT_GE(rejected, 14);
  EXPECT_LE(rejected, 46);
  EXPECT_GE(covered, 546);
  EXPECT_LE(covered, 592);
  RecordProperty("rejected", rejected);
  RecordProperty("covered", covered);
}

TEST(Paired, SameBitsForAnyNumberOfThreads) {
  Stream stream(3, "threads");
  std::vector<std::int32_t> a, b, t;
  std::vector<std::uint32_t> s;
  for (std::uint32_t i = 0; i < 300; ++i) {
    s.push_back(i / 3);
    t.push_back(static_cast<std::int32_t>(i / 3 % 3));
    a.push_back(static_cast<std::int32_t>(stream.below(3)));
    b.push_back(static_cast<std::int32_t>(stream.below(3)));
  }
  const int before = threads();
  set_threads(1);
  const PairedComparison one = compare_paired(a, b, t, 3, s);
  set_threads(4);
  const PairedComparison four = compare_paired(a, b, t, 3, s);
  set_threads(before);
  EXPECT_EQ(one.p, four.p);
  EXPECT_EQ(one.ci.low, four.ci.low);
  EXPECT_EQ(one.ci.high, four.ci.high);
  EXPECT_FALSE(one.exact);
}

}  // namespace
}  // namespace bauta
