// Ridge regression as a regressor: what logistic regression is to classes.
#include "bauta/learn/regressor.hpp"
#include "bauta/learn/ridge.hpp"
#include "training_data.hpp"

namespace bauta {
namespace {

class RidgeRegressor : public Regressor {
 public:
  explicit RidgeRegressor(const Parameters& parameters) : penalty_(parameters.real("penalty")) {}

  void fit(MatrixView<const float> x, std::span<const double> values, const FitOptions& options) override {
    require_training_data(x, options.where);
    require_values(x, values, options.where);
    Matrix<float> targets(x.rows, 1);
    for (std::size_t i = 0; i < x.rows; ++i) targets(i, 0) = static_cast<float>(values[i]);
    ridge_ = Ridge::fit(x, targets.view(), {.penalty = penalty_});
  }

  [[nodiscard]] std::vector<double> predict(MatrixView<const float> x) const override {
    const Matrix<float> values = ridge_.predict(x);
    return {values.data(), values.data() + values.size()};
  }

 private:
  double penalty_;
  Ridge ridge_;
};

}  // namespace

Entry<Regressor> ridge_regressor() {
  return {{.name = "ridge",
           .paper = "Hoerl and Kennard 1970, Ridge Regression",
           .doc = "least squares with a penalty on squared weights; the intercept is free",
           .medium = "template",
           .learns = true,
           .parameters = {{"penalty",
                           ParameterType::real,
                           "1",
                           "on squared weights against summed squared errors",
                           1e-12,
                           1e12,
                           {},
                           {"0.01", "0.1", "1", "10", "100", "1000"}}}},
          [](const Parameters& parameters) { return std::make_unique<RidgeRegressor>(parameters); }};
}

}  // namespace bauta
