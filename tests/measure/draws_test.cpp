// Draws are those that intervals come from, and belong together over one population.
#include "bauta/measure/draws.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "bauta/core/random.hpp"
#include "bauta/measure/identification.hpp"
#include "bauta/measure/intervals.hpp"
#include "simulated_attackers.hpp"

namespace bauta {
namespace {

void expect_interval(const Interval& interval, const std::vector<double>& draws) {
  const Interval same = percentile_interval(draws);
  EXPECT_EQ(same.low, interval.low);
  EXPECT_EQ(same.high, interval.high);
}

TEST(Draws, AreThoseThatIntervalsComeFrom) {
  const SimulatedAttackers g = simulate_attackers({0.7}, 40, 3, 0.5, 1);
  expect_interval(balanced_accuracy_interval(g.predicted[0], g.truth, 2, g.subjects, 200, 5),
                  drawn_balanced_accuracy(g.predicted[0], g.truth, 2, g.subjects, {200, 5}));
  std::vector<std::uint8_t> success;
  std::vector<double> values;
  std::vector<Standing> standings;
  for (std::size_t i = 0; i < g.truth.size(); ++i) {
    success.push_back(g.predicted[0][i] == g.truth[i]);
    values.push_back(static_cast<double>(i % 7));
    standings.push_back({.above = static_cast<std::uint32_t>(i % 3), .tied = 1, .candidates = 9});
  }
  expect_interval(success_interval(success, g.subjects, 200, 5), drawn_success(success, g.subjects, {200, 5}));
  expect_interval(mean_interval(values, g.subjects, 200, 5), drawn_mean(values, g.subjects, {200, 5}));
  expect_interval(mixture_at(1, standings, g.subjects, 200, 5).ci, drawn_mixture(1, standings, g.subjects, {200, 5}));
  standings[0].tied = 2;  // no longer all or nothing
  expect_interval(mixture_at(1, standings, g.subjects, 200, 5).ci, drawn_mixture(1, standings, g.subjects, {200, 5}));
}

// Six people, of whom 1, 3 and 4 have one sample each: a draw holds each as often as the stream names their number.
TEST(Draws, OverAPopulationTakeItsNumbers) {
  const std::array<std::uint32_t, 3> subjects = {4, 1, 3};
  const std::array<double, 3> values = {8, 2, 4};
  const std::array<std::int32_t, 3> predicted = {0, 1, 0}, truth = {0, 0, 0};
  const Drawing drawing{300, 9, 6};
  const auto means = drawn_mean(values, subjects, drawing);
  const auto rates = drawn_balanced_accuracy(predicted, truth, 1, subjects, drawing);
  int empty = 0;
  for (std::size_t d = 0; d < 300; ++d) {
    Stream stream(9, "bootstrap", d);
    std::array<double, 6> times{};
    for (int i = 0; i < 6; ++i) times[stream.below(6)] += 1;
    const double count = times[1] + times[3] + times[4];
    if (count == 0) {
      ++empty;
      EXPECT_TRUE(std::isnan(means[d]) && std::isnan(rates[d]));
      continue;
    }
    EXPECT_EQ(means[d], (2 * times[1] + 4 * times[3] + 8 * times[4]) / count);
    EXPECT_EQ(rates[d], (times[3] + times[4]) / count);
  }
  EXPECT_GT(empty, 0);  // 300 / 2^6 = 4.7 expected
}

TEST(Draws, OfEverybodyAreTheSameWithOrWithoutPopulation) {
  const SimulatedAttackers g = simulate_attackers({0.7}, 40, 3, 0.5, 1);
  EXPECT_EQ(drawn_balanced_accuracy(g.predicted[0], g.truth, 2, g.subjects, {100, 5}),
            drawn_balanced_accuracy(g.predicted[0], g.truth, 2, g.subjects, {100, 5, 40}));
}

TEST(Draws, AreJointForTheSamePeopleInTheSameOrder) {
  const std::vector<std::string> names = {"ann", "bob"}, turned = {"bob", "ann"}, merged = {"annbob"};
  EXPECT_EQ(drawn_over(names, 1), drawn_over(names, 1));
  EXPECT_NE(drawn_over(names, 1), drawn_over(turned, 1));
  EXPECT_NE(drawn_over(names, 1), drawn_over(merged, 1));
  EXPECT_NE(drawn_over(names, 1), drawn_over(names, 2));
}

}  // namespace
}  // namespace bauta
