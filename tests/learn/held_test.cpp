// What every learner tells of a small population, as it was on 2026-11-16. Those that approach an optimum get near
// enough for the way there, which roundings change, not to count.
#include "../held.hpp"

#include "bauta/learn/estimator.hpp"
#include "bauta/learn/pca.hpp"
#include "bauta/learn/regressor.hpp"
#include "bauta/learn/tuning.hpp"
#include "bauta/learn/whitening.hpp"
#include "population.hpp"

namespace bauta {
namespace {

/// Features of different sizes, so that weights and scales count; three classes of different frequency.
struct Learned {
  Population train{5, 90, 6}, test{6, 25, 6};
  std::vector<std::uint32_t> subjects;

  Learned() {
    for (Population* population : {&train, &test}) {
      Lcg lcg(population == &train ? 7 : 8);
      for (std::size_t i = 0; i < population->x.rows(); ++i) {
        for (std::size_t j = 3; j < 6; ++j) population->x(i, j) = lcg.next() * static_cast<float>(j);
      }
    }
    for (std::size_t i = 0; i < 90; ++i) subjects.push_back(static_cast<std::uint32_t>(i / 2));
  }
};

std::vector<double> told(const std::string& estimator, std::vector<double> thresholds) {
  const Learned data;
  const auto resolved = make_estimator(estimator);
  resolved->fit(data.train.x.view(), data.train.classes(thresholds), thresholds.size() + 1,
                {.seed = 3, .subjects = data.subjects});
  std::vector<double> values;
  for (const Matrix<double>& part :
       {resolved->predict_proba(data.test.x.view()), resolved->scores(data.test.x.view())}) {
    values.insert(values.end(), part.data(), part.data() + part.size());
  }
  const std::vector<double> importances = resolved->importances();
  values.insert(values.end(), importances.begin(), importances.end());
  return values;
}

TEST(HeldEstimators, OfTwoClasses) {
  test::expect_held(
      {
          {"knn:k=3", -0.161836524},
          {"knn:k=4,comparator=cosine,calibration=sigmoid", 0.0233113524},
          {"lda", 0.319654435},
          {"lda:shrinkage=0.3,calibration=isotonic", 0.408650524},
          {"logistic:c=0.5,tolerance=1e-8,iterations=1000", 0.66644285},
          {"logistic:weight=balanced,calibration=sigmoid,tolerance=1e-8,iterations=1000", 0.247048908},
          {"random-forest:trees=7", 0.435329379},
          {"random-forest:trees=5,features=2,leaf=3,weight=balanced", 0.338068683},
          {"svm-linear:tolerance=1e-8", 0.604580818},
          {"svm-linear:c=0.2,weight=balanced,calibration=sigmoid,tolerance=1e-8", 0.259144434},
          {"svm-poly:degree=2,coef0=1,tolerance=1e-8", 0.489752745},
          {"svm-rbf:c=3,calibration=isotonic,tolerance=1e-8", 0.159716336},
          {"svm-rbf:gamma=scale*0.5,weight=balanced,tolerance=1e-8", 0.293586718},
          {"svm-sigmoid:coef0=0.2,tolerance=1e-8", 0.777904561},
      },
      [](const std::string& estimator) { return told(estimator, {0.1}); });
}

TEST(HeldEstimators, OfThreeClasses) {
  test::expect_held(
      {
          {"knn:k=5", -0.0821399949},
          {"lda:calibration=sigmoid", 0.144449712},
          {"logistic:c=2,tolerance=1e-8,iterations=1000", 0.997096137},
          {"logistic:c=2,weight=balanced,calibration=isotonic,tolerance=1e-8,iterations=1000", 0.184626934},
          {"random-forest:trees=7,features=log2", 0.162559912},
          {"random-forest:trees=5,features=0.5,leaf=2,weight=balanced,calibration=sigmoid", 0.114981683},
          {"svm-linear:c=0.5,tolerance=1e-8", 0.410809363},
          {"svm-poly:weight=balanced,tolerance=1e-8", 0.178161921},
          {"svm-rbf:calibration=sigmoid,tolerance=1e-8", -0.05642274},
          {"svm-sigmoid:calibration=isotonic,tolerance=1e-8", -0.0135826017},
      },
      [](const std::string& estimator) {
        return told(estimator, {-0.3, 0.5});
      });
}

TEST(HeldRegressors, OfOneNumber) {
  test::expect_held(
      {
          {"knn:k=3", -0.817515443},
          {"random-forest:trees=7,leaf=2", -0.819477204},
          {"random-forest:trees=5,features=2", -0.914258804},
          {"ridge:penalty=2", -0.794530408},
          {"svm-linear:c=0.3,tolerance=1e-8", -0.774184324},
          {"svm-poly:degree=2,coef0=1,tolerance=1e-8", -0.687608407},
          {"svm-rbf:epsilon=0.02,tolerance=1e-8", -0.761630123},
          {"svm-sigmoid:c=0.5,tolerance=1e-8", 1.05595916},
      },
      [](const std::string& regressor) {
        const Learned data;
        const auto resolved = make_regressor(regressor);
        resolved->fit(data.train.x.view(), data.train.level, {.seed = 3});
        return resolved->predict(data.test.x.view());
      });
}

TEST(HeldLearning, OfComponentsAndWhitening) {
  const Learned data;
  test::expect_held({{"pca", -0.0855954323}}, [&](const std::string&) {
    const Pca pca = Pca::fit(data.train.x.view());
    const Matrix<float> turned = pca.transform(data.test.x.view());
    std::vector<double> values(turned.data(), turned.data() + turned.size());
    values.insert(values.end(), pca.variances.begin(), pca.variances.end());
    return values;
  });
  test::expect_held({{"0.2", -0.790608219}, {"estimated", -0.78849647}}, [&](const std::string& shrinkage) {
    std::vector<double> weights;
    for (std::size_t i = 0; i < 90; ++i) weights.push_back(1 + static_cast<double>(i % 3));
    const Whitening whitening(data.train.x.view(), weights,
                              shrinkage == "estimated" ? std::nullopt : std::optional(std::stod(shrinkage)));
    Matrix<double> rows(25, 6);
    std::copy_n(data.test.x.data(), rows.size(), rows.data());
    const Matrix<float> values = whitening.apply(rows.view());
    return std::vector<float>(values.data(), values.data() + values.size());
  });
}

// Where each search looks, on a surface with one top.
TEST(HeldTuning, OfEverySearch) {
  test::expect_held(
      {{"grid", 0.566860842}, {"random", 1.10668057}, {"bayesian", 0.840965759}}, [](const std::string& search) {
        const Entry<Estimator>& entry = find_entry(estimators(), "estimator", "svm-rbf");
        const auto numbers = [&](const std::string& specification) {
          const Parameters parameters(entry.declaration, Specification::parse(specification));
          return std::pair(std::log10(parameters.real("c")), static_cast<double>(parameters.text("gamma").size()));
        };
        const Tuned tuned =
            tune(entry.declaration, {"svm-rbf"}, {parse_search(search), 12, 3}, [&](const std::string& text) {
              const auto [c, length] = numbers(text);
              return -std::pow(c - 0.7, 2) - 0.1 * length;
            });
        std::vector<double> values;
        for (const Trial& trial : tuned.trials) {
          values.push_back(numbers(trial.specification).first);
          values.push_back(trial.score);
        }
        return values;
      });
}

}  // namespace
}  // namespace bauta
