// Draws of subjects belong together over one population.
#include "bauta/measure/draws.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "bauta/core/random.hpp"
#include "bauta/measure/intervals.hpp"
#include "simulated_attackers.hpp"

namespace bauta {
namespace {

// A class of two among 32 people is absent from about one draw in eight: its recall is then that of everybody, and the
// mean stays one over both classes.
TEST(Draws, LackNoClass) {
  std::vector<std::int32_t> truth, same;
  std::vector<std::uint32_t> subjects;
  for (std::uint32_t s = 0; s < 32; ++s) {
    subjects.push_back(s);
    truth.push_back(s < 30 ? 0 : 1);
    same.push_back(0);
  }
  for (const double value : drawn_balanced_accuracy(same, truth, 2, subjects, {300, 1})) EXPECT_EQ(value, 0.5);
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

// One of two samples of every person succeeds: half, whoever is drawn. Both of everybody: all.
TEST(Draws, OfSuccessesAreTheirShare) {
  const std::array<std::uint32_t, 6> subjects = {0, 1, 2, 0, 1, 2};
  const auto drawn = [&](std::array<std::uint8_t, 6> success) { return drawn_success(success, subjects, {50, 3}); };
  for (const double share : drawn({1, 0, 1, 0, 1, 0})) EXPECT_EQ(share, 0.5);
  for (const double share : drawn({1, 1, 1, 1, 1, 1})) EXPECT_EQ(share, 1);
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
