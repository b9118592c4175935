// The attacker who sees decisions only, against hand-made systems and closed forms.
#include "bauta/attack/decisions.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"

namespace bauta {
namespace {

constexpr std::size_t samples = 100;

std::vector<std::int32_t> alternating_classes() {
  std::vector<std::int32_t> classes(samples);
  for (std::size_t i = 0; i < samples; ++i) classes[i] = static_cast<std::int32_t>(i % 2);
  return classes;
}

/// Every target matches exactly the given samples.
Decisions system_with_matches(std::size_t targets, const std::vector<std::size_t>& matching) {
  std::vector<float> scores(samples, 0.0F);
  for (const std::size_t sample : matching) scores[sample] = 1.0F;
  Decisions decisions(targets, samples, 0.5);
  for (std::size_t t = 0; t < targets; ++t) decisions.record(t, 0, scores);
  return decisions;
}

double share_decided(const OnlineGuess& guess) {
  return std::accumulate(guess.decided.begin(), guess.decided.end(), 0.0) / static_cast<double>(guess.decided.size());
}

double share_predicted(const OnlineGuess& guess, std::int32_t code) {
  return static_cast<double>(std::count(guess.predicted.begin(), guess.predicted.end(), code)) /
         static_cast<double>(guess.predicted.size());
}

TEST(Decisions, AScoreAtTheThresholdMatches) {
  Decisions decisions(1, 3, 0.25);
  const std::vector<float> scores = {0.25F, std::nextafter(0.25F, 0.0F), 0.5F};
  decisions.record(0, 0, scores);
  EXPECT_TRUE(decisions.match(0, 0));
  EXPECT_FALSE(decisions.match(0, 1));
  EXPECT_TRUE(decisions.match(0, 2));
}

TEST(Decisions, EachTargetHasItsOwn) {
  for (const std::size_t count : {63U, 64U, 65U}) {
    Decisions decisions(3, count, 0.5);
    decisions.record(1, 0, std::vector<float>(count, 1.0F));
    for (std::size_t sample = 0; sample < count; ++sample) {
      ASSERT_FALSE(decisions.match(0, sample));
      ASSERT_TRUE(decisions.match(1, sample));
      ASSERT_FALSE(decisions.match(2, sample));
    }
  }
}

TEST(Decisions, TheEngineFillsThemLikeACallByHand) {
  const auto comparator = make_comparator("dot");
  Stream stream(3, "test");
  const auto random_rows = [&](std::size_t n) {
    Matrix<float> rows(n, 4);
    for (float& value : std::span(rows.data(), rows.size())) value = static_cast<float>(stream.normal());
    return Templates(std::move(rows));
  };
  const Templates targets = random_rows(700);
  const Templates attackers = random_rows(130);
  const auto t = comparator->prepare(targets, Side::reference, "targets");
  const auto a = comparator->prepare(attackers, Side::probe, "attackers");
  Decisions decisions(700, 130, 1.0);
  TileConsumer* const consumers[] = {&decisions};
  compare_all(*comparator, *t, *a, Pairs::all, consumers);
  std::size_t matches = 0;
  Matrix<float> scores(1, 130);
  for (std::size_t i = 0; i < 700; ++i) {
    comparator->tile(*t, {i, i + 1}, *a, {0, 130}, scores.view());
    for (std::size_t j = 0; j < 130; ++j) {
      // BLAS may round the last bit differently for another shape.
      if (std::abs(scores(0, j) - 1.0F) < 1e-5F) continue;
      ASSERT_EQ(decisions.match(i, j), scores(0, j) >= 1.0F) << i << ' ' << j;
      matches += decisions.match(i, j) ? 1 : 0;
    }
  }
  EXPECT_GT(matches, 1000U);
}

// One matching sample among 100: it is among the first q of a random order with probability q / 100.
TEST(OnlineAttack, OneMatchIsFoundInProportionToTheQueries) {
  constexpr std::size_t targets = 20000;
  const auto guesses = online_attack(system_with_matches(targets, {17}), alternating_classes(), 2,
                                     {1, 10, 50, 100, 1000}, Refusal::message, 1);
  for (const OnlineGuess& guess : guesses) {
    const double p = static_cast<double>(guess.queries) / samples;
    const double error = 3.5 * std::sqrt(std::max(p * (1 - p), 1e-12) / targets);
    EXPECT_NEAR(share_decided(guess), p, error) << guess.queries;
    // Undecided: a fair draw. Sample 17 is of class 1.
    EXPECT_NEAR(share_predicted(guess, 1), p + (1 - p) / 2, 3.5 * 0.5 / std::sqrt(targets)) << guess.queries;
  }
  EXPECT_EQ(guesses.back().queries, samples);
  EXPECT_EQ(share_predicted(guesses.back(), 1), 1.0);
}

// Whoever has asked everything knows no more by asking again, and guesses no other class.
TEST(OnlineAttack, BudgetsBeyondTheSamplesAreOneAttack) {
  const auto guesses = online_attack(system_with_matches(500, {17, 20}), alternating_classes(), 2, {100, 101, 5000},
                                     Refusal::message, 1);
  EXPECT_EQ(guesses[1].predicted, guesses[0].predicted);
  EXPECT_EQ(guesses[2].predicted, guesses[0].predicted);
  EXPECT_NEAR(share_predicted(guesses[0], 1), 0.5, 3.5 * 0.5 / std::sqrt(500.0));  // one match of each class
}

TEST(Decisions, PlacedAmongMoreTargets) {
  Decisions decisions(2, 70, 0.5);
  decisions.record(0, 69, std::vector<float>(1, 1.0F));
  decisions.record(1, 0, std::vector<float>(1, 1.0F));
  const Decisions all = decisions.placed(std::vector<std::size_t>{1, 3}, 4);
  ASSERT_EQ(all.targets(), 4U);
  for (std::size_t target = 0; target < 4; ++target) {
    for (std::size_t sample = 0; sample < 70; ++sample) {
      const bool matches = (target == 1 && sample == 69) || (target == 3 && sample == 0);
      ASSERT_EQ(all.match(target, sample), matches) << target << " " << sample;
    }
  }
}

// Two matching samples must both be asked: q (q - 1) / (100 * 99).
TEST(OnlineAttack, RandomKeysHideTheFirstMatch) {
  constexpr std::size_t targets = 20000;
  const Decisions decisions = system_with_matches(targets, {17, 43});
  const auto guesses = online_attack(decisions, alternating_classes(), 2, {1, 10, 50, 100}, Refusal::random_key, 1);
  for (const OnlineGuess& guess : guesses) {
    const auto q = static_cast<double>(guess.queries);
    const double p = q * (q - 1) / (100.0 * 99.0);
    EXPECT_NEAR(share_decided(guess), p, 3.5 * std::sqrt(std::max(p * (1 - p), 1e-12) / targets)) << q;
  }
  // A single match is never recognised.
  const auto single =
      online_attack(system_with_matches(50, {17}), alternating_classes(), 2, {100}, Refusal::random_key, 1);
  EXPECT_EQ(share_decided(single[0]), 0.0);
}

TEST(OnlineAttack, TheClassWithMoreMatchesIsBelieved) {
  // Samples 1, 3, 5 are of class 1; 0 and 2 of class 0.
  const auto guesses =
      online_attack(system_with_matches(200, {0, 2, 1, 3, 5}), alternating_classes(), 2, {100}, Refusal::message, 1);
  EXPECT_EQ(share_predicted(guesses[0], 1), 1.0);
}

TEST(OnlineAttack, WithoutMatchesItIsAtChanceAndIndependentOfThreads) {
  const int before = threads();
  const Decisions decisions = system_with_matches(10000, {});
  set_threads(1);
  const auto one = online_attack(decisions, alternating_classes(), 2, {7, 100}, Refusal::message, 5);
  set_threads(2);
  const auto two = online_attack(decisions, alternating_classes(), 2, {7, 100}, Refusal::message, 5);
  set_threads(before);
  EXPECT_EQ(one[0].predicted, two[0].predicted);
  EXPECT_EQ(share_decided(one[1]), 0.0);
  EXPECT_NEAR(share_predicted(one[1], 0), 0.5, 3.5 * 0.5 / 100);
}

TEST(OnlineAttack, RefusalsAreNamed) {
  EXPECT_EQ(parse_refusal("random-key"), Refusal::random_key);
  EXPECT_EQ(to_text(Refusal::message), "message");
  EXPECT_THROW((void)parse_refusal("randomkey"), Error);
}

}  // namespace
}  // namespace bauta
