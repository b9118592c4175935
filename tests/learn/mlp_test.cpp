#include <algorithm>

#include <gtest/gtest.h>

#include "../held.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/learn/estimator.hpp"
#include "bauta/learn/regressor.hpp"
#include "population.hpp"

namespace bauta {
namespace {

/// Two classes that no straight line parts: the sign of the product of the first two features.
std::vector<std::int32_t> exclusive_or(const Matrix<float>& x) {
  std::vector<std::int32_t> codes;
  for (std::size_t i = 0; i < x.rows(); ++i) codes.push_back(x(i, 0) * x(i, 1) > 0 ? 1 : 0);
  return codes;
}

TEST(Mlp, LearnsWhatIsNotLinear) {
  const Matrix<float> train = Lcg(31).matrix(600, 3);
  const Matrix<float> test = Lcg(32).matrix(300, 3);
  const auto mlp = make_estimator("mlp:epochs=400");
  mlp->fit(train.view(), exclusive_or(train), 2, {});
  const auto predicted = mlp->predict(test.view());
  const auto truth = exclusive_or(test);
  double right = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) right += predicted[i] == truth[i] ? 1.0 / 300 : 0;
  EXPECT_GT(right, 0.9);  // logistic regression stays at chance
}

TEST(Mlp, SameSeedSameBitsForAnyNumberOfThreads) {
  const Matrix<float> train = Lcg(33).matrix(700, 4);
  const auto run = [&](int count, std::uint64_t seed) {
    set_threads(count);
    const auto mlp = make_estimator("mlp:hidden=20/10,epochs=5");
    mlp->fit(train.view(), exclusive_or(train), 2, {.seed = seed});
    Matrix<double> p = mlp->predict_proba(train.view());
    set_threads(0);
    return std::vector<double>(p.data(), p.data() + p.size());
  };
  EXPECT_EQ(run(1, 1), run(3, 1));
  EXPECT_NE(run(1, 1), run(1, 2));
}

// Without features that tell anything, what is learned are the classes' shares: 1 in 10, or balanced 1 in 2.
// Training ends where the loss falls by less than 1e-4 in an epoch, a little before that: scikit-learn 1.2.1,
// MLPClassifier((4,), max_iter=2000) on the same data, ends between 0.120 and 0.202 over 20 seeds.
TEST(Mlp, BalancedClassesCountAlike) {
  const Matrix<float> nothing(400, 1, 0.0F);
  std::vector<std::int32_t> codes(400, 0);
  for (std::size_t i = 0; i < 400; i += 10) codes[i] = 1;
  const auto share = [&](const std::string& weight) {
    const auto mlp = make_estimator("mlp:hidden=4,epochs=2000,weight=" + weight);
    mlp->fit(nothing.view(), codes, 2, {});
    return mlp->predict_proba(nothing.view())(0, 1);
  };
  EXPECT_NEAR(share("none"), 0.1, 0.05);
  EXPECT_NEAR(share("balanced"), 0.5, 0.05);
}

TEST(Mlp, ClassesThatDoNotOccurAreNeverPredicted) {
  const Matrix<float> train = Lcg(34).matrix(60, 3);
  auto codes = exclusive_or(train);
  for (auto& code : codes) code = code == 0 ? 1 : 3;
  const auto mlp = make_estimator("mlp:hidden=8,epochs=3");
  mlp->fit(train.view(), codes, 5, {});
  const Matrix<double> p = mlp->predict_proba(train.view());
  EXPECT_EQ(p(7, 0) + p(7, 2) + p(7, 4), 0);
  EXPECT_NEAR(p(7, 1) + p(7, 3), 1, 1e-12);
  mlp->fit(train.view(), std::vector<std::int32_t>(60, 2), 3, {});
  EXPECT_EQ(mlp->predict_proba(train.view())(7, 2), 1);
}

TEST(Mlp, RefusesBadValues) {
  EXPECT_THROW(make_estimator("mlp:hidden=10/"), Error);
  EXPECT_THROW(make_estimator("mlp:hidden=0"), Error);
  EXPECT_THROW(make_estimator("mlp:epochs=0"), Error);
}

// As it was on 2026-11-16.
TEST(HeldEstimators, Perceptrons) {
  const Population train(5, 90, 6), test(6, 25, 6);
  test::expect_held(
      {{"mlp:hidden=7,epochs=4", 0.0718211081},
       {"mlp:hidden=6/5,epochs=3,l2=0.1,weight=balanced,calibration=sigmoid", 0.047347131}},
      [&](const std::string& estimator) {
        const auto mlp = make_estimator(estimator);
        mlp->fit(train.x.view(), train.classes({-0.3, 0.5}), 3, {.seed = 3});
        const Matrix<double> p = mlp->predict_proba(test.x.view());
        return std::vector<double>(p.data(), p.data() + p.size());
      },
      1e-4);
  test::expect_held(
      {{"mlp:hidden=7,epochs=4,l2=0.01", -0.246554002}},
      [&](const std::string& regressor) {
        const auto mlp = make_regressor(regressor);
        mlp->fit(train.x.view(), train.level, {.seed = 3});
        return mlp->predict(test.x.view());
      },
      1e-4);
}

}  // namespace
}  // namespace bauta
