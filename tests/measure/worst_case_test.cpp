// The best of several estimators: coverage of its interval, bias of its value, and what the naive interval does.
#include "bauta/measure/worst_case.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "bauta/core/parallel.hpp"
#include "bauta/measure/classification.hpp"
#include "simulated_attackers.hpp"

namespace bauta {
namespace {

using Guesses = SimulatedAttackers;

struct Coverage {
  int corrected = 0, naive = 0, below = 0, significant = 0;
  double bias = 0, corrected_bias = 0;
};

Coverage cover(const std::vector<double>& rate, int trials) {
  const double best = *std::max_element(rate.begin(), rate.end());
  return parallel_reduce(
      static_cast<std::size_t>(trials), Coverage{},
      [&](std::size_t trial) {
        const Guesses g = simulate_attackers(rate, 100, 4, 0.4, trial);
        const WorstCase worst = g.worst(400, trial);
        const Interval naive = balanced_accuracy_interval(g.predicted[worst.best], g.truth, 2, g.subjects);
        return Coverage{worst.ci.low <= best && best <= worst.ci.high,
                        naive.low <= best && best <= naive.high,
                        worst.ci.low > best,
                        worst.p <= 0.05,
                        (worst.balanced - best) / trials,
                        (worst.corrected - best) / trials};
      },
      [](Coverage& all, const Coverage& one) {
        all.corrected += one.corrected;
        all.naive += one.naive;
        all.below += one.below;
        all.significant += one.significant;
        all.bias += one.bias;
        all.corrected_bias += one.corrected_bias;
      });
}

// Eight that guess: the largest of eight independent values lies above the truth by 1.42 deviations (expected maximum
// of eight standard normals), and its naive interval misses 0.5 whenever it exceeds 1.96, in 1 - 0.975^8 = 18 % of
// runs.
TEST(WorstCase, OfEstimatorsThatAllGuess) {
  const int trials = 600;
  const Coverage coverage = cover(std::vector<double>(8, 0.5), trials);
  RecordProperty("corrected", coverage.corrected);
  RecordProperty("naive", coverage.naive);
  RecordProperty("significant", coverage.significant);
  RecordProperty("bias", std::to_string(coverage.bias));
  RecordProperty("corrected_bias", std::to_string(coverage.corrected_bias));
  // Only the lower end is at risk here: nominally 2.5 % of 600 = 15, deviation 3.8.
  EXPECT_GE(coverage.corrected, 558);
  EXPECT_LE(coverage.below, 30);
  EXPECT_GE(coverage.below, 4);
  EXPECT_LE(coverage.naive, 530);       // 492 expected
  EXPECT_GE(coverage.significant, 14);  // 30 expected, deviation 5.3
  EXPECT_LE(coverage.significant, 48);
  EXPECT_GT(coverage.bias, 0.03);
  // The draws scatter about values that are already spread by chance, so their maximum rises less than the observed one
  // did: part of the bias stays (0.026 of 0.044 in these runs).
  EXPECT_LT(coverage.corrected_bias, 0.75 * coverage.bias);
  EXPECT_GT(coverage.corrected_bias, -0.2 * coverage.bias);
}

TEST(WorstCase, OfOneThatIsFarAhead) {
  const int trials = 400;
  const Coverage coverage = cover({0.5, 0.5, 0.75, 0.5}, trials);
  RecordProperty("corrected", coverage.corrected);
  EXPECT_GE(coverage.corrected, 0.92 * trials);
  EXPECT_EQ(coverage.significant, trials);
  EXPECT_NEAR(coverage.bias, 0, 0.005);  // nobody else comes near: nothing to correct
  EXPECT_NEAR(coverage.corrected_bias, coverage.bias, 0.003);
}

TEST(WorstCase, OfEstimatorsNearlyAlike) {
  const int trials = 400;
  const Coverage coverage = cover({0.60, 0.62, 0.64, 0.61, 0.63}, trials);
  EXPECT_GE(coverage.corrected, 0.93 * trials);
}

// One estimator: the maximum is itself, and nothing is corrected.
TEST(WorstCase, OfOne) {
  const Guesses g = simulate_attackers({0.7}, 80, 3, 0.5, 5);
  const WorstCase worst = g.worst(2000, 3);
  EXPECT_EQ(worst.best, 0U);
  EXPECT_EQ(worst.of, 1U);
  EXPECT_EQ(worst.balanced, classify_result(g.predicted[0], g.truth, 2).balanced);
  EXPECT_EQ(worst.corrected, worst.balanced);
  const Interval plain = balanced_accuracy_interval(g.predicted[0], g.truth, 2, g.subjects);
  EXPECT_NEAR(worst.ci.low, plain.low, 1e-12);
  EXPECT_NEAR(worst.ci.high, plain.high, 1e-12);
}

// Copies of one estimator are no further attempts.
TEST(WorstCase, CopiesCountOnce) {
  Guesses g = simulate_attackers({0.6}, 60, 3, 0.5, 6);
  const WorstCase alone = g.worst(500, 3);
  g.predicted.resize(6, g.predicted[0]);
  const WorstCase six = g.worst(500, 3);
  EXPECT_EQ(six.of, 6U);
  EXPECT_EQ(six.ci.low, alone.ci.low);
  EXPECT_EQ(six.ci.high, alone.ci.high);
  EXPECT_EQ(six.corrected, alone.corrected);
  EXPECT_EQ(six.p, alone.p);
}

// Never wrong on 15 people of each class: half of the class's own lower end, and root 2 because there are two of them
// (MOVER of Wilson's 15 of 15, which is 0.7961: 1 - 0.5 sqrt(2) 0.2039).
TEST(WorstCase, WhatResamplingCannotSee) {
  Guesses g = simulate_attackers({0.5, 0.5}, 30, 2, 0.5, 7);
  g.predicted[0] = g.truth;                  // never wrong
  g.predicted[1].assign(g.truth.size(), 1);  // always says the same
  const WorstCase perfect = g.worst(200, 1);
  EXPECT_EQ(perfect.best, 0U);
  const double alone = 1 - std::sqrt(0.5) * (1 - wilson(15, 15).low);
  EXPECT_NEAR(alone, 0.8558, 1e-4);
  EXPECT_LT(perfect.ci.low, alone);  // one of two
  EXPECT_GT(perfect.ci.low, alone - 0.05);
  EXPECT_EQ(perfect.ci.high, 1);
  EXPECT_NEAR(perfect.p, 1.0 / 201, 1e-15);
  g.predicted.erase(g.predicted.begin());
  const WorstCase constant = g.worst(200, 1);  // who said the same thirty times may say something else
  EXPECT_NEAR(constant.ci.low, 0.5 - 0.5 * (1 - wilson(15, 15).low), 1e-12);
  EXPECT_NEAR(constant.ci.high, 0.5 + 0.5 * (1 - wilson(15, 15).low), 1e-12);
  EXPECT_GT(constant.p, 0.4);
}

TEST(WorstCase, SameBitsForAnyNumberOfThreads) {
  const Guesses g = simulate_attackers({0.5, 0.6, 0.55}, 90, 3, 0.5, 8);
  const int before = threads();
  set_threads(1);
  const WorstCase one = g.worst(300, 2);
  set_threads(4);
  const WorstCase four = g.worst(300, 2);
  set_threads(before);
  EXPECT_EQ(one.ci.low, four.ci.low);
  EXPECT_EQ(one.ci.high, four.ci.high);
  EXPECT_EQ(one.corrected, four.corrected);
  EXPECT_EQ(one.p, four.p);
}

}  // namespace
}  // namespace bauta
