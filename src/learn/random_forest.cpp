// Random forest as an estimator.
#include "bauta/learn/estimator.hpp"
#include "bauta/learn/forest.hpp"

namespace bauta {
namespace {

class RandomForest : public Estimator {
 public:
  explicit RandomForest(const Parameters& parameters) : trees_(static_cast<std::size_t>(parameters.integer("trees"))) {}

  void fit(MatrixView<const float> x, std::span<const std::int32_t> codes, std::size_t classes,
           const FitOptions& options) override {
    forest_ = Forest::classifier(x, codes, classes, {.trees = trees_, .seed = options.seed, .where = options.where});
  }

  [[nodiscard]] Matrix<double> predict_proba(MatrixView<const float> x) const override { return forest_.predict(x); }

 private:
  std::size_t trees_;
  Forest forest_;
};

}  // namespace

Entry<Estimator> random_forest_estimator() {
  return {{.name = "random-forest",
           .paper = "Breiman 2001, Random Forests",
           .doc = "trees on bootstrap samples, each split the best of sqrt(d) random features (Gini)",
           .medium = "template",
           .learns = true,
           .parameters = {{"trees", ParameterType::integer, "100", "number of trees", 1, 100000}}},
          [](const Parameters& parameters) { return std::make_unique<RandomForest>(parameters); }};
}

}  // namespace bauta
