// Classification figures against scikit-learn 1.2.1 (balanced_accuracy_score, recall_score).
#include "bauta/measure/classification.hpp"

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"

namespace bauta {
namespace {

TEST(Classification, AgreesWithScikitLearn) {
  const std::vector<std::int32_t> truth = {0, 0, 0, 0, 1, 1, 2, 2, 2, -1}, predicted = {0, 0, 1, 0, 1, 0, 2, 2, 1, 2};
  const auto result = classify_result(predicted, truth, 4);  // class 3 does not occur
  EXPECT_EQ(result.samples, 9U);
  EXPECT_NEAR(result.accuracy, 6.0 / 9, 1e-15);
  EXPECT_NEAR(result.balanced, 0.6388888888888888, 1e-15);
  EXPECT_NEAR(*result.recall[0], 0.75, 1e-15);
  EXPECT_NEAR(*result.recall[1], 0.5, 1e-15);
  EXPECT_NEAR(*result.recall[2], 0.66666666666666663, 1e-15);
  EXPECT_FALSE(result.recall[3].has_value());
  EXPECT_NEAR(result.chance, 1.0 / 3, 1e-15);
  EXPECT_NEAR(result.majority, 4.0 / 9, 1e-15);
}

TEST(Classification, AnUndecidedPredictionIsWrong) {
  const std::vector<std::int32_t> truth = {0, 1}, predicted = {-1, 1};
  EXPECT_EQ(classify_result(predicted, truth, 2).balanced, 0.5);
}

TEST(Classification, NothingKnownIsAnError) {
  const std::vector<std::int32_t> truth = {-1, -1}, predicted = {0, 1};
  EXPECT_THROW(classify_result(predicted, truth, 2), Error);
}

TEST(Classification, InvertedClassifiersLeak) {
  EXPECT_EQ(leakage(0.5), 0.5);
  EXPECT_NEAR(leakage(0.05), 0.95, 1e-15);
  EXPECT_NEAR(leakage(0.95), 0.95, 1e-15);
}

// Hand calculation: positives 3, 2; negatives 1, 2: 3 beats both, 2 beats one and ties one: 3.5 of 4.
TEST(RankingAuc, TiesCountHalf) {
  const std::vector<double> scores = {1, 3, 2, 2};
  EXPECT_DOUBLE_EQ(*ranking_auc(scores, std::vector<std::uint8_t>{0, 1, 1, 0}), 0.875);
  EXPECT_DOUBLE_EQ(*ranking_auc(scores, std::vector<std::uint8_t>{1, 0, 0, 1}), 0.125);
  EXPECT_DOUBLE_EQ(*ranking_auc(std::vector<double>(4, 7.0), std::vector<std::uint8_t>{0, 1, 1, 0}), 0.5);
  EXPECT_FALSE(ranking_auc(scores, std::vector<std::uint8_t>{1, 1, 1, 1}));
}

TEST(GenderRates, AnySpellingOfTheTwo) {
  // Three of four females and one of two males are right: 4 of 6 in all.
  const std::vector<std::int32_t> truth = {0, 0, 0, 0, 1, 1}, predicted = {0, 0, 0, 1, 1, 0};
  const ClassificationResult result = classify_result(predicted, truth, 2);
  for (const std::vector<std::string>& classes : {std::vector<std::string>{"F", "M"}, {"f", "m"}, {"Female", "MALE"}}) {
    const auto rates = gender_rates(result, classes);
    ASSERT_TRUE(rates.has_value());
    EXPECT_NEAR(rates->cocr, 4.0 / 6, 1e-15);
    EXPECT_EQ(rates->cfcr, 0.75);
    EXPECT_EQ(rates->cmcr, 0.5);
  }
  const auto swapped = gender_rates(result, {"male", "female"});
  EXPECT_EQ(swapped->cfcr, 0.5);
  EXPECT_FALSE(gender_rates(result, {"young", "old"}).has_value());
  EXPECT_FALSE(gender_rates(result, {"F", "X"}).has_value());
  EXPECT_FALSE(gender_rates(classify_result(predicted, truth, 3), {"F", "M", "X"}).has_value());
  const std::vector<std::int32_t> women(6, 0);
  EXPECT_FALSE(gender_rates(classify_result(predicted, women, 2), {"F", "M"}).has_value());
}

}  // namespace
}  // namespace bauta
