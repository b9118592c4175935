// Expected values come from scikit-learn 1.2.1 (cross-validation: numpy 1.24.2) through tests/learn/references.py.
#include "bauta/learn/ridge.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "bauta/core/parallel.hpp"
#include "population.hpp"

namespace bauta {
namespace {

struct Problem {
  Population population{9, 30, 4};
  Matrix<float>& x = population.x;
  Matrix<float> y{30, 2};

  Problem() {
    Lcg lcg(10);
    for (std::size_t i = 0; i < 30; ++i) {
      x(i, 3) += lcg.next();
      y(i, 0) = static_cast<float>(population.level[i]);
      y(i, 1) = 2 * x(i, 1) - y(i, 0) + 5;
    }
  }
};

Matrix<float> products(MatrixView<const float> a, MatrixView<const float> b, double shift, double power) {
  Matrix<float> result(a.rows, b.rows);
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < b.rows; ++j) {
      double sum = shift;
      for (std::size_t k = 0; k < a.cols; ++k) sum += static_cast<double>(a(i, k)) * b(j, k);
      result(i, j) = static_cast<float>(std::pow(sum, power));
    }
  }
  return result;
}

TEST(Ridge, WeightsAreThoseOfScikitLearn) {
  const Problem problem;
  const Ridge model = Ridge::fit(problem.x.view(), problem.y.view(), {.penalty = 0.7});
  const std::vector<double> weights = {1.04629, -1.08145, 0.436221, 1.40636, 0, 0, -0.00183722, 0.0265157};
  for (std::size_t i = 0; i < weights.size(); ++i) EXPECT_NEAR(model.weights().data()[i], weights[i], 1e-5);
  EXPECT_NEAR(model.intercepts()[0], -0.0796675, 1e-5);
  EXPECT_NEAR(model.intercepts()[1], 5.04445, 1e-5);
  EXPECT_EQ(model.penalty(), 0.7);
  const Matrix<float> p = model.predict(problem.x.view());
  double expected = model.intercepts()[0];
  for (std::size_t j = 0; j < 4; ++j) expected += problem.x(3, j) * model.weights()(j, 0);
  EXPECT_NEAR(p(3, 0), expected, 1e-6);
}

TEST(Ridge, PenaltyOfLeastGeneralisedCrossValidationIsChosen) {
  const Problem problem;
  const Ridge chosen = Ridge::fit(problem.x.view(), problem.y.view());
  EXPECT_NEAR(chosen.penalty(), 0.120198, 1e-5);
  // The way through the eigenvectors and that through Cholesky end in the same weights.
  const Ridge given = Ridge::fit(problem.x.view(), problem.y.view(), {.penalty = chosen.penalty()});
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(chosen.weights().data()[i], given.weights().data()[i], 1e-9);
}

// One feature whose squares sum to 4: where it says nothing about the output, the more penalty the better, and where it
// says all, the less. The ends are 1e4 and 1e-8 times the mean eigenvalue.
TEST(Ridge, PenaltiesAreTriedBetweenTheEndsThatAreDocumented) {
  const std::vector<float> x = {1, -1, 1, -1}, unrelated = {1, 1, -1, -1};
  EXPECT_NEAR(Ridge::fit({x.data(), 4, 1}, {unrelated.data(), 4, 1}).penalty(), 4e4, 1e-4);
  EXPECT_NEAR(Ridge::fit({x.data(), 4, 1}, {x.data(), 4, 1}).penalty(), 4e-8, 1e-16);
}

TEST(Ridge, KernelWithInterceptPredictsWhatScikitLearnPredicts) {
  const Problem problem;
  Lcg lcg(11);
  const Matrix<float> points = lcg.matrix(3, 4);
  const KernelRidge model =
      KernelRidge::fit(products(problem.x.view(), problem.x.view(), 1, 2).view(), problem.y.view(), {.penalty = 0.3});
  const Matrix<float> p = model.predict(products(points.view(), problem.x.view(), 1, 2).view());
  const std::vector<double> expected = {0.234085, 4.8954, 0.240636, 5.65429, -0.16708, 6.0767};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(p.data()[i], expected[i], 1e-4);
}

// An identity: ridge is kernel ridge with the linear kernel.
TEST(Ridge, FeaturesAndInnerProductsGiveTheSamePredictions) {
  const Problem problem;
  const Matrix<float> gram = products(problem.x.view(), problem.x.view(), 0, 1);
  for (const double penalty : {0.01, 1.0, 100.0}) {
    const Matrix<float> primal =
        Ridge::fit(problem.x.view(), problem.y.view(), {.penalty = penalty}).predict(problem.x.view());
    const Matrix<float> dual =
        KernelRidge::fit(gram.view(), problem.y.view(), {.penalty = penalty}).predict(gram.view());
    for (std::size_t i = 0; i < primal.size(); ++i) EXPECT_NEAR(primal.data()[i], dual.data()[i], 1e-4);
  }
}

TEST(Ridge, MoreFeaturesThanSamplesAreSolvedThroughTheSamples) {
  Lcg lcg(12);
  const Matrix<float> x = lcg.matrix(10, 25);
  const Matrix<float> y = lcg.matrix(10, 3);
  const Ridge model = Ridge::fit(x.view(), y.view(), {.penalty = 0.5});
  // The normal equations, by definition: x_c^T (y - prediction) = penalty * weights.
  const Matrix<float> p = model.predict(x.view());
  for (std::size_t j = 0; j < 25; ++j) {
    double mean = 0;
    for (std::size_t i = 0; i < 10; ++i) mean += x(i, j) / 10;
    for (std::size_t k = 0; k < 3; ++k) {
      double sum = 0;
      for (std::size_t i = 0; i < 10; ++i) sum += (x(i, j) - mean) * (y(i, k) - static_cast<double>(p(i, k)));
      EXPECT_NEAR(sum, 0.5 * model.weights()(j, k), 1e-5);
    }
  }
  EXPECT_GT(Ridge::fit(x.view(), y.view()).penalty(), 0);
}

TEST(Ridge, PureNoiseIsShrunkAndANoiselessMapIsFound) {
  Lcg lcg(14);
  const Matrix<float> x = lcg.matrix(400, 20);
  const Matrix<float> noise = lcg.matrix(400, 2);
  const Ridge shrunk = Ridge::fit(x.view(), noise.view());
  Matrix<float> map(400, 1);
  for (std::size_t i = 0; i < 400; ++i) map(i, 0) = 3 * x(i, 0) - x(i, 7) + 1;
  const Ridge found = Ridge::fit(x.view(), map.view());
  EXPECT_NEAR(found.weights()(0, 0), 3, 1e-4);
  EXPECT_NEAR(found.weights()(7, 0), -1, 1e-4);
  EXPECT_NEAR(found.intercepts()[0], 1, 1e-4);
  EXPECT_GT(shrunk.penalty(), 1000 * found.penalty());
}

TEST(Ridge, IsTheSameForAnyNumberOfThreads) {
  Lcg lcg(15);
  const Matrix<float> x = lcg.matrix(1000, 12);
  const Matrix<float> y = lcg.matrix(1000, 2);
  set_threads(1);
  const Ridge one = Ridge::fit(x.view(), y.view());
  set_threads(3);
  const Ridge three = Ridge::fit(x.view(), y.view());
  set_threads(0);
  EXPECT_TRUE(std::equal(one.weights().data(), one.weights().data() + 24, three.weights().data()));
}

}  // namespace
}  // namespace bauta
