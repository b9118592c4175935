// Random forests as estimator and regressor.
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "bauta/learn/forest.hpp"
#include "bauta/learn/regressor.hpp"
#include "class_weights.hpp"
#include "training_data.hpp"

namespace bauta {
namespace {

/// How many of d features are drawn for a split, at least 1.
std::size_t features_per_split(const std::string& text, std::size_t d) {
  const auto at_least_one = [](double count) { return std::max<std::size_t>(1, static_cast<std::size_t>(count)); };
  const auto all = static_cast<double>(d);
  if (text == "sqrt") return at_least_one(std::sqrt(all));
  if (text == "log2") return at_least_one(std::log2(all));
  if (text == "all") return d;
  double number = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = text.find_first_not_of("0123456789") == std::string::npos;
  if (status != std::errc() || stop != text.data() + text.size() || !(number > 0) || (!whole && number > 1)) {
    throw_usage("random-forest:features", fmt::format("'{}' is no number of features", text),
                "write sqrt, log2, all, a whole number, or a share such as 0.2");
  }
  return whole ? std::min(d, at_least_one(number)) : at_least_one(number * all);
}

ForestOptions forest_options(const Parameters& parameters, const FitOptions& options, std::size_t features) {
  return {.trees = static_cast<std::size_t>(parameters.integer("trees")),
          .features = features_per_split(parameters.text("features"), features),
          .leaf = static_cast<std::size_t>(parameters.integer("leaf")),
          .seed = options.seed,
          .where = options.where};
}

std::vector<Parameter> forest_parameters(std::string features, std::vector<std::string> tried) {
  return {{"trees", ParameterType::integer, "100", "number of trees", 1, 100000, {}, {"100", "300"}},
          {.name = "features",
           .type = ParameterType::text,
           .default_value = std::move(features),
           .doc = "features drawn for a split: sqrt, log2, all, a whole number or a share",
           .grid = std::move(tried)},
          {"leaf", ParameterType::integer, "1", "least samples of a leaf", 1, 1e9, {}, {"1", "3", "10"}}};
}

class RandomForest : public Estimator {
 public:
  explicit RandomForest(const Parameters& parameters) : parameters_(parameters) {
    (void)features_per_split(parameters.text("features"), 1);
  }

  void fit(MatrixView<const float> x, std::span<const std::int32_t> codes, std::size_t classes,
           const FitOptions& options) override {
    ForestOptions own = forest_options(parameters_, options, x.cols);
    own.class_weights = class_weights(parameters_, OccurringClasses(codes, classes));
    forest_ = Forest::classifier(x, codes, classes, own);
  }

  [[nodiscard]] Matrix<double> predict_proba(MatrixView<const float> x) const override { return forest_.predict(x); }
  [[nodiscard]] std::vector<double> importances() const override { return forest_.importances(); }

 private:
  Parameters parameters_;
  Forest forest_;
};

class RandomForestRegressor : public Regressor {
 public:
  explicit RandomForestRegressor(const Parameters& parameters) : parameters_(parameters) {
    (void)features_per_split(parameters.text("features"), 1);
  }

  void fit(MatrixView<const float> x, std::span<const double> values, const FitOptions& options) override {
    require_values(x, values, options.where);
    forest_ = Forest::regressor(x, values, forest_options(parameters_, options, x.cols));
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
  std::vector<Parameter> parameters = forest_parameters("sqrt", {"log2", "sqrt", "0.2", "0.4"});
  parameters.push_back(weight_parameter());
  return entry<Estimator, RandomForest>(
      "trees on bootstrap samples, each split the best of some random features (Gini)", std::move(parameters));
}

Entry<Regressor> random_forest_regressor() {
  return entry<Regressor, RandomForestRegressor>(
      "trees on bootstrap samples, each split the best of its features (variance), the mean of their leaves",
      forest_parameters("all", {"sqrt", "0.2", "0.5", "all"}));
}

}  // namespace bauta
