// Support vector regression: values within epsilon cost nothing.
#include <numeric>

#include "bauta/learn/regressor.hpp"
#include "svm_functions.hpp"
#include "training_data.hpp"

namespace bauta {
namespace {

class Svr : public Regressor {
 public:
  Svr(KernelKind kind, const Parameters& parameters)
      : choice_(kind, parameters), c_(parameters.real("c")), epsilon_(parameters.real("epsilon")) {}

  void fit(MatrixView<const float> x, std::span<const double> values, const FitOptions& options) override {
    require_training_data(x, options.where);
    require_values(x, values, options.where);
    functions_.fit(x, choice_.kernel(x), choice_.options(), 1, [&](std::size_t) {
      SvmTask task{std::vector<std::size_t>(x.rows), number_problem(values, c_, epsilon_)};
      std::iota(task.rows.begin(), task.rows.end(), std::size_t{0});
      return task;
    });
  }

  [[nodiscard]] std::vector<double> predict(MatrixView<const float> x) const override {
    const Matrix<double> values = functions_.values(x);
    return {values.data(), values.data() + values.size()};
  }

 private:
  KernelChoice choice_;
  double c_;
  double epsilon_;
  SvmFunctions functions_;
};

Entry<Regressor> entry(KernelKind kind) {
  std::vector<Parameter> parameters = svm_parameters(kind);
  parameters.push_back({"epsilon", ParameterType::real, "0.1", "errors up to this size cost nothing", 0});
  return {{.name = svm_name(kind),
           .paper = "Drucker et al. 1997, Support Vector Regression Machines",
           .doc = "support vector regression, kernel " + kernel_formula(kind),
           .medium = "template",
           .learns = true,
           .parameters = std::move(parameters)},
          [kind](const Parameters& values) { return std::make_unique<Svr>(kind, values); }};
}

}  // namespace

Entry<Regressor> svm_linear_regressor() {
  return entry(KernelKind::linear);
}
Entry<Regressor> svm_poly_regressor() {
  return entry(KernelKind::poly);
}
Entry<Regressor> svm_rbf_regressor() {
  return entry(KernelKind::rbf);
}
Entry<Regressor> svm_sigmoid_regressor() {
  return entry(KernelKind::sigmoid);
}

}  // namespace bauta
