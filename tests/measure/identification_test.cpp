#include "bauta/measure/identification.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "bauta/core/random.hpp"

namespace bauta {
namespace {

TEST(Standing, TiesArePooled) {
  // Two above, three tied: the right one is 3rd, 4th or 5th with a third each.
  const Standing standing{.above = 2, .tied = 3, .candidates = 10};
  EXPECT_EQ(standing.hit(2), 0);
  EXPECT_NEAR(standing.hit(3), 1.0 / 3, 1e-15);
  EXPECT_NEAR(standing.hit(4), 2.0 / 3, 1e-15);
  EXPECT_EQ(standing.hit(5), 1);
  EXPECT_EQ(standing.chance(5), 0.5);
  EXPECT_EQ(standing.chance(50), 1);
}

TEST(PosteriorSums, AreThoseOfAllCandidatesAtOnce) {
  Stream stream(1, "posterior sums");
  for (const double scale : {0.1, 3.0, 400.0}) {
    std::vector<double> logs;
    PosteriorSums sums;
    for (int i = 0; i < 50; ++i) {
      logs.push_back(scale * stream.normal());
      sums.add(logs.back());
    }
    const double most = *std::max_element(logs.begin(), logs.end());
    double weight = 0, entropy = 0;
    for (const double l : logs) weight += std::exp(l - most);
    for (const double l : logs) {
      const double p = std::exp(l - most) / weight;
      EXPECT_NEAR(sums.posterior(l), p, 1e-12);
      if (p > 0) entropy -= p * std::log(p);
    }
    EXPECT_NEAR(sums.divergence(), std::log(50.0) - entropy, 1e-10);
  }
}

TEST(PosteriorSums, UniformHasNoDivergenceAndCertaintyTheMost) {
  PosteriorSums uniform, sure;
  for (int i = 0; i < 8; ++i) {
    uniform.add(-700);
    sure.add(i == 3 ? 0 : -std::numeric_limits<double>::infinity());
  }
  EXPECT_NEAR(uniform.divergence(), 0, 1e-12);
  EXPECT_NEAR(sure.divergence(), std::log(8.0), 1e-12);
}

TEST(Identification, PlacesFollowTheScoresWhereProbabilitiesAreRounded) {
  Matrix<double> p(1, 4, 0.0), logs(1, 4, 0.0);
  p(0, 3) = 1;
  const double order[] = {-3000, -2000, -1000, 0};
  std::ranges::copy(order, logs.row(0).begin());
  const auto standings = standings_of(p.view(), logs.view(), std::vector<std::int32_t>{1});
  EXPECT_EQ(standings[0].above, 2U);
  EXPECT_EQ(standings[0].tied, 1U);
  EXPECT_EQ(standings[0].posterior, 0);
}

TEST(Identification, StandingsOfProbabilities) {
  Matrix<double> p(3, 4, 0.25);
  const double second[] = {0.1, 0.6, 0.3, 0.0};
  std::ranges::copy(second, p.row(1).begin());
  const double third[] = {0.0, 0.0, 1.0, 0.0};
  std::ranges::copy(third, p.row(2).begin());
  const std::vector<std::int32_t> truth = {2, 2, 0};
  const auto standings = standings_of(p.view(), p.view(), truth);
  EXPECT_EQ(standings[0].above, 0U);
  EXPECT_EQ(standings[0].tied, 4U);
  EXPECT_NEAR(standings[0].divergence, 0, 1e-12);
  EXPECT_EQ(standings[1].above, 1U);
  EXPECT_EQ(standings[1].tied, 1U);
  EXPECT_EQ(standings[1].posterior, 0.3);
  // By hand: ln 4 + 0.1 ln 0.1 + 0.6 ln 0.6 + 0.3 ln 0.3 = 1.386294 - 0.230259 - 0.306495 - 0.361192.
  EXPECT_NEAR(standings[1].divergence, 0.488348, 1e-6);
  EXPECT_EQ(standings[2].tied, 3U);
  EXPECT_NEAR(standings[2].divergence, std::log(4.0), 1e-12);
}

TEST(Identification, PeopleAreNamedAlwaysSometimesOrNever) {
  const Standing right{.candidates = 5}, wrong{.above = 1, .candidates = 5}, tied{.tied = 2, .candidates = 5};
  // Persons 7 and 8 always, 2 sometimes, 9 never, 4 never: who ties for the first place is not given away.
  const std::vector<Standing> standings = {right, wrong, right, right, wrong, tied, right};
  const PeopleNamed named = people_named(standings, std::vector<std::uint32_t>{7, 2, 7, 2, 9, 4, 8});
  EXPECT_DOUBLE_EQ(named.always, 0.4);
  EXPECT_DOUBLE_EQ(named.never, 0.4);
  EXPECT_EQ(named.always_ci.low, wilson(2, 5).low);
  EXPECT_EQ(named.always_ci.high, wilson(2, 5).high);
}

TEST(Identification, MixtureIsTheShareThatIsMissed) {
  std::vector<Standing> standings;
  for (std::uint32_t i = 0; i < 10; ++i) standings.push_back({.above = i, .tied = 1, .candidates = 20});
  const std::vector<std::uint32_t> subjects = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const Mixture one = mixture_at(1, standings, subjects);
  EXPECT_NEAR(one.value, 0.9, 1e-12);
  EXPECT_NEAR(one.chance, 0.95, 1e-12);
  EXPECT_LT(one.ci.low, 0.9);
  EXPECT_GE(one.ci.high, 0.9);
  EXPECT_NEAR(mixture_at(5, standings, subjects).value, 0.5, 1e-12);
  // Nothing missed in ten: the interval ends where Wilson's does, not at 0.
  const std::vector<Standing> found(10, Standing{.candidates = 20});
  const Mixture none = mixture_at(1, found, subjects);
  EXPECT_EQ(none.value, 0);
  EXPECT_NEAR(none.ci.high, wilson(0, 10).high, 1e-12);
  // All candidates tied: the same part of every probe is missed, which is no certainty either.
  const std::vector<Standing> tied(10, Standing{.tied = 20, .candidates = 20});
  const Mixture guessed = mixture_at(1, tied, subjects);
  EXPECT_NEAR(guessed.value, 0.95, 1e-12);
  EXPECT_LT(guessed.ci.low, 0.8);
  EXPECT_GT(guessed.ci.high, 0.96);
}

}  // namespace
}  // namespace bauta
