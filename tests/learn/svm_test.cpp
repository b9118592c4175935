// Expected values come from scikit-learn 1.2.1 through tests/learn/references.py.
#include <cmath>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/learn/estimator.hpp"
#include "population.hpp"

namespace bauta {
namespace {

/// Decision values for the second of two classes: probabilities are the logistic function of them.
std::vector<double> decisions(const Estimator& estimator, MatrixView<const float> x) {
  const Matrix<double> p = estimator.predict_proba(x);
  std::vector<double> values;
  for (std::size_t i = 0; i < p.rows(); ++i) values.push_back(std::log(p(i, 1) / p(i, 0)));
  return values;
}

struct Case {
  std::string kernel;
  std::string more;
  std::vector<double> decisions;
  std::vector<std::int32_t> classes;
};

class Svm : public testing::TestWithParam<Case> {};

TEST_P(Svm, DecidesLikeScikitLearn) {
  const Population train(16, 120, 6);
  const Population points(17, 5, 6);
  const std::string name = "svm-" + GetParam().kernel + ":tolerance=1e-6" + GetParam().more;
  const auto two = make_estimator(name);
  two->fit(train.x.view(), train.classes({0.1}), 2, {});
  const auto found = decisions(*two, points.x.view());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], GetParam().decisions[i], 2e-4);
  const auto three = make_estimator(name + ",c=5");
  three->fit(train.x.view(), train.classes({-0.4, 0.4}), 3, {});
  EXPECT_EQ(three->predict(train.x.view().slice(0, 40)), GetParam().classes);
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, Svm,
    testing::Values(
        Case{"linear", "", {1.45784, -2.26897, 1.16455, -0.925521, 1.11685}, {2, 2, 2, 1, 2, 0, 1, 2, 1, 2, 1, 0, 1, 2,
                                                                              2, 2, 1, 1, 2, 1, 0, 2, 2, 1, 0, 1, 0, 2,
                                                                              1, 1, 2, 2, 1, 2, 0, 1, 2, 1, 1, 2}},
        Case{"poly", ",coef0=0.5", {0.925107, -3.09937, 1.68088, -1.58027, 0.632637}, {1, 2, 2, 1, 2, 0, 1, 2, 1, 2,
                                                                                       1, 0, 1, 2, 2, 2, 1, 1, 2, 1,
                                                                                       0, 2, 2, 1, 0, 1, 0, 2, 1, 1,
                                                                                       2, 2, 1, 2, 0, 1, 2, 1, 1, 2}},
        Case{"rbf", "", {0.846892, -2.14784, 1.16326, -0.263383, 0.706784}, {1, 2, 2, 1, 2, 0, 1, 2, 1, 2, 1, 0, 1, 2,
                                                                             2, 2, 1, 1, 2, 1, 0, 2, 2, 1, 0, 1, 0, 2,
                                                                             1, 1, 2, 2, 1, 2, 0, 1, 2, 1, 1, 2}},
        Case{"sigmoid",
             ",gamma=0.1",
             {0.778093, -1.2046, 0.528862, -0.545431, 0.568175},
             {2, 2, 2, 1, 2, 0, 1, 2, 1, 2, 1, 0, 1, 2, 2, 2, 1, 1, 2, 1,
              1, 2, 2, 1, 0, 1, 0, 2, 1, 1, 2, 2, 1, 2, 0, 1, 2, 1, 1, 2}}),
    [](const auto& instance) { return instance.param.kernel; });

TEST(SvmLinear, MoreFeaturesThanSamplesGoThroughTheKernel) {
  Lcg lcg(18);
  const Matrix<float> x = lcg.matrix(20, 30);
  std::vector<std::int32_t> codes(20);
  for (std::size_t i = 0; i < 20; ++i) codes[i] = static_cast<std::int32_t>(i % 2);
  const auto svm = make_estimator("svm-linear:c=0.1,tolerance=1e-6");
  svm->fit(x.view(), codes, 2, {});
  const auto found = decisions(*svm, x.view());
  const std::vector<double> expected = {-0.574217, 0.24722, -1, 0.859314};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(found[i], expected[i], 1e-4);
}

// By hand: of (-1), (1), (3) with classes 0, 1, 1 the widest margin lies between -1 and 1: f(x) = x.
TEST(SvmLinear, WidestMarginOfThreePoints) {
  Matrix<float> x(3, 1);
  x(0, 0) = -1;
  x(1, 0) = 1;
  x(2, 0) = 3;
  const std::vector<std::int32_t> codes = {0, 1, 1};
  for (const char* name : {"svm-linear:c=10", "svm-poly:c=10,degree=1,gamma=1,tolerance=1e-6"}) {
    const auto svm = make_estimator(name);
    svm->fit(x.view(), codes, 2, {});
    const auto found = decisions(*svm, x.view());
    EXPECT_NEAR(found[0], -1, 1e-4) << name;
    EXPECT_NEAR(found[1], 1, 1e-4) << name;
    EXPECT_NEAR(found[2], 3, 1e-4) << name;
  }
}

// By hand: between each two of (-4), (0), (4) lies their middle, whatever the others are.
TEST(SvmLinear, EveryTwoOfThreeClassesPartInTheirMiddle) {
  Matrix<float> x(3, 2, 0.0F), points(4, 2, 0.0F);
  for (std::size_t i = 0; i < 3; ++i) x(i, 0) = 4 * static_cast<float>(i) - 4;
  const float places[] = {-2.1F, -1.9F, 1.9F, 2.1F};
  for (std::size_t i = 0; i < 4; ++i) points(i, 0) = places[i];
  const auto svm = make_estimator("svm-linear:c=10,tolerance=1e-6");
  svm->fit(x.view(), std::vector<std::int32_t>{0, 1, 2}, 3, {});
  EXPECT_EQ(svm->predict(points.view()), (std::vector<std::int32_t>{0, 1, 1, 2}));
}

TEST(SvmRbf, IsTheSameForAnyNumberOfThreads) {
  const Population train(19, 700, 8);
  for (const char* name : {"svm-rbf", "svm-linear"}) {
    set_threads(1);
    const auto one = make_estimator(name);
    one->fit(train.x.view(), train.classes({-0.4, 0.4}), 3, {});
    const Matrix<double> expected = one->predict_proba(train.x.view());
    set_threads(3);
    const auto three = make_estimator(name);
    three->fit(train.x.view(), train.classes({-0.4, 0.4}), 3, {});
    const Matrix<double> found = three->predict_proba(train.x.view());
    set_threads(0);
    EXPECT_TRUE(std::equal(expected.data(), expected.data() + expected.size(), found.data())) << name;
  }
}

TEST(SvmRbf, ClassesThatDoNotOccurAreNeverPredicted) {
  const Population train(4, 60, 6);
  auto codes = train.classes({0});
  for (auto& code : codes) code = code == 0 ? 1 : 3;
  const auto svm = make_estimator("svm-rbf");
  svm->fit(train.x.view(), codes, 5, {});
  const Matrix<double> p = svm->predict_proba(train.x.view());
  EXPECT_EQ(p(7, 0) + p(7, 2) + p(7, 4), 0);
  svm->fit(train.x.view(), std::vector<std::int32_t>(60, 2), 3, {});
  EXPECT_EQ(svm->predict_proba(train.x.view())(7, 2), 1);
}

TEST(SvmWeights, BalancedClassesAreWeighedLikeThoseOfScikitLearn) {
  const Population train(16, 120, 6);
  const Population points(17, 5, 6);
  const std::vector<Case> cases = {
      {"linear", "", {0.306469, -3.04447, 0.214336, -1.58988, -0.0958962}, {1, 2, 2, 1, 2, 0, 1, 2, 0, 2, 1, 0, 1, 1,
                                                                            2, 2, 1, 1, 2, 0, 0, 2, 2, 1, 0, 1, 0, 2,
                                                                            0, 1, 2, 2, 1, 1, 0, 0, 2, 0, 1, 2}},
      {"rbf", "", {-0.0449555, -1.88317, 0.206815, -1.54211, -0.145816}, {2, 2, 2, 1, 2, 0, 1, 1, 0, 1, 1, 0, 1, 1,
                                                                          1, 2, 1, 1, 2, 0, 0, 2, 2, 1, 0, 1, 0, 2,
                                                                          0, 1, 2, 1, 1, 1, 0, 0, 2, 0, 1, 2}}};
  for (const Case& expected : cases) {
    const std::string name = "svm-" + expected.kernel + ":tolerance=1e-6,weight=balanced";
    const auto two = make_estimator(name);
    two->fit(train.x.view(), train.classes({0.5}), 2, {});
    const auto found = decisions(*two, points.x.view());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected.decisions[i], 2e-4) << name;
    const auto three = make_estimator(name + ",c=5");
    three->fit(train.x.view(), train.classes({-0.2, 0.6}), 3, {});
    EXPECT_EQ(three->predict(train.x.view().slice(0, 40)), expected.classes) << name;
  }
}

TEST(SvmRbf, GammaMayBeAMultipleOfScale) {
  const Population train(4, 60, 6);
  const auto fitted = [&](const char* name) {
    const auto svm = make_estimator(name);
    svm->fit(train.x.view(), train.classes({0}), 2, {});
    return decisions(*svm, train.x.view());
  };
  EXPECT_EQ(fitted("svm-rbf:gamma=scale*1"), fitted("svm-rbf"));
  EXPECT_NE(fitted("svm-rbf:gamma=scale*0.1"), fitted("svm-rbf"));
  EXPECT_THROW(make_estimator("svm-rbf:gamma=scale*"), Error);
  EXPECT_THROW(make_estimator("svm-rbf:gamma=scale*0"), Error);
  EXPECT_THROW(make_estimator("svm-rbf:gamma=scaled"), Error);
}

TEST(SvmRbf, RefusesBadValues) {
  EXPECT_THROW(make_estimator("svm-rbf:gamma=wide"), Error);
  EXPECT_THROW(make_estimator("svm-rbf:gamma=-1"), Error);
  EXPECT_THROW(make_estimator("svm-rbf:c=0"), Error);
  Matrix<float> x(3, 2, 1.0F);
  x(2, 0) = NAN;
  EXPECT_THROW(make_estimator("svm-rbf")->fit(x.view(), std::vector<std::int32_t>{0, 1, 0}, 2, {}), Error);
}

}  // namespace
}  // namespace bauta
