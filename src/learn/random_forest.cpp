// Random forests as estimator and regressor.
#include "bauta/learn/forest.hpp"
#include "bauta/learn/regressor.hpp"
#include "training_data.hpp"

namespace bauta {
namespace {

ForestOptions forest_options(const Parameters& parameters, const FitOptions& options) {
  return {.trees = static_cast<std::size_t>(parameters.integer("trees")), .seed = options.seed, .where = options.where};
}

std::vector<Parameter> forest_parameters() {
  return {{"trees", ParameterType::integer, "100", "number of trees", 1, 100000}};
}

class RandomForest : public Estimator {
 public:
  explicit RandomForest(const Parameters& parameters) : parameters_(parameters) {}

  void fit(MatrixView<const float> x, std::span<const std::int32_t> codes, std::size_t classes,
           const FitOptions& options) override {
    forest_ = Forest::classifier(x, codes, classes, forest_options(parameters_, options));
  }

  [[nodiscard]] Matrix<double> predict_proba(MatrixView<const float> x) const override { return forest_.predict(x); }
  [[nodiscard]] std::vector<double> importances() const override { return forest_.importances(); }

 private:
  Parameters parameters_;
  Forest forest_;
};

class RandomForestRegressor : public Regressor {
 public:
  explicit RandomForestRegressor(const Parameters& parameters) : parameters_(parameters) {}

  void fit(MatrixView<const float> x, std::span<const double> values, const FitOptions& options) override {
    require_values(x, values, options.where);
    forest_ = Forest::regressor(x, values, forest_options(parameters_, options));
  }

  [[nodiscard]] std::vector<double> predict(MatrixView<const float> x) const override {
    const Matrix<double> means = forest_.predict(x);
    return {means.data(), means.data() + means.size()};
  }

 private:
  Parameters parameters_;
  Forest forest_;
};

template <class Interface, class Kind>
Entry<Interface> entry(std::string doc, std::vector<Parameter> parameters) {
  return {{.name = "random-forest",
           .paper = "Breiman 2001, Random Forests",
           .doc = std::move(doc),
           .medium = "template",
           .learns = true,
           .parameters = std::move(parameters)},
          [](const Parameters& values) { return std::make_unique<Kind>(values); }};
}

}  // namespace

Entry<Estimator> random_forest_estimator() {
  return entry<Estimator, RandomForest>(
      "trees on bootstrap samples, each split the best of sqrt(d) random features (Gini)", forest_parameters());
}

Entry<Regressor> random_forest_regressor() {
  return entry<Regressor, RandomForestRegressor>(
      "trees on bootstrap samples, each split the best of all features (variance), the mean of their leaves",
      forest_parameters());
}

}  // namespace bauta
