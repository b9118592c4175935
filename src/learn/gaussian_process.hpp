// Gaussian process regression with a Matern 5/2 kernel (Rasmussen and Williams 2006), for tens to hundreds of points.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bauta/core/matrix.hpp"

namespace bauta {

struct GaussianProcessOptions {
  double length = 1;    ///< distance at which values have become fairly independent
  double variance = 1;  ///< of the function
  double noise = 1e-6;  ///< variance of observations around it, as a share of `variance`
};

class GaussianProcess {
 public:
  /// The function is 0 in the mean before anything is known.
  static GaussianProcess fit(MatrixView<const double> x, std::span<const double> y,
                             const GaussianProcessOptions& options);
  /// Length and noise of largest marginal likelihood on a fixed grid of them, the variance by its closed form.
  static GaussianProcess most_likely(MatrixView<const double> x, std::span<const double> y);

  struct Prediction {
    double mean = 0;
    double variance = 0;  ///< of the function, without noise
  };
  [[nodiscard]] Prediction predict(std::span<const double> point) const;

  [[nodiscard]] double log_likelihood() const { return log_likelihood_; }
  [[nodiscard]] const GaussianProcessOptions& options() const { return options_; }

 private:
  GaussianProcessOptions options_;
  Matrix<double> x_;
  Matrix<double> factor_;         // lower triangle L of (correlations + noise) = L L^T
  std::vector<double> solution_;  // (correlations + noise)^-1 y
  double log_likelihood_ = 0;
};

/// What a point is expected to lie above `best`, if it does (Mockus 1975): 0 where nothing is uncertain.
double expected_improvement(const GaussianProcess::Prediction& prediction, double best);

}  // namespace bauta
