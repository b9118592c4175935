#include "bauta/attack/similarity.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"

namespace bauta {
namespace {

// One-dimensional templates under the dot product: the score of target 1 against a reference is the reference's value.
std::vector<SimilarityGuess> attack(const std::vector<float>& references, const std::vector<std::int32_t>& classes,
                                    std::size_t class_count, const SimilarityOptions& options,
                                    std::size_t targets = 1) {
  const auto comparator = make_comparator("dot");
  Matrix<float> rows(references.size(), 1);
  for (std::size_t i = 0; i < references.size(); ++i) rows(i, 0) = references[i];
  const auto attacker = comparator->prepare(Templates(std::move(rows)), Side::reference, "attacker");
  const auto target = comparator->prepare(Templates(Matrix<float>(targets, 1, 1.0F)), Side::probe, "target");
  return similarity_attack(*comparator, *attacker, classes, class_count, *target, options);
}

SimilarityOptions only(SimilarityRule rule, std::size_t n) {
  return {{rule}, {n}, 1};
}

// Class 0 has the single best score; class 1 has the next ones. Hand calculation for n = 3 (top three overall: 10, 9, 8
// -> votes 1:2): mean (10+1+1)/3 = 4 against (9+8+7)/3 = 8; linear weights 3/4, 2/4, 1/4: 8.25 against 12.5; log
// weights ln 4, ln 2, ln 4/3: 14.84 against 20.04. n = 1 is the nearest neighbour for every rule.
TEST(SimilarityAttack, HandCalculatedRules) {
  const std::vector<float> references = {10, 9, 8, 1, 7, 1};
  const std::vector<std::int32_t> classes = {0, 1, 1, 0, 1, 0};
  for (const auto rule : {SimilarityRule::vote, SimilarityRule::mean, SimilarityRule::linear, SimilarityRule::log}) {
    EXPECT_EQ(attack(references, classes, 2, only(rule, 1))[0].predicted[0], 0) << to_text(rule);
    EXPECT_EQ(attack(references, classes, 2, only(rule, 3))[0].predicted[0], 1) << to_text(rule);
  }
}

// Scores where the weighting decides. n = 2: mean (10+2)/2 = 6 against (7+6)/2 = 6.5; linear weights 2/3, 1/3: 7.33
// against 6.67; log weights ln 3, ln 1.5: 11.80 against 10.12.
TEST(SimilarityAttack, WeightsFavourTheFirstRanks) {
  const std::vector<float> references = {10, 2, 7, 6};
  const std::vector<std::int32_t> classes = {0, 0, 1, 1};
  EXPECT_EQ(attack(references, classes, 2, only(SimilarityRule::mean, 2))[0].predicted[0], 1);
  EXPECT_EQ(attack(references, classes, 2, only(SimilarityRule::linear, 2))[0].predicted[0], 0);
  EXPECT_EQ(attack(references, classes, 2, only(SimilarityRule::log, 2))[0].predicted[0], 0);
}

// Class 0 has 10, 1; class 1 has 8 and a second score at which the two classes are level: with weights r : 1 it is
// 1 + 2 r. Linear weights of two are 2/3 : 1/3, level at 5; log weights ln 3 : ln 1.5 = 2.70951, level at 6.41902.
// Of three, linear weights are 3 : 2 : 1: (10, 1, 1) makes 33 as (9, 2, 2) does; log weights ln 4, ln 2, ln
// 4/3: 14.84377 as (9, y, y) does at y = 2.41339.
TEST(SimilarityAttack, WeightsAreThoseOfTheRules) {
  const struct {
    SimilarityRule rule;
    std::vector<float> first, second;
    float level;
  } cases[] = {{SimilarityRule::linear, {10, 1}, {8}, 5},
               {SimilarityRule::log, {10, 1}, {8}, 6.41902F},
               {SimilarityRule::linear, {10, 1, 1}, {9}, 2},
               {SimilarityRule::log, {10, 1, 1}, {9}, 2.41339F}};
  for (const auto& one : cases) {
    const std::size_t n = one.first.size();
    for (const bool above : {false, true}) {
      std::vector<float> references = one.first;
      references.insert(references.end(), one.second.begin(), one.second.end());
      references.resize(2 * n, one.level + (above ? 0.01F : -0.01F));
      std::vector<std::int32_t> classes(n, 0);
      classes.resize(2 * n, 1);
      EXPECT_EQ(attack(references, classes, 2, only(one.rule, n))[0].predicted[0], above ? 1 : 0)
          << to_text(one.rule) << ' ' << n;
    }
  }
}

// Every rule with every n, in this order; classes of four and five samples cap n at four.
TEST(SimilarityAttack, EveryRuleWithEveryN) {
  const SimilarityOptions options{{SimilarityRule::vote, SimilarityRule::log}, {1, 3, 4, 9}, 1};
  const auto guesses = attack({9, 8, 7, 6, 5, 4, 3, 2, 1}, {0, 1, 1, 1, 0, 0, 0, 1, 1}, 2, options);
  ASSERT_EQ(guesses.size(), 8U);
  const std::size_t used[] = {1, 3, 4, 4};
  // Votes of the best 1, 3 and 4: 1:0, 1:2, 1:3. Log weights: 9 against 8; then with ln 4, ln 2, ln 4/3 of (9, 5, 4)
  // 17.09 against 17.67 of (8, 7, 6); with ln 5, ln 5/2, ln 5/3, ln 5/4 of (9, 5, 4, 3) 21.78 against 22.80 of (8, 7,
  // 6, 2).
  const std::int32_t predicted[] = {0, 1, 1, 1};
  for (std::size_t g = 0; g < 8; ++g) {
    EXPECT_EQ(guesses[g].rule, options.rules[g / 4]);
    EXPECT_EQ(guesses[g].n, options.n[g % 4]);
    EXPECT_EQ(guesses[g].n_used, used[g % 4]);
    EXPECT_EQ(guesses[g].predicted[0], predicted[g % 4]) << g;
  }
}

// Top two overall: 10 (class 0) and 9 (class 1), a tied vote; the summed scores 10 > 9 decide for class 0.
TEST(SimilarityAttack, TiedVoteGoesToTheLargerSum) {
  EXPECT_EQ(attack({9, 10, 1, 1}, {1, 0, 0, 1}, 2, only(SimilarityRule::vote, 2))[0].predicted[0], 0);
}

TEST(SimilarityAttack, CapsNAtTheSmallestClass) {
  const auto guess = attack({3, 2, 1}, {0, 0, 1}, 2, only(SimilarityRule::mean, 50))[0];
  EXPECT_EQ(guess.n, 50U);
  EXPECT_EQ(guess.n_used, 1U);
}

// With all scores equal nothing is known: 4,000 targets split evenly; standard deviation 31.6, five deviations allowed.
TEST(SimilarityAttack, FullTiesAreFair) {
  for (const auto rule : {SimilarityRule::vote, SimilarityRule::mean}) {
    const auto guess = attack({1, 1, 1, 1}, {0, 0, 1, 1}, 2, only(rule, 1), 4000)[0];
    int ones = 0;
    for (const std::int32_t code : guess.predicted) ones += code;
    EXPECT_NEAR(ones, 2000, 158) << to_text(rule);
  }
}

TEST(SimilarityAttack, TakesManyClasses) {
  EXPECT_EQ(attack({1, 5, 3, 2}, {0, 2, 1, 3}, 4, only(SimilarityRule::log, 1))[0].predicted[0], 2);
}

TEST(SimilarityAttack, UnknownRuleSuggests) {
  try {
    (void)parse_similarity_rule("vot");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.hint, "did you mean 'vote'?");
  }
}

}  // namespace
}  // namespace bauta
