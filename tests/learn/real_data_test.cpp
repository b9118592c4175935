// Accuracy on real templates, within one point of that of scikit-learn 1.2.1 with its defaults
// (tests/learn/references.py FOLDER). Trained on the first 5,000 rows, tested on the 2,990 others.
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "bauta/data/dataset.hpp"
#include "bauta/learn/estimator.hpp"

namespace bauta {
namespace {

struct Known {
  const char* estimator;
  double gender;
  double ethnicity;
};

TEST(RealData, EstimatorsReachWhatScikitLearnReaches) {
  const char* root = std::getenv("BAUTA_DATA");
  const std::filesystem::path path =
      (root != nullptr ? root : std::filesystem::path(BAUTA_SOURCE_DIR) / "../shared/data") / "templates-utk";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent; set BAUTA_DATA to the folder with real data";
  const Dataset data = read_dataset(path);
  constexpr std::size_t seen = 5000;
  const auto train = data.templates.floats().slice(0, seen);
  const auto test = data.templates.floats().slice(seen, data.size() - seen);
  const std::vector<Known> known = {{"knn", 0.8749, 0.8100},           {"logistic", 0.9241, 0.8542},
                                    {"random-forest", 0.9191, 0.8341}, {"svm-linear", 0.9294, 0.8525},
                                    {"svm-poly", 0.9284, 0.8535},      {"svm-rbf", 0.9304, 0.8542},
                                    {"svm-sigmoid", 0.9274, 0.8472}};
  for (const char* attribute : {"gender", "ethnicity"}) {
    const Categorical labels = data.labels.categorical(attribute);
    const std::span codes(labels.codes);
    for (const Known& expected : known) {
      const auto estimator = make_estimator(expected.estimator);
      estimator->fit(train, codes.first(seen), labels.classes.size(), {});
      const auto predicted = estimator->predict(test);
      double right = 0;
      for (std::size_t i = 0; i < predicted.size(); ++i) right += predicted[i] == codes[seen + i] ? 1 : 0;
      EXPECT_NEAR(right / static_cast<double>(predicted.size()),
                  std::string_view(attribute) == "gender" ? expected.gender : expected.ethnicity, 0.01)
          << expected.estimator << " " << attribute;
    }
  }
}

}  // namespace
}  // namespace bauta
