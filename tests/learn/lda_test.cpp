#include <cmath>

#include <gtest/gtest.h>

#include "bauta/core/parallel.hpp"
#include "bauta/learn/estimator.hpp"
#include "bauta/learn/whitening.hpp"
#include "lcg.hpp"

namespace bauta {
namespace {

/// The data of discriminants() in references.py.
struct Groups {
  Matrix<float> x = Lcg(21).matrix(60, 5);
  std::vector<std::int32_t> codes;
  Matrix<float> points = Lcg(22).matrix(4, 5);

  Groups() {
    for (std::size_t i = 0; i < x.rows(); ++i) {
      codes.push_back(static_cast<std::int32_t>(i % 3));
      x(i, 1) += 0.8F * x(i, 0);
      x(i, 2) += 0.3F * static_cast<float>(codes[i]);
    }
  }
  [[nodiscard]] Matrix<float> deviations() const {
    Matrix<double> means(3, 5, 0.0);
    for (std::size_t i = 0; i < 60; ++i) {
      for (std::size_t j = 0; j < 5; ++j) means(i % 3, j) += x(i, j) / 20.0;
    }
    Matrix<float> result(60, 5);
    for (std::size_t i = 0; i < 60; ++i) {
      for (std::size_t j = 0; j < 5; ++j) result(i, j) = static_cast<float>(x(i, j) - means(i % 3, j));
    }
    return result;
  }
};

Matrix<double> wide(const Matrix<float>& x) {
  Matrix<double> result(x.rows(), x.cols());
  std::copy_n(x.data(), x.size(), result.data());
  return result;
}

TEST(Lda, WithoutShrinkageIsThatOfScikitLearn) {
  const Groups groups;
  const auto lda = make_estimator("lda:shrinkage=0");
  lda->fit(groups.x.view(), groups.codes, 3, {});
  const Matrix<double> p = lda->predict_proba(groups.points.view());
  // LinearDiscriminantAnalysis(solver="lsqr"), scikit-learn 1.2.1: references.py.
  const double expected[] = {0.594801, 0.182144, 0.223055, 0.172959, 0.184769, 0.642272,
                             0.437864, 0.265835, 0.296301, 0.295343, 0.46654,  0.238117};
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(p.data()[i], expected[i], 1e-5);
}

TEST(Lda, ClassesThatAreAbsentAreNeverToldAndWideDataIsNoTrouble) {
  // More features than samples: the covariance has no inverse of its own.
  const Matrix<float> x = Lcg(23).matrix(12, 40);
  std::vector<std::int32_t> codes;
  for (int i = 0; i < 12; ++i) codes.push_back(i % 2 == 0 ? 0 : 2);
  const auto lda = make_estimator("lda");
  lda->fit(x.view(), codes, 4, {});
  const Matrix<double> p = lda->predict_proba(x.view());
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(p(i, 1), 0);
    EXPECT_EQ(p(i, 3), 0);
    EXPECT_NEAR(p(i, 0) + p(i, 2), 1, 1e-12);
  }
}

// One row of each class, in front of one that is not told: what is known of variation is that between these three.
TEST(Lda, OneRowOfEachClassIsJudgedByTheVariationBetweenThem) {
  const std::vector<float> four = {0, 0, 4, 1, 1, 3, 1e6F, -1e6F}, three(four.begin(), four.begin() + 6);
  const std::vector<float> probes = {1, 1, 3, 2};
  const auto told = [&](const std::vector<float>& rows) {
    const auto lda = make_estimator("lda");
    lda->fit({rows.data(), 3, 2}, std::vector<std::int32_t>{0, 1, 2}, 3, {});
    const Matrix<double> said = lda->predict_proba({probes.data(), 2, 2});
    return std::vector<double>(said.data(), said.data() + said.size());
  };
  EXPECT_EQ(told(four), told(three));
}

// A thousand deviations away, exp() of how much likelier one class is than the other is no number.
TEST(Lda, WhatIsFarFromTheOthersHasAProbability) {
  const std::vector<float> rows = {0, 0.1F, 0.2F, 1000, 1000.1F, 1000.2F};
  const auto lda = make_estimator("lda:shrinkage=0");
  lda->fit({rows.data(), 6, 1}, std::vector<std::int32_t>{0, 0, 0, 1, 1, 1}, 2, {});
  const Matrix<double> said = lda->predict_proba({rows.data(), 6, 1});
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(said(i, 0), i < 3 ? 1 : 0);
    EXPECT_EQ(said(i, 1), i < 3 ? 0 : 1);
  }
}

TEST(Whitening, ShrinksAsLedoitAndWolfDo) {
  const Groups groups;
  const Whitening whitening(groups.deviations().view(), std::vector<double>(60, 7.0));
  // sklearn.covariance.ledoit_wolf of the standardised deviations, scikit-learn 1.2.1: references.py.
  EXPECT_NEAR(whitening.shrinkage(), 0.387429, 1e-5);
  const double lengths[] = {2.29075, 2.65101, 2.83889, 2.26617};
  const Matrix<float> white = whitening.apply(wide(groups.points).view());
  for (std::size_t i = 0; i < 4; ++i) {
    double square = 0;
    for (const float value : white.row(i)) square += double{value} * value;
    EXPECT_NEAR(std::sqrt(square), lengths[i], 1e-4);
  }
}

TEST(Whitening, GivesUnitCovarianceAndWeightsCountAsRepetition) {
  const Groups groups;
  const Matrix<float> deviations = groups.deviations();
  std::vector<double> weights(60, 1);
  weights[4] = 3;
  Matrix<float> repeated(62, 5);
  std::copy_n(deviations.data(), deviations.size(), repeated.data());
  for (const std::size_t row : {60U, 61U}) std::ranges::copy(deviations.row(4), repeated.row(row).begin());
  const Whitening weighted(deviations.view(), weights, 0.0);
  const Whitening plain(repeated.view(), std::vector<double>(62, 1), 0.0);
  const Matrix<float> a = weighted.apply(wide(repeated).view());
  const Matrix<float> b = plain.apply(wide(repeated).view());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a.data()[i], b.data()[i], 1e-5);
  for (std::size_t j = 0; j < 5; ++j) {
    for (std::size_t k = 0; k < 5; ++k) {
      double sum = 0;
      for (std::size_t i = 0; i < 62; ++i) sum += double{b(i, j)} * b(i, k) / 62;
      EXPECT_NEAR(sum, j == k ? 1 : 0, 1e-4);
    }
  }
}

// Two rows that are each other's negative vary along one direction. In units of the features' deviations it is
// (1, 1, 1, 1), along which the variance is 4, and 0.5 * 4 + 0.5 * 1 after shrinking by a half towards the mean of 1;
// across it, 0.5. Both points are of squared length 4 in these units.
TEST(Whitening, OneDirectionIsEnough) {
  const std::vector<float> rows = {1, 2, 3, 4, -1, -2, -3, -4};
  const Whitening whitening({rows.data(), 2, 4}, std::vector<double>{1, 1}, 0.5);
  const std::vector<double> points = {1, 2, 3, 4, 1, 2, -3, -4};
  const Matrix<float> white = whitening.apply({points.data(), 2, 4});
  const double lengths[] = {4 / 2.5, 4 / 0.5};
  for (std::size_t i = 0; i < 2; ++i) {
    double square = 0;
    for (const float value : white.row(i)) square += double{value} * value;
    EXPECT_NEAR(square, lengths[i], 1e-5);
  }
}

/// Rows twice with half the weight are the same covariance, and take the other way: 12 rows of 40 features the way by
/// rows, 48 the way by features.
TEST(Whitening, FewRowsAreWhitenedAsManyAre) {
  Matrix<float> x = Lcg(27).matrix(12, 40);
  for (std::size_t i = 0; i < 12; ++i) {
    x(i, 3) = 0;  // never deviates
    for (std::size_t j = 9; j < 20; ++j) x(i, j) += 2 * x(i, 8);
  }
  Matrix<float> repeated(48, 40);
  for (std::size_t i = 0; i < 48; ++i) std::ranges::copy(x.row(i % 12), repeated.row(i).begin());
  std::vector<double> weights;
  for (int i = 0; i < 12; ++i) weights.push_back(1 + i % 3);
  std::vector<double> quarters;
  for (int i = 0; i < 48; ++i) quarters.push_back(weights[static_cast<std::size_t>(i % 12)] / 4);
  const Matrix<double> points = wide(Lcg(28).matrix(7, 40));
  for (const double shrinkage : {0.0, 0.2, 1.0}) {
    const Matrix<float> a = Whitening(x.view(), weights, shrinkage).apply(points.view());
    const Matrix<float> b = Whitening(repeated.view(), quarters, shrinkage).apply(points.view());
    for (std::size_t i = 0; i < 7; ++i) {
      EXPECT_EQ(a(i, 3), 0);
      for (std::size_t k = 0; k < i; ++k) {
        double one = 0, other = 0;
        for (std::size_t j = 0; j < 40; ++j) {
          one += std::pow(double{a(i, j)} - a(k, j), 2);
          other += std::pow(double{b(i, j)} - b(k, j), 2);
        }
        EXPECT_NEAR(one / other, 1, 1e-4) << shrinkage;
      }
    }
  }
  const Whitening estimated(x.view(), std::vector<double>(12, 1));
  // sklearn.covariance.ledoit_wolf of the standardised rows, scikit-learn 1.2.1: references.py.
  EXPECT_NEAR(estimated.shrinkage(), 0.596306, 1e-5);
  const double lengths[] = {6.35617, 6.53306, 6.6081, 6.09497, 7.17291, 6.99172, 6.21931};
  const Matrix<float> white = estimated.apply(points.view());
  for (std::size_t i = 0; i < 7; ++i) {
    double square = 0;
    for (const float value : white.row(i)) square += double{value} * value;
    EXPECT_NEAR(std::sqrt(square), lengths[i], 1e-4);
  }
}

TEST(Whitening, BitsDoNotDependOnThreadsAndConstantFeaturesVanish) {
  Matrix<float> x = Lcg(24).matrix(700, 30);
  for (std::size_t i = 0; i < 700; ++i) x(i, 7) = 0;
  const auto white = [&](int count) {
    set_threads(count);
    return Whitening(x.view(), std::vector<double>(700, 1)).apply(wide(x).view());
  };
  const Matrix<float> one = white(1), three = white(3);
  set_threads(0);
  for (std::size_t i = 0; i < one.size(); ++i) ASSERT_EQ(one.data()[i], three.data()[i]);
  for (std::size_t i = 0; i < 700; ++i) ASSERT_EQ(one(i, 7), 0);
}

}  // namespace
}  // namespace bauta
