// Guesses counted by subject and class, by hand and draw by draw.
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "bauta/core/random.hpp"
#include "bauta/measure/subject_tallies.hpp"

namespace bauta {
namespace {

// Class 2 of four does not occur, and the fifth sample has no class. Recalls of the first estimator: 2/3, 1/2, 1/2; of
// the second: 1/3, 1, 1.
const std::vector<std::int32_t> truth = {0, 1, 0, 3, -1, 1, 3, 0};
const std::vector<std::uint32_t> subjects = {7, 3, 7, 3, 7, 3, 9, 9};
const std::vector<std::int32_t> first = {0, 1, 0, 0, 0, 0, 3, 1}, second = {1, 1, 0, 3, 3, 1, 3, 1};

SubjectTallies both() {
  return {std::array<Predictions, 2>{first, second}, truth, 4, subjects};
}

TEST(SubjectTallies, ByHand) {
  const SubjectTallies tallies = both();
  EXPECT_EQ(tallies.estimators(), 2U);
  EXPECT_EQ(tallies.subjects(), 3U);
  EXPECT_NEAR(tallies.chance(), 1.0 / 3, 1e-15);
  EXPECT_NEAR(tallies.balanced()[0], 5.0 / 9, 1e-15);
  EXPECT_NEAR(tallies.balanced()[1], 7.0 / 9, 1e-15);
  // In order of their numbers: 3 loses one of two in classes 1 and 3, 7 gains one of three in class 0, 9 nothing.
  const std::vector<double> contributions = tallies.contributions(0, 1);
  ASSERT_EQ(contributions.size(), 3U);
  EXPECT_NEAR(contributions[0], -1.0 / 3, 1e-15);
  EXPECT_NEAR(contributions[1], 1.0 / 9, 1e-15);
  EXPECT_EQ(contributions[2], 0);
}

// A class that a draw lacks has the recall of everybody; a draw without anybody known has no value.
TEST(SubjectTallies, EveryDrawIsExact) {
  // Per subject 3, 7, 9 and class 0, 1, 3: samples, and right ones of the first estimator.
  const double samples[3][3] = {{0, 2, 1}, {2, 0, 0}, {1, 0, 1}}, right[3][3] = {{0, 1, 0}, {2, 0, 0}, {0, 0, 1}};
  const double of_all[3] = {2.0 / 3, 0.5, 0.5};
  const auto expected = [&](const std::array<double, 3>& weight) {
    double sum = 0;
    for (int c = 0; c < 3; ++c) {
      double total = 0, hits = 0;
      for (int s = 0; s < 3; ++s) {
        total += weight[s] * samples[s][c];
        hits += weight[s] * right[s][c];
      }
      sum += total > 0 ? hits / total : of_all[c];
    }
    return weight[0] + weight[1] + weight[2] > 0 ? sum / 3 : std::nan("");
  };
  const Matrix<double> own = both().bootstrap(60, 5), of_ten = both().bootstrap_over(10, 60, 5);
  for (std::size_t d = 0; d < 60; ++d) {
    std::array<double, 3> weight{}, among_ten{};
    Stream stream(5, "bootstrap", d), wider(5, "bootstrap", d);
    for (int i = 0; i < 3; ++i) weight[stream.below(3)] += 1;
    for (int i = 0; i < 10; ++i) {
      const std::uint64_t who = wider.below(10);
      if (who == 3) among_ten[0] += 1;
      if (who == 7) among_ten[1] += 1;
      if (who == 9) among_ten[2] += 1;
    }
    EXPECT_NEAR(own(d, 0), expected(weight), 1e-15);
    if (std::isnan(expected(among_ten))) {
      EXPECT_TRUE(std::isnan(of_ten(d, 0)));
    } else {
      EXPECT_NEAR(of_ten(d, 0), expected(among_ten), 1e-15);
    }
  }
}

// By hand. Four people with samples of two classes. Class 0: right 2, 1, 1, 0 of 2 each: recall 1/2, distances 1, 0, 0,
// -1, variance (1 + 1) / (1 - 1/4) / 64, worth 6 of 8 trials, 6 / (1 - 6/8) = 24 degrees of freedom. Class 1: right 1,
// 2, 0, 1 of 1, 2, 2, 3: distances 1/2, 1, -1, -1/2, variance (1/4 / (7/8) + 1 / (6/8) + 1 / (6/8) + 1/4 / (5/8)) / 64,
// and 1/4 of 0.0130952 that these do not show, worth 4.49198 of 8, 13.683 degrees. Both are above what the correlation
// of 0.307 within people gives. Wilson about 1/2 reaches t / (2 sqrt(n + t^2)) either way; t = 2.0639 (tables)
// and 2.14948 (between those of 13 and 14 degrees). The recalls go together by 1 / sqrt(2 * 2.5).
TEST(SubjectTallies, IntervalOfClassesThatPartlyMoveTogether) {
  std::vector<std::int32_t> t, guess;
  std::vector<std::uint32_t> s;
  const auto add = [&](std::uint32_t subject, std::int32_t cls, int right, int of) {
    for (int k = 0; k < of; ++k) {
      s.push_back(subject);
      t.push_back(cls);
      guess.push_back(k < right ? cls : -1);
    }
  };
  const int hits[2][4] = {{2, 1, 1, 0}, {1, 2, 0, 1}}, all[2][4] = {{2, 2, 2, 2}, {1, 2, 2, 3}};
  for (std::uint32_t subject = 0; subject < 4; ++subject) {
    for (const int c : {0, 1}) add(subject, c, hits[c][subject], all[c][subject]);
  }
  const double a = 2.0639 / (2 * std::sqrt(6 + 2.0639 * 2.0639)) / 2;
  const double b = 2.14948 / (2 * std::sqrt(4.49198 + 2.14948 * 2.14948)) / 2;
  const double half = std::sqrt(a * a + b * b + 2 * a * b / std::sqrt(5.0));
  for (const std::size_t classes : {2U, 3U}) {  // a class that does not occur changes nothing
    const Interval interval = balanced_accuracy_interval(guess, t, classes, s);
    EXPECT_NEAR(interval.low, 0.5 - half, 1e-5);
    EXPECT_NEAR(interval.high, 0.5 + half, 1e-5);
  }
}

}  // namespace
}  // namespace bauta
