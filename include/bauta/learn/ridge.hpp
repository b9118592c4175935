// Ridge regression with several outputs and an unpenalised intercept: on features, or on a Gram matrix of any kernel.
// The penalty is given, or chosen on the training data by generalised cross-validation (Golub, Heath and Wahba 1979).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "bauta/core/matrix.hpp"

namespace bauta {

struct RidgeOptions {
  /// On the squared weights, against the summed squared errors; must be positive. Unset: by cross-validation among
  /// quarter decades from 1e-8 to 1e4 times the mean eigenvalue.
  std::optional<double> penalty = std::nullopt;
};

/// y = W^T x + b, for as many outputs as y has columns.
class Ridge {
 public:
  static Ridge fit(MatrixView<const float> x, MatrixView<const float> y, const RidgeOptions& options = {});

  [[nodiscard]] Matrix<float> predict(MatrixView<const float> x) const;

  /// One row per feature, one column per output.
  [[nodiscard]] const Matrix<double>& weights() const { return weights_; }
  [[nodiscard]] const std::vector<double>& intercepts() const { return intercepts_; }
  [[nodiscard]] double penalty() const { return penalty_; }

 private:
  Matrix<double> weights_;
  std::vector<double> intercepts_;
  double penalty_ = 0;
};

/// y = sum_i a_i k(x, x_i) + b. With the linear kernel <x, z> this is Ridge.
class KernelRidge {
 public:
  /// `gram(i, j)` = k(x_i, x_j): symmetric, positive semi-definite. Its mean over rows and columns is taken out, so
  /// that a constant added to a kernel changes nothing.
  static KernelRidge fit(MatrixView<const float> gram, MatrixView<const float> y, const RidgeOptions& options = {});

  /// `kernel(i, j)` = k(z_i, x_j) for new samples z.
  [[nodiscard]] Matrix<float> predict(MatrixView<const float> kernel) const;

  /// One row per training sample, one column per output.
  [[nodiscard]] const Matrix<double>& weights() const { return weights_; }
  [[nodiscard]] double penalty() const { return penalty_; }

 private:
  Matrix<double> weights_;
  std::vector<double> intercepts_;
  double penalty_ = 0;
};

}  // namespace bauta
