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

}  // namespace
}  // namespace bauta
