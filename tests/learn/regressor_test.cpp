// Expected values come from scikit-learn 1.2.1 through tests/learn/references.py, where nothing else is said.
#include "bauta/learn/regressor.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "population.hpp"

namespace bauta {
namespace {

struct Known {
  std::string specification;
  std::vector<double> values;
};

TEST(Regressors, TellWhatThoseOfScikitLearnTell) {
  const Population train(16, 120, 6);
  const Population points(17, 5, 6);
  const std::vector<Known> known = {
      {"svm-linear:tolerance=1e-6", {0.397977, -0.827759, 0.426809, -0.263067, 0.274739}},
      {"svm-poly:tolerance=1e-6,coef0=0.5", {0.214248, -0.9648, 0.582241, -0.0834416, 0.264966}},
      {"svm-rbf:tolerance=1e-6", {0.348171, -1.08488, 0.517192, -0.0126069, 0.378329}},
      {"svm-sigmoid:tolerance=1e-6,gamma=0.1", {0.384781, -0.748877, 0.41245, -0.219485, 0.262882}},
      {"svm-linear:c=100,epsilon=0.01", {0.357498, -0.846428, 0.443148, -0.21369, 0.20889}},
      {"knn", {0.251561, -0.994224, 0.493598, 0.0202418, 0.404727}},
      {"ridge", {0.384702, -0.805555, 0.430247, -0.243255, 0.266817}}};
  for (const Known& expected : known) {
    const auto regressor = make_regressor(expected.specification);
    regressor->fit(train.x.view(), train.level, {});
    const auto found = regressor->predict(points.x.view());
    ASSERT_EQ(found.size(), 5U);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(found[i], expected.values[i], 2e-4) << expected.specification;
  }
}

TEST(Regressors, EveryOneLearnsAndIsTheSameForAnyNumberOfThreads) {
  const Population train(11, 300, 4);
  const Population test(12, 300, 4);
  for (const auto& entry : regressors()) {
#ifndef BAUTA_TRAINS
    if (entry.declaration.name == "mlp") continue;
#endif
    const auto run = [&](int count) {
      set_threads(count);
      // With gamma=scale the sigmoid kernel fails on these data, here (error 11.22) as with scikit-learn (11.22).
      const std::string more = entry.declaration.name == "svm-sigmoid" ? ":gamma=0.1" : "";
      const auto regressor = make_regressor(entry.declaration.name + more);
      regressor->fit(train.x.view(), train.level, {.seed = 3});
      auto values = regressor->predict(test.x.view());
      set_threads(0);
      return values;
    };
    const auto values = run(1);
    EXPECT_EQ(values, run(3)) << entry.declaration.name;
    double error = 0;
    double mean_error = 0;
    for (std::size_t i = 0; i < 300; ++i) {
      error += std::abs(values[i] - test.level[i]) / 300;
      mean_error += std::abs(test.level[i]) / 300;
    }
    // The noise is uniform in +-0.5, so the best rule is off by 0.25 in the mean; always telling 0 is off by 0.55.
    EXPECT_NEAR(mean_error, 0.55, 0.05);
    EXPECT_LT(error, 0.4) << entry.declaration.name;
    EXPECT_GT(error, 0.2) << entry.declaration.name;
  }
}

// By hand: f = 2 x has no error above epsilon at either point, and no flatter line has none.
TEST(SvmLinearRegressor, TheFlattestLineWithinEpsilon) {
  Matrix<float> x(2, 1);
  x(0, 0) = -1;
  x(1, 0) = 1;
  const auto svr = make_regressor("svm-linear:c=100,epsilon=0.5,tolerance=1e-6");
  svr->fit(x.view(), std::vector<double>{-2.5, 2.5}, {});
  const auto found = svr->predict(x.view());
  EXPECT_NEAR(found[0], -2, 1e-4);
  EXPECT_NEAR(found[1], 2, 1e-4);
}

TEST(Regressors, RefuseWhatIsNotFiniteAndUnknownNames) {
  const Matrix<float> x(3, 2, 1.0F);
  for (const auto& entry : regressors()) {
    EXPECT_THROW(make_regressor(entry.declaration.name)->fit(x.view(), std::vector<double>{0, NAN, 1}, {}), Error);
  }
  EXPECT_THROW(make_regressor("logistic"), Error);
}

}  // namespace
}  // namespace bauta
