// What support vector machines consist of when they are trained: functions that share support vectors. Also what the
// machines for classes and for numbers declare in common.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "bauta/core/declaration.hpp"
#include "bauta/core/matrix.hpp"
#include "svm_solver.hpp"

namespace bauta {

/// Rows of the training data and the problem that is posed on them.
struct SvmTask {
  std::vector<std::size_t> rows;
  SvmProblem problem;
};

class SvmFunctions {
 public:
  /// One function per task. Several are found at the same time.
  void fit(MatrixView<const float> x, const Kernel& kernel, const SvmOptions& options, std::size_t count,
           const std::function<SvmTask(std::size_t)>& task);

  [[nodiscard]] std::size_t count() const { return intercepts_.size(); }
  /// Rows x functions.
  [[nodiscard]] Matrix<double> values(MatrixView<const float> x) const;

 private:
  void fit_linear(MatrixView<const float> x, const SvmOptions& options,
                  const std::function<SvmTask(std::size_t)>& task);
  void fit_kernel(MatrixView<const float> x, const SvmOptions& options,
                  const std::function<SvmTask(std::size_t)>& task);
  /// The same for a few rows.
  void evaluate(MatrixView<const float> x, MatrixView<double> result) const;

  Kernel kernel_;
  std::size_t features_ = 0;
  Matrix<double> functions_;  // per function: weights of features, or of support vectors
  std::vector<double> intercepts_;
  Matrix<float> support_;
  std::vector<float> support_squares_;
};

/// Parameters that machines for classes and for numbers share: how the kernel looks and when to stop.
std::vector<Parameter> svm_parameters(KernelKind kind);
/// How people write a kernel.
std::string kernel_formula(KernelKind kind);
std::string svm_name(KernelKind kind);

/// A kernel from parameters; its gamma may depend on the training data.
class KernelChoice {
 public:
  KernelChoice(KernelKind kind, const Parameters& parameters);
  [[nodiscard]] Kernel kernel(MatrixView<const float> x) const;
  [[nodiscard]] const SvmOptions& options() const { return options_; }

 private:
  Kernel kernel_;
  SvmOptions options_;
  double gamma_ = 1;
  bool scaled_ = false;  // gamma_ is a multiple of what the training data suggest
};

}  // namespace bauta
