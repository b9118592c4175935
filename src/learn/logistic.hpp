// Logistic regression with an L2 penalty: the minimiser of  sum of log losses + |w|^2 / (2 c),  intercepts unpenalised.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bauta/core/matrix.hpp"

namespace bauta {

struct LogisticOptions {
  double c = 1;
  double tolerance = 1e-4;  ///< on the largest element of the gradient
  std::size_t iterations = 100;
  std::vector<double> class_weights = {};  ///< factor of each class's losses; empty: 1
  std::string where = "training data";     ///< what errors name
};

class Logistic {
 public:
  /// Two classes have one function (the log odds of the second), more have one each (multinomial). Classes that do not
  /// occur have none and get probability 0; if only one occurs it gets probability 1.
  static Logistic fit(MatrixView<const float> x, std::span<const std::int32_t> codes, std::size_t classes,
                      const LogisticOptions& options = {});

  [[nodiscard]] Matrix<double> predict_proba(MatrixView<const float> x) const;
  /// What the functions say: of two classes the log odds of the second and their negative.
  [[nodiscard]] Matrix<double> scores(MatrixView<const float> x) const;

  /// One row per function: d coefficients, then the intercept.
  [[nodiscard]] const Matrix<double>& weights() const { return weights_; }
  [[nodiscard]] std::size_t iterations() const { return iterations_; }
  [[nodiscard]] bool converged() const { return converged_; }

 private:
  [[nodiscard]] Matrix<double> predict(MatrixView<const float> x, bool probabilities) const;

  std::size_t features_ = 0;
  std::size_t classes_ = 0;
  std::vector<std::size_t> occurring_;  // classes in the order of the functions
  Matrix<double> weights_;
  std::size_t iterations_ = 0;
  bool converged_ = true;
};

}  // namespace bauta
