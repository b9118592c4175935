// Expected values come from scikit-learn 1.2.1 through tests/learn/references.py.
#include "logistic.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/learn/estimator.hpp"
#include "population.hpp"

namespace bauta {
namespace {

TEST(Logistic, TwoClassesHaveTheWeightsOfScikitLearn) {
  const Population train(4, 150, 6);
  const Logistic model = Logistic::fit(train.x.view(), train.classes({0.2}), 2);
  EXPECT_TRUE(model.converged());
  ASSERT_EQ(model.weights().rows(), 1U);
  const std::vector<double> expected = {3.59954, 1.94317, 0.0387378, 0, 0, 0, -0.712707};
  for (std::size_t j = 0; j < expected.size(); ++j) EXPECT_NEAR(model.weights()(0, j), expected[j], 1e-3);
}

TEST(Logistic, ThreeClassesHaveTheWeightsAndProbabilitiesOfScikitLearn) {
  const Population train(4, 150, 6);
  const Logistic model = Logistic::fit(train.x.view(), train.classes({-0.4, 0.4}), 3, {.c = 10});
  EXPECT_TRUE(model.converged());
  const std::vector<double> expected = {-4.97099,   -2.61947, 0.464953,  0, 0, 0, -0.522561,
                                        -0.0368246, 0.114259, 0.0255417, 0, 0, 0, 1.25244,
                                        5.00781,    2.50522,  -0.490495, 0, 0, 0, -0.72988};
  // Coefficients of a class sum to the penalty's liking; intercepts have a free common part, 0 in both solutions.
  for (std::size_t j = 0; j < expected.size(); ++j) EXPECT_NEAR(model.weights().data()[j], expected[j], 2e-3) << j;
  const Matrix<double> p = model.predict_proba(train.x.view().slice(0, 3));
  const std::vector<double> shares = {0.070599, 0.770464,    0.158937,   0.00319776, 0.27676,
                                      0.720042, 3.24958e-07, 0.00406959, 0.99593};
  for (std::size_t i = 0; i < shares.size(); ++i) EXPECT_NEAR(p.data()[i], shares[i], 2e-4);
}

// The gradient of the penalised loss, by definition, vanishes at the minimum.
TEST(Logistic, EndsWhereTheGradientVanishes) {
  Population train(5, 400, 40);
  Lcg lcg(6);
  for (std::size_t i = 0; i < train.x.rows(); ++i) {
    for (std::size_t j = 20; j < 40; ++j) {
      train.x(i, j) = 5 + 3 * train.x(i, j - 20) + 0.01F * lcg.next();  // nearly collinear, far from zero
    }
  }
  const auto codes = train.classes({0});
  const Logistic model = Logistic::fit(train.x.view(), codes, 2, {.c = 0.5});
  ASSERT_TRUE(model.converged());
  const Matrix<double> p = model.predict_proba(train.x.view());
  for (std::size_t j = 0; j <= 40; ++j) {
    double gradient = j < 40 ? model.weights()(0, j) / 0.5 : 0;
    for (std::size_t i = 0; i < 400; ++i) gradient += (p(i, 1) - codes[i]) * (j < 40 ? train.x(i, j) : 1);
    EXPECT_NEAR(gradient, 0, 1.1e-4);
  }
}

TEST(Logistic, ClassesThatDoNotOccurAreNeverPredicted) {
  const Population train(4, 60, 6);
  auto codes = train.classes({0});
  for (auto& code : codes) code = code == 0 ? 1 : 3;
  const Matrix<double> p = Logistic::fit(train.x.view(), codes, 5).predict_proba(train.x.view());
  const Matrix<double> plain = Logistic::fit(train.x.view(), train.classes({0}), 2).predict_proba(train.x.view());
  for (std::size_t i = 0; i < 60; ++i) {
    EXPECT_EQ(p(i, 0) + p(i, 2) + p(i, 4), 0);
    EXPECT_EQ(p(i, 3), plain(i, 1));
  }
  const std::vector<std::int32_t> one(60, 2);
  EXPECT_EQ(Logistic::fit(train.x.view(), one, 3).predict_proba(train.x.view())(7, 2), 1);
}

TEST(Logistic, IsTheSameForAnyNumberOfThreads) {
  const Population train(4, 3000, 12);
  set_threads(1);
  const Logistic one = Logistic::fit(train.x.view(), train.classes({-0.4, 0.4}), 3);
  set_threads(3);
  const Logistic three = Logistic::fit(train.x.view(), train.classes({-0.4, 0.4}), 3);
  set_threads(0);
  EXPECT_TRUE(std::equal(one.weights().data(), one.weights().data() + one.weights().size(), three.weights().data()));
}

TEST(Logistic, BalancedClassesHaveTheProbabilitiesOfScikitLearn) {
  const Population train(16, 120, 6);
  const Population points(17, 5, 6);
  const auto logistic = make_estimator("logistic:weight=balanced,tolerance=1e-8,iterations=1000");
  logistic->fit(train.x.view(), train.classes({0.5}), 2, {});
  const std::vector<double> two = {0.439161, 0.560839, 0.975799, 0.0242008, 0.455733,  // references.py
                                   0.544267, 0.880979, 0.119021, 0.543517,  0.456483};
  Matrix<double> p = logistic->predict_proba(points.x.view());
  for (std::size_t i = 0; i < two.size(); ++i) EXPECT_NEAR(p.data()[i], two[i], 1e-5);
  logistic->fit(train.x.view(), train.classes({-0.2, 0.6}), 3, {});
  const std::vector<double> three = {0.129152, 0.448813, 0.422035, 0.870022,  0.125597, 0.00438064, 0.106316, 0.524455,
                                     0.369229, 0.482524, 0.467586, 0.0498898, 0.218477, 0.452624,   0.328899};
  p = logistic->predict_proba(points.x.view());
  for (std::size_t i = 0; i < three.size(); ++i) EXPECT_NEAR(p.data()[i], three[i], 1e-5);
}

TEST(Logistic, SeparableClassesStayFinite) {
  Matrix<float> x(2, 1);
  x(0, 0) = -1;
  x(1, 0) = 1;
  const Logistic model = Logistic::fit(x.view(), std::vector<std::int32_t>{0, 1}, 2);
  // w = 2 / (1 + e^w) has the solution 0.6748 (bisection by hand); the intercept is 0 by symmetry.
  EXPECT_NEAR(model.weights()(0, 0), 0.67483, 1e-4);
  EXPECT_NEAR(model.weights()(0, 1), 0, 1e-6);
}

TEST(Logistic, RefusesWhatIsNotFinite) {
  Matrix<float> x(3, 2, 1.0F);
  x(2, 0) = INFINITY;
  EXPECT_THROW(Logistic::fit(x.view(), std::vector<std::int32_t>{0, 1, 0}, 2), Error);
}

}  // namespace
}  // namespace bauta
