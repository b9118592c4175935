// The distribution of a weighted sum of independent chi-squares, with an error bound: what the log-likelihood ratio of
// a Gaussian identity model follows. Midpoint inversion of the characteristic function; every error term is bounded,
// none guessed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "bauta/core/error.hpp"
#include "bauta/data/synth_templates.hpp"

namespace bauta {

/// Z = sum of weight_j * X_j, each X_j an independent chi-square with `dof` degrees of freedom; weights of both signs.
class ChiSquareSum {
 public:
  ChiSquareSum(std::vector<double> weights, double dof) : weights_(std::move(weights)), dof_(dof) {
    right_ = reach(1);
    left_ = reach(-1);
    const double step = 2 * std::numbers::pi / (left_ + right_);

    // |phi(t)| <= prod (2 |w| t)^(-dof/2); beyond the last term the tail sum is below the integral of |phi(t)| / (pi
    // t).
    const double power = static_cast<double>(weights_.size()) * dof_ / 2;
    double log_scale = 0;
    for (const double w : weights_) log_scale += dof_ / 2 * std::log(2 * std::abs(w));
    const double log_tail = std::log(std::numbers::pi * power);
    const double last = std::exp((-std::log(tolerance) - log_tail - log_scale) / power);
    const auto terms = static_cast<std::size_t>(std::clamp(std::ceil(last / step + 0.5), 1.0, max_terms));
    const double end = (static_cast<double>(terms) - 0.5) * step;
    error_ = tolerance + std::exp(-log_scale - power * std::log(end) - log_tail);

    terms_.reserve(terms);
    for (std::size_t k = 0; k < terms; ++k) {
      const double t = (static_cast<double>(k) + 0.5) * step;
      double log_modulus = 0;
      double angle = 0;
      for (const double w : weights_) {
        const double x = 2 * w * t;
        log_modulus -= dof_ / 4 * std::log1p(x * x);
        angle += dof_ / 2 * std::atan(x);
      }
      const double amplitude = std::exp(log_modulus) / (std::numbers::pi * (static_cast<double>(k) + 0.5));
      terms_.push_back({t, amplitude, angle});
      // Rounding: the phase is off by a few ulps of its size, the modulus by a few ulps of its logarithm.
      error_ += amplitude * 4 * std::numeric_limits<double>::epsilon() *
                (1 + std::abs(angle) + std::abs(log_modulus) + t * std::max(std::abs(left_), std::abs(right_)));
    }
  }

  /// P(Z <= z).
  [[nodiscard]] Bounded cdf(double z) const {
    if (z >= right_) return {1, tolerance};
    if (z <= -left_) return {0, tolerance};
    double sum = 0;
    for (const Term& term : terms_) sum += term.amplitude * std::sin(term.angle - term.t * z);
    return {std::clamp(0.5 - sum, 0.0, 1.0), error_};
  }

  /// All but `tolerance` of the mass on either side lies in [low(), high()].
  [[nodiscard]] double low() const { return -left_; }
  [[nodiscard]] double high() const { return right_; }

 private:
  struct Term {
    double t;
    double amplitude;
    double angle;
  };

  static constexpr double tolerance = 2e-11;
  static constexpr double max_terms = 1 << 18;

  /// The least u that a Chernoff bound on a grid of exponents proves to satisfy P(sign * Z > u) <= tolerance. The
  /// midpoint rule's aliases lie one period away, so with the period left + right they weigh at most `tolerance`
  /// together.
  [[nodiscard]] double reach(double sign) const {
    double largest = 0;
    for (const double w : weights_) largest = std::max(largest, sign * w);
    BAUTA_ASSERT(largest > 0 && dof_ > 0);
    constexpr int grid = 512;
    double best = std::numeric_limits<double>::infinity();
    for (int i = 1; i < grid; ++i) {
      const double theta = i / (2.0 * grid * largest);
      double cumulant = 0;
      for (const double w : weights_) cumulant -= dof_ / 2 * std::log1p(-2 * sign * w * theta);
      best = std::min(best, (cumulant - std::log(tolerance)) / theta);
    }
    return best;
  }

  std::vector<double> weights_;
  double dof_;
  double left_ = 0;
  double right_ = 0;
  double error_ = 0;
  std::vector<Term> terms_;
};

}  // namespace bauta
