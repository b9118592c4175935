#include "bauta/learn/pca.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "lcg.hpp"

namespace bauta {
namespace {

// By hand: points (1,1), (3,3), (2.5,1.5), (1.5,2.5) around (2,2) vary by (4/4, 1/4) along (1,1) and (1,-1).
TEST(Pca, ComponentsOfFourPoints) {
  Matrix<float> x(4, 2);
  const float values[] = {1, 1, 3, 3, 2.5, 1.5, 1.5, 2.5};
  std::copy_n(values, 8, x.data());
  const Pca pca = Pca::fit(x.view());
  EXPECT_NEAR(pca.means[0], 2, 1e-12);
  EXPECT_NEAR(pca.variances[0], 1, 1e-12);
  EXPECT_NEAR(pca.variances[1], 0.25, 1e-12);
  EXPECT_NEAR(std::abs(pca.components(0, 0) + pca.components(0, 1)), std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(pca.components(1, 0) + pca.components(1, 1), 0, 1e-12);
  const Matrix<float> turned = pca.transform(x.view());
  EXPECT_NEAR(std::abs(turned(1, 0)), std::sqrt(2.0), 1e-6);
  EXPECT_NEAR(turned(1, 1), 0, 1e-6);
}

TEST(Pca, ComponentsAreOrthonormalAndTheTurnedDataIsUncorrelated) {
  Lcg lcg(21);
  Matrix<float> x = lcg.matrix(300, 7);
  for (std::size_t i = 0; i < 300; ++i) x(i, 3) += 2 * x(i, 0) + 5;
  const Pca pca = Pca::fit(x.view());
  const Matrix<float> turned = pca.transform(x.view());
  for (std::size_t a = 0; a < 7; ++a) {
    for (std::size_t b = 0; b < 7; ++b) {
      double product = 0, covariance = 0;
      for (std::size_t j = 0; j < 7; ++j) product += pca.components(a, j) * pca.components(b, j);
      for (std::size_t i = 0; i < 300; ++i) covariance += static_cast<double>(turned(i, a)) * turned(i, b) / 300;
      EXPECT_NEAR(product, a == b ? 1 : 0, 1e-12);
      EXPECT_NEAR(covariance, a == b ? pca.variances[a] : 0, 1e-6);
    }
    EXPECT_TRUE(a == 0 || pca.variances[a] <= pca.variances[a - 1]);
  }
}

TEST(Pca, FewRowsOfManyFeatures) {
  Matrix<float> x(3, 6);
  const float values[] = {1, 2, 0, 4, 7, 1, 3, 1, 5, 2, 2, 0, 0, 6, 2, 2, 1, 9};
  std::copy_n(values, 18, x.data());
  const Pca pca = Pca::leading(x.view(), 5);
  // Singular value decomposition by numpy 1.24.2.
  ASSERT_EQ(pca.variances.size(), 2U);
  EXPECT_NEAR(pca.variances[0], 24.444444444, 1e-9);
  EXPECT_NEAR(pca.variances[1], 10, 1e-9);
  const double first[] = {-0.190692518, 0.429058165, -0.047673129, -0.095346259, -0.333711906, 0.810443201};
  for (std::size_t j = 0; j < 6; ++j) EXPECT_NEAR(pca.components(0, j), first[j], 1e-9);
  EXPECT_EQ(Pca::leading(x.view(), 1).variances.size(), 1U);
  EXPECT_EQ(pca.transform(x.view()).cols(), 2U);
}

// By hand: two rows that differ by 1, 2 and 2, so 3 apart, vary by (3 / 2)^2 along what they differ by.
TEST(Pca, DifferencesAnywhereInALongRowCount) {
  Matrix<float> x(2, 1100, 7.0F);
  x(1, 10) += 1;
  x(1, 600) += 2;
  x(1, 1050) += 2;
  const Pca pca = Pca::leading(x.view(), 5);
  ASSERT_EQ(pca.variances.size(), 1U);
  EXPECT_NEAR(pca.variances[0], 2.25, 1e-12);
  for (std::size_t j = 0; j < 1100; ++j)
    EXPECT_NEAR(pca.components(0, j), (static_cast<double>(x(1, j)) - 7) / 3, 1e-12);
}

TEST(Pca, TheLeadingOnesAreTheFirstOfAll) {
  Lcg lcg(5);
  const Matrix<float> many = lcg.matrix(40, 6);
  const Pca all = Pca::fit(many.view()), some = Pca::leading(many.view(), 4);
  ASSERT_EQ(some.components.rows(), 4U);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(some.variances[k], all.variances[k]);
    for (std::size_t j = 0; j < 6; ++j) EXPECT_EQ(some.components(k, j), all.components(k, j));
  }
  // Transposed there are fewer rows than features: the same as of the whole decomposition.
  Matrix<float> wide(6, 40);
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 40; ++j) wide(i, j) = many(j, i);
  }
  const Pca whole = Pca::fit(wide.view()), few = Pca::leading(wide.view(), 40);
  ASSERT_EQ(few.variances.size(), 5U);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(few.variances[k], whole.variances[k], 1e-9);
    for (std::size_t j = 0; j < 40; ++j) EXPECT_NEAR(few.components(k, j), whole.components(k, j), 1e-9);
  }
  const Matrix<float> equal(3, 5, 2);
  EXPECT_EQ(Pca::leading(equal.view(), 3).variances.size(), 0U);
}

}  // namespace
}  // namespace bauta
