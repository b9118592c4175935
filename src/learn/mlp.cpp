// Multi-layer perceptron with the defaults of scikit-learn's MLPClassifier: one hidden layer of 100, ReLU, Adam.
#include <algorithm>
#include <cmath>

#include "bauta/core/device.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/deep/trainer.hpp"
#include "bauta/learn/regressor.hpp"
#include "class_weights.hpp"
#include "logits.hpp"
#include "training_data.hpp"

namespace bauta {
namespace {

constexpr std::size_t rows_per_task = 512;

MlpOptions mlp_options(const Parameters& parameters, const FitOptions& fit) {
  MlpOptions options;
  options.training.seed = fit.seed;
  options.training.device = device();
  options.hidden = parse_widths("mlp:hidden", parameters.text("hidden"));
  options.training.epochs = static_cast<std::size_t>(parameters.integer("epochs"));
  options.training.patience = 11;  // scikit-learn ends after more than 10 epochs without a better loss
  options.l2 = parameters.real("l2");
  return options;
}

std::vector<Parameter> mlp_parameters() {
  return {
      {.name = "hidden",
       .type = ParameterType::text,
       .default_value = "100",
       .doc = "widths of the hidden layers, e.g. 100/50",
       .grid = {"50", "100", "200", "100/100"}},
      {"epochs", ParameterType::integer, "200",
       "most passes over the training data; it ends where the loss has stopped falling", 1, 1e6},
      {"l2", ParameterType::real, "1e-4", "penalty on squared weights", 0, 1e12, {}, {"1e-5", "1e-4", "1e-3", "1e-2"}}};
}

/// All rows are learned from; whose they are does not matter then.
TrainingSet training_set(MatrixView<const float> x, std::vector<std::int32_t>& subjects) {
  subjects.assign(x.rows, 0);
  return {x, subjects};
}

Matrix<float> outputs_of(const Network& network, MatrixView<const float> x) {
  BAUTA_ASSERT(x.cols == network.inputs());
  Matrix<float> result(x.rows, network.outputs());
  parallel_for((x.rows + rows_per_task - 1) / rows_per_task, [&](std::size_t task, int) {
    const std::size_t first = task * rows_per_task;
    const std::size_t count = std::min(rows_per_task, x.rows - first);
    network.forward(x.slice(first, count), first, result.view().slice(first, count));
  });
  return result;
}

class Mlp : public Estimator {
 public:
  explicit Mlp(const Parameters& parameters) : parameters_(parameters) { (void)mlp_options(parameters, {}); }

  void fit(MatrixView<const float> x, std::span<const std::int32_t> codes, std::size_t classes,
           const FitOptions& options) override {
    require_training_data(x, options.where);
    classes_ = OccurringClasses(codes, classes);
    network_ = {};
    if (classes_.count() == 1) return;
    MlpOptions own = mlp_options(parameters_, options);
    const std::vector<double> weights = class_weights(parameters_, classes_);
    for (const std::size_t code : classes_.codes()) {
      if (!weights.empty()) own.class_weights.push_back(weights[code]);
    }
    std::vector<std::int32_t> subjects;
    const std::vector<std::int32_t> places = classes_.places(codes);
    network_ = trainer().train_classifier(training_set(x, subjects), {places, classes_.count(), "class"}, own).network;
  }

  [[nodiscard]] Matrix<double> predict_proba(MatrixView<const float> x) const override {
    return likelihoods(x).probabilities;
  }

  [[nodiscard]] Likelihoods likelihoods(MatrixView<const float> x) const override {
    return classes_.count() == 1 ? likelihoods_of_logits(Matrix<float>(x.rows, 1, 0.0F).view(), classes_)
                                 : likelihoods_of_logits(outputs_of(network_, x).view(), classes_);
  }

 private:
  Parameters parameters_;
  OccurringClasses classes_;
  Network network_;
};

/// Values are learned as they are, as scikit-learn does: far from 0 or with a large deviation, bring them to a common
/// scale first.
class MlpRegressor : public Regressor {
 public:
  explicit MlpRegressor(const Parameters& parameters) : parameters_(parameters) { (void)mlp_options(parameters, {}); }

  void fit(MatrixView<const float> x, std::span<const double> values, const FitOptions& options) override {
    require_training_data(x, options.where);
    require_values(x, values, options.where);
    MlpOptions own = mlp_options(parameters_, options);
    // The loss there is half of the squared error, here it is all of it.
    own.l2 *= 2;
    own.tolerance *= 2;
    Matrix<float> targets(x.rows, 1);
    for (std::size_t i = 0; i < x.rows; ++i) targets(i, 0) = static_cast<float>(values[i]);
    std::vector<std::int32_t> subjects;
    network_ = trainer().train_regressor(training_set(x, subjects), targets.view(), own).network;
  }

  [[nodiscard]] std::vector<double> predict(MatrixView<const float> x) const override {
    const Matrix<float> values = outputs_of(network_, x);
    return {values.data(), values.data() + values.size()};
  }

 private:
  Parameters parameters_;
  Network network_;
};

template <class Interface, class Kind>
Entry<Interface> entry(std::string doc, std::vector<Parameter> parameters) {
  return {{.name = "mlp",
           .paper = "Rumelhart, Hinton and Williams 1986, Learning Representations by Back-Propagating Errors",
           .doc = std::move(doc),
           .medium = "template",
           .learns = true,
           .parameters = std::move(parameters)},
          [](const Parameters& values) { return std::make_unique<Kind>(values); }};
}

}  // namespace

Entry<Estimator> mlp_estimator() {
  std::vector<Parameter> parameters = mlp_parameters();
  parameters.push_back(weight_parameter());
  return entry<Estimator, Mlp>("multi-layer perceptron with ReLU between its layers, trained by Adam",
                               std::move(parameters));
}

Entry<Regressor> mlp_regressor() {
  return entry<Regressor, MlpRegressor>(
      "multi-layer perceptron with ReLU between its layers, least squares on the values as they are, trained by Adam",
      mlp_parameters());
}

}  // namespace bauta
