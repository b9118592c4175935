// Support vector machines in their dual form:  min b^T K b / 2 - t^T b,  sum b = 0,  every b within its bounds.
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

/// Targets t and bounds of the variables: one or two per row, variable i belongs to row i % rows. One of the bounds is
/// 0.
struct SvmProblem {
  std::vector<double> targets;
  std::vector<double> least;
  std::vector<double> most;
};

/// |w|^2 / 2 + sum of weighted hinge losses: f is above 1 for the positive class, below -1 for the other.
SvmProblem class_problem(const std::vector<bool>& positive, double positive_c, double negative_c);
/// |w|^2 / 2 + c sum max(0, |value - f| - epsilon)
SvmProblem number_problem(std::span<const double> values, double c, double epsilon);

/// f(x) = sum_i coefficients[i] k(x, x_i) + intercept.
struct KernelMachine {
  std::vector<double> coefficients;  ///< one per training row, mostly zero
  double intercept = 0;
  std::size_t iterations = 0;
  bool converged = false;
};

struct SvmOptions {
  double tolerance = 1e-3;                         ///< on the largest violation of the optimality conditions
  std::size_t cache_bytes = std::size_t{1} << 30;  ///< for rows of the kernel matrix
  std::size_t most_iterations = 100000000;         ///< then it ends where it stands
};

/// Sequential minimal optimisation with second-order working sets (Fan, Chen and Lin 2005).
KernelMachine solve_kernel_svm(MatrixView<const float> x, const SvmProblem& problem, const Kernel& kernel,
                               const SvmOptions& options);

/// f(x) = <weights, x> + intercept.
struct LinearMachine {
  std::vector<double> weights;
  double intercept = 0;
  std::size_t iterations = 0;
};

/// A primal-dual interior point method: one matrix of features by features per iteration, so the better the more
/// samples there are than features. Ends where the duality gap is below 1e-6 of the objective.
LinearMachine solve_linear_svm(MatrixView<const float> x, const SvmProblem& problem);

}  // namespace bauta
