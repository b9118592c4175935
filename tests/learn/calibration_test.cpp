// Expected values come from scikit-learn 1.2.1, CalibratedClassifierCV(cv=5, ensemble=False), through
// tests/learn/references.py, where nothing else is said.
#include "calibration.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"
#include "population.hpp"

namespace bauta {
namespace {

struct Known {
  std::string specification;
  std::vector<double> two;
  std::vector<double> three;
};

TEST(Calibration, HasTheProbabilitiesOfScikitLearn) {
  const Population train(16, 120, 6);
  const Population points(17, 5, 6);
  const std::vector<Known> known = {
      {"svm-rbf:tolerance=1e-6,calibration=sigmoid",
       {0.813949, 0.186051, 0.961488, 0.0385115, 0.568417, 0.431583, 0.934047, 0.0659526, 0.815886, 0.184114},
       {0.0422473, 0.650648, 0.307105, 0.805001, 0.151731, 0.0432676, 0.0397198, 0.628996, 0.331284, 0.320837, 0.630196,
        0.0489667, 0.0443615, 0.669497, 0.286141}},
      {"svm-rbf:tolerance=1e-6,calibration=isotonic",
       {0.888889, 0.111111, 1, 0, 0.333333, 0.666667, 1, 0, 0.888889, 0.111111},
       {0.0643935, 0.634876, 0.300731, 1, 0, 0, 0, 0.678571, 0.321429, 0.259259, 0.740741, 0, 0.129694, 0.668735,
        0.20157}},
      {"logistic:tolerance=1e-8,iterations=1000,calibration=sigmoid",
       {0.582972, 0.417028, 0.994529, 0.00547094, 0.559111, 0.440889, 0.950054, 0.0499458, 0.701645, 0.298355},
       {0.0838417, 0.478307, 0.437851, 0.731495, 0.266749, 0.00175569, 0.0640032, 0.51099, 0.425007, 0.579963, 0.396037,
        0.0239996, 0.187989, 0.501342, 0.310668}},
      {"logistic:tolerance=1e-8,iterations=1000,calibration=isotonic",
       {0.555556, 0.444444, 1, 0, 0.555556, 0.444444, 1, 0, 0.564869, 0.435131},
       {0, 0.591979, 0.408021, 0.752941, 0.247059, 0, 0, 0.656652, 0.343348, 0.541466, 0.458534, 0, 0.218471, 0.465959,
        0.31557}},
      {"knn:k=15,calibration=sigmoid",
       {0.666665, 0.333335, 0.960917, 0.0390828, 0.56831, 0.43169, 0.941807, 0.0581933, 0.56831, 0.43169},
       {0.0693313, 0.538469, 0.3922, 0.82885, 0.143995, 0.0271551, 0.0694037, 0.648987, 0.281609, 0.231935, 0.737717,
        0.0303482, 0.119784, 0.578163, 0.302053}},
      {"knn:k=15,calibration=isotonic",
       {0.538462, 0.461538, 1, 0, 0.538462, 0.461538, 1, 0, 0.538462, 0.461538},
       {0.0581217, 0.570649, 0.371229, 0.852941, 0.147059, 0, 0.0581217, 0.570649, 0.371229, 0.25, 0.75, 0, 0.0581217,
        0.570649, 0.371229}}};
  for (const Known& expected : known) {
    const auto estimator = make_estimator(expected.specification);
    estimator->fit(train.x.view(), train.classes({0.5}), 2, {});
    Matrix<double> p = estimator->predict_proba(points.x.view());
    for (std::size_t i = 0; i < 10; ++i) EXPECT_NEAR(p.data()[i], expected.two[i], 1e-3) << expected.specification;
    estimator->fit(train.x.view(), train.classes({-0.2, 0.6}), 3, {});
    p = estimator->predict_proba(points.x.view());
    for (std::size_t i = 0; i < 15; ++i) EXPECT_NEAR(p.data()[i], expected.three[i], 1e-3) << expected.specification;
  }
}

// Of noise alone the honest answer is the share of the class, whatever the estimator has learned by heart.
TEST(Calibration, DoesNotBelieveWhatWasLearnedByHeart) {
  const Matrix<float> train = Lcg(51).matrix(400, 5);
  std::vector<std::int32_t> codes(400);
  for (std::size_t i = 0; i < 400; ++i) codes[i] = i % 4 == 0 ? 1 : 0;
  const auto mean_distance = [&](const std::string& specification) {
    const auto estimator = make_estimator(specification);
    estimator->fit(train.view(), codes, 2, {});
    const Matrix<double> p = estimator->predict_proba(train.view());
    double sum = 0;
    for (std::size_t i = 0; i < 400; ++i) sum += std::abs(p(i, 1) - 0.25) / 400;
    return sum;
  };
  EXPECT_GT(mean_distance("knn:k=1"), 0.3);  // certain of every sample: (3 * 0.25 + 0.75) / 4 = 0.375
  EXPECT_LT(mean_distance("knn:k=1,calibration=sigmoid"), 0.1);
}

TEST(Calibration, FoldsAreThoseOfStratifiedKFold) {
  // StratifiedKFold(3).split on [1,0,0,2,0,1,2,1,0,2,0] of scikit-learn 1.2.1 has the test parts [0 1 2 3], [4 5 6 8]
  // and [7 9 10].
  const std::vector<std::int32_t> codes = {1, 0, 0, 2, 0, 1, 2, 1, 0, 2, 0};
  EXPECT_EQ(calibration_folds(codes, 3, 3, {}), (std::vector<std::size_t>{0, 0, 0, 0, 1, 1, 1, 2, 1, 2, 2}));
}

TEST(Calibration, NoSubjectIsInTwoFoldsAndClassesStayShared) {
  Stream stream(1, "test.folds");
  std::vector<std::int32_t> codes;
  std::vector<std::uint32_t> subjects;
  for (std::uint32_t s = 0; s < 60; ++s) {
    const std::uint64_t samples = 1 + stream.below(9);
    for (std::uint64_t i = 0; i < samples; ++i) {
      subjects.push_back(s * 7);
      codes.push_back(s % 3 == 0 ? 1 : 0);
    }
  }
  const auto folds = calibration_folds(codes, 2, 5, {.seed = 3, .subjects = subjects});
  std::set<std::pair<std::uint32_t, std::size_t>> seen;
  Matrix<double> counts(5, 2, 0.0);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    seen.emplace(subjects[i], folds[i]);
    ++counts(folds[i], static_cast<std::size_t>(codes[i]));
  }
  EXPECT_EQ(seen.size(), 60U);
  for (std::size_t c = 0; c < 2; ++c) {
    double all = 0;
    for (std::size_t f = 0; f < 5; ++f) all += counts(f, c);
    for (std::size_t f = 0; f < 5; ++f) EXPECT_NEAR(counts(f, c), all / 5, 5) << c;  // less than one subject
  }
}

TEST(Calibration, RefusesClassesThatAreTooRare) {
  const Matrix<float> x = Lcg(52).matrix(40, 3);
  std::vector<std::int32_t> codes(40, 0);
  for (std::size_t i = 0; i < 4; ++i) codes[i] = 1;
  const auto estimator = make_estimator("logistic:calibration=sigmoid");
  EXPECT_THROW(estimator->fit(x.view(), codes, 2, {}), Error);
  for (std::size_t i = 0; i < 12; ++i) codes[i] = 1;
  EXPECT_NO_THROW(estimator->fit(x.view(), codes, 2, {}));
  std::vector<std::uint32_t> subjects(40, 0);  // the class belongs to one subject
  for (std::uint32_t i = 12; i < 40; ++i) subjects[i] = i;
  EXPECT_THROW(estimator->fit(x.view(), codes, 2, {.subjects = subjects}), Error);
  EXPECT_NO_THROW(estimator->fit(x.view(), std::vector<std::int32_t>(40, 1), 2, {}));
  EXPECT_EQ(estimator->predict_proba(x.view())(0, 1), 1);
}

}  // namespace
}  // namespace bauta
