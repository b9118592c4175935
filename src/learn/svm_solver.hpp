// Two-class support vector machines: the minimiser of  |w|^2 / 2 + c sum of hinge losses,  intercept unpenalised.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bauta/core/matrix.hpp"

namespace bauta {

enum class KernelKind { linear, poly, rbf, sigmoid };

struct Kernel {
  KernelKind kind = KernelKind::rbf;
  float gamma = 1;
  float coef0 = 0;
  int degree = 3;

  /// products(j) = <a, b_j> becomes k(a, b_j); `square` and `squares` are squared lengths of a and of all b_j.
  void apply(float* products, std::size_t count, float square, const float* squares) const;
};

std::vector<float> squared_lengths(MatrixView<const float> x);

/// f(x) = sum_i coefficients[i] k(x, x_i) + intercept; positive for the positive class.
struct KernelMachine {
  std::vector<double> coefficients;  ///< one per training row, mostly zero
  double intercept = 0;
  std::size_t iterations = 0;
  bool converged = false;
};

struct SvmOptions {
  double c = 1;
  double tolerance = 1e-3;                         ///< on the largest violation of the optimality conditions
  std::size_t cache_bytes = std::size_t{1} << 30;  ///< for rows of the kernel matrix
  std::size_t most_iterations = 100000000;         ///< then it ends where it stands
};

/// Sequential minimal optimisation with second-order working sets (Fan, Chen and Lin 2005). `positive`: the class.
KernelMachine solve_kernel_svm(MatrixView<const float> x, const std::vector<bool>& positive, const Kernel& kernel,
                               const SvmOptions& options);

/// f(x) = <weights, x> + intercept.
struct LinearMachine {
  std::vector<double> weights;
  double intercept = 0;
  std::size_t iterations = 0;
};

/// A primal-dual interior point method: one matrix of features by features per iteration, so the better the more
/// samples there are than features. Ends where the duality gap is below 1e-6 of the objective.
LinearMachine solve_linear_svm(MatrixView<const float> x, const std::vector<bool>& positive, double c);

}  // namespace bauta
