#include "gaussian.hpp"

#include <gtest/gtest.h>

#include "fixtures.hpp"

namespace bauta {
namespace {

// sklearn.covariance.ledoit_wolf, scikit-learn 1.2.1.
TEST(FittedGaussian, AgreesWithScikitLearn) {
  const float rows[] = {1, 2, 0.5, 2, 1, 0, 0, -3, 1, 4, 4, -1, 1.5, 2.5, 2, -6, -5, 0.5, 7, 6, 0, -3, -4, 1};
  const Gaussian gaussian = fit_gaussian({rows, 8, 3}, "test");
  EXPECT_NEAR(gaussian.shrinkage, 0.2243738442916332, 1e-12);
  const double expected[3][3] = {{12.998389741854261, 10.171003924660107, -0.945294377269572},
                                 {10.171003924660107, 12.974151424488374, -0.896817742537799},
                                 {-0.945294377269572, -0.896817742537799, 2.675896333657364}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(gaussian.covariance(i, j), expected[i][j], 1e-12) << i << " " << j;
  }
  EXPECT_NEAR(gaussian.mean(0), 0.8125, 1e-12);
  EXPECT_NEAR(gaussian.mean(1), 0.4375, 1e-12);
  EXPECT_NEAR(gaussian.mean(2), 0.5, 1e-12);
}

// The same rows 150 times over: mean and covariance stay, and the shrinkage falls with their number (the formula in the
// source). More of them than are converted at a time.
TEST(FittedGaussian, OfManyRows) {
  const float rows[] = {1, 2, 0.5, 2, 1, 0, 0, -3, 1, 4, 4, -1, 1.5, 2.5, 2, -6, -5, 0.5, 7, 6, 0, -3, -4, 1};
  std::vector<float> many;
  for (int k = 0; k < 150; ++k) many.insert(many.end(), std::begin(rows), std::end(rows));
  const Gaussian gaussian = fit_gaussian({many.data(), 1200, 3}, "test");
  EXPECT_NEAR(gaussian.shrinkage, 0.2243738442916332 / 150, 1e-12);
  EXPECT_NEAR(gaussian.mean(0), 0.8125, 1e-12);
  // As above without its shrinkage, and with this one.
  EXPECT_NEAR(gaussian.covariance(0, 1), 10.171003924660107 / (1 - 0.2243738442916332) * (1 - gaussian.shrinkage),
              1e-9);
}

// One direction alone is certain from two rows, and shrinks as little as it may; one feature is its own identity.
TEST(FittedGaussian, ShrinksByAMillionthAtLeastAndByOneAtMost) {
  const float line[] = {3, 4, -3, -4};
  const Gaussian narrow = fit_gaussian({line, 2, 2}, "test");
  EXPECT_EQ(narrow.shrinkage, 1e-6);
  EXPECT_NEAR(narrow.covariance(0, 0), 9 + 1e-6 * (12.5 - 9), 1e-9);
  EXPECT_NEAR(narrow.covariance(0, 1), 12 * (1 - 1e-6), 1e-9);
  const Gaussian single = fit_gaussian({line, 4, 1}, "test");
  EXPECT_EQ(single.shrinkage, 1);
  EXPECT_NEAR(single.covariance(0, 0), 12.5, 1e-12);
}

TEST(FittedGaussian, RowsThatDoNotDifferAndNoRowsAreRefused) {
  const float same[] = {1, 2, 1, 2};
  EXPECT_NE(error_of([&] { (void)fit_gaussian({same, 2, 2}, "these"); }).find("these"), std::string::npos);
  EXPECT_NE(error_of([&] { (void)fit_gaussian({same, 0, 2}, "these"); }).find("these"), std::string::npos);
}

// Many more features than rows, and a feature without spread: there is still an inverse.
TEST(FittedGaussian, IsNeverSingular) {
  const Templates few =
      templates_of(4, 40, 1, [](std::size_t, std::size_t j, Stream& stream) { return j == 7 ? 3 : stream.normal(); });
  const Gaussian gaussian = fit_gaussian(few.floats(), "test");
  EXPECT_GT(gaussian.shrinkage, 0.1);
  EXPECT_GT(gaussian.covariance(7, 7), 0.05);
}

}  // namespace
}  // namespace bauta
