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
