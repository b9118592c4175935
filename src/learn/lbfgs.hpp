// Limited-memory BFGS (Liu and Nocedal 1989) for smooth convex functions, with a line search to the strong Wolfe
// conditions.
#pragma once

#include <cstddef>
#include <span>

namespace bauta {

class Objective {
 public:
  virtual ~Objective() = default;
  [[nodiscard]] virtual std::size_t size() const = 0;
  /// The value at x; writes the gradient.
  virtual double evaluate(std::span<const double> x, std::span<double> gradient) = 0;
  /// Called after each iteration; true if precondition() means something else from now on.
  virtual bool refresh(std::span<const double> x, std::size_t iteration) = 0;
  /// Multiplies by an approximation of the inverse Hessian.
  virtual void precondition(std::span<double> gradient) const = 0;
};

struct LbfgsOptions {
  double tolerance = 1e-4;  ///< on the largest element of the gradient
  std::size_t iterations = 100;
  std::size_t memory = 10;
};

struct LbfgsResult {
  double value = 0;
  std::size_t iterations = 0;
  bool converged = false;  ///< by the gradient, or because rounding allows no further descent
};

/// Begins at x and leaves the minimiser there.
LbfgsResult minimise(Objective& objective, std::span<double> x, const LbfgsOptions& options);

}  // namespace bauta
