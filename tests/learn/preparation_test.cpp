// Expected values marked "references.py" come from scikit-learn 1.2.1 through tests/learn/references.py.
#include "bauta/learn/preparation.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/learn/estimator.hpp"
#include "lcg.hpp"

namespace bauta {
namespace {

Matrix<float> sample() {
  Lcg lcg(13);
  Matrix<float> x = lcg.matrix(6, 3);
  for (std::size_t i = 0; i < 6; ++i) x(i, 1) = 0.1F;
  return x;
}

TEST(Preparation, StepsFollowEachOtherAsInScikitLearn) {
  Preparation preparation("unit,zscore");
  EXPECT_EQ(preparation.steps(), (std::vector{PreparationStep::unit, PreparationStep::zscore}));
  const Matrix<float> x = sample();
  preparation.fit(x.view());
  const Matrix<float> prepared = preparation.apply(x.view());
  EXPECT_NEAR(prepared(0, 0), 1.16563, 1e-5);  // references.py
  EXPECT_NEAR(prepared(0, 1), -0.0600716, 1e-5);
  EXPECT_NEAR(prepared(0, 2), -1.05307, 1e-5);
}

// The first feature differs by 1e-24 only where it is learned: elsewhere it lies 2e24 deviations away, whose square is
// no float32. Neighbours are found all the same; the second feature is as it was.
TEST(Preparation, WhatIsTooFarAwayStillCompares) {
  Matrix<float> known(2, 2);
  known(0, 0) = 0, known(1, 0) = 1e-24F, known(0, 1) = 0, known(1, 1) = 2;
  Matrix<float> met(2, 2);
  met(0, 0) = 1, met(1, 0) = -1, met(0, 1) = 3, met(1, 1) = 1;
  for (const char* step : {"zscore", "minmax"}) {
    Preparation preparation(step);
    preparation.fit(known.view());
    const Matrix<float> prepared = preparation.apply(met.view());
    EXPECT_FLOAT_EQ(prepared(0, 0), 1e15F);
    EXPECT_FLOAT_EQ(prepared(1, 0), -1e15F);
    EXPECT_FLOAT_EQ(prepared(0, 1), std::string(step) == "zscore" ? 2 : 1.5F);
    const std::unique_ptr<Estimator> knn = make_estimator("knn:k=1");
    const std::vector<std::int32_t> codes = {0, 1};
    knn->fit(preparation.apply(known.view()).view(), codes, 2, {});
    const Matrix<double> said = knn->predict_proba(prepared.view());
    for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(said(i, 0) + said(i, 1), 1);
  }
}

TEST(Preparation, LearnsFromTheTrainingDataOnly) {
  const Matrix<float> x = sample();
  Preparation preparation("minmax");
  preparation.fit(x.view().slice(0, 5));
  const Matrix<float> prepared = preparation.apply(x.view().slice(5, 1));
  EXPECT_NEAR(prepared(0, 0), 0.484427, 1e-5);  // references.py
  EXPECT_EQ(prepared(0, 1), 0);
  EXPECT_NEAR(prepared(0, 2), 0.946582, 1e-5);
}

TEST(Preparation, ConstantFeaturesAndZeroRowsBecomeZero) {
  Matrix<float> x(3, 2, 0.1F);  // not a binary fraction: its mean is off by rounding
  x(0, 0) = 1;
  Preparation zscore("zscore");
  zscore.fit(x.view());
  Matrix<float> other(1, 2, 7.0F);
  EXPECT_EQ(zscore.apply(other.view())(0, 1), 0);
  // By hand: mean 0.4, population variance (0.36 + 2 * 0.09) / 3 = 0.18.
  EXPECT_NEAR(zscore.apply(other.view())(0, 0), (7 - 0.4) / std::sqrt(0.18), 1e-5);
  Matrix<float> zero(1, 2, 0.0F);
  EXPECT_EQ(Preparation("unit").apply(zero.view())(0, 0), 0);
  EXPECT_TRUE(Preparation("none").steps().empty());
}

TEST(Preparation, UnknownStepsAreRefusedWithTheNearest) {
  try {
    Preparation("unit,zscor");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.hint.find("zscore"), std::string::npos);
  }
}

TEST(Preparation, BitsAndCodesBecomeFeatures) {
  Matrix<std::uint64_t> words(1, 2, 0);
  words(0, 0) = 5;  // bits 0 and 2
  words(0, 1) = 2;  // bit 65
  const Matrix<float> bits = to_features(Templates(std::move(words), 66));
  ASSERT_EQ(bits.cols(), 66U);
  for (std::size_t j = 0; j < 66; ++j) EXPECT_EQ(bits(0, j), j == 0 || j == 2 || j == 65 ? 1 : 0);
  Matrix<std::uint8_t> values(1, 3);
  values(0, 0) = 2;
  values(0, 1) = 0;
  values(0, 2) = 1;
  const Templates codes(std::move(values));
  EXPECT_EQ(code_levels(codes), 3U);
  EXPECT_EQ(to_features(codes)(0, 0), 2);
  const Matrix<float> hot = one_hot_features(codes, 2);  // code 2 is beyond the levels
  const std::vector<float> expected = {0, 0, 1, 0, 0, 1};
  EXPECT_TRUE(std::ranges::equal(hot.row(0), expected));
}

}  // namespace
}  // namespace bauta
