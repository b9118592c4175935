#include "gaussian_process.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <Eigen/Cholesky>

#include "dense.hpp"

namespace bauta {
namespace {

constexpr std::array noises = {1e-6, 1e-4, 1e-3, 1e-2, 1e-1, 1.0};
constexpr int lengths_per_octave = 2;
constexpr int lowest_length = -8;  // steps below and above 1: from a sixteenth to eight
constexpr int highest_length = 6;

double correlation(std::span<const double> a, std::span<const double> b, double length) {
  double square = 0;
  for (std::size_t j = 0; j < a.size(); ++j) square += (a[j] - b[j]) * (a[j] - b[j]);
  const double scaled = std::sqrt(5 * square) / length;
  return (1 + scaled + scaled * scaled / 3) * std::exp(-scaled);
}

}  // namespace

GaussianProcess GaussianProcess::fit(MatrixView<const double> x, std::span<const double> y,
                                     const GaussianProcessOptions& options) {
  BAUTA_ASSERT(x.rows == y.size() && x.rows > 0 && options.length > 0 && options.variance > 0 && options.noise > 0);
  GaussianProcess process;
  process.options_ = options;
  process.x_ = Matrix<double>(x.rows, x.cols);
  for (std::size_t i = 0; i < x.rows; ++i) std::ranges::copy(x.row(i), process.x_.row(i).begin());
  const auto n = static_cast<Eigen::Index>(x.rows);
  Dense square(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      square(i, j) =
          correlation(x.row(static_cast<std::size_t>(i)), x.row(static_cast<std::size_t>(j)), options.length);
    }
    square(i, i) += options.noise;
  }
  const Eigen::LLT<Dense, Eigen::Lower> factor(square);
  const Eigen::Map<const Eigen::VectorXd> values(y.data(), n);
  const Eigen::VectorXd solution = factor.solve(values);
  process.solution_.assign(solution.data(), solution.data() + n);
  process.factor_ = Matrix<double>(x.rows, x.rows, 0.0);
  const Dense lower = factor.matrixL();
  std::copy_n(lower.data(), lower.size(), process.factor_.data());
  double log_determinant = static_cast<double>(n) * std::log(options.variance);
  for (Eigen::Index i = 0; i < n; ++i) log_determinant += 2 * std::log(lower(i, i));
  process.log_likelihood_ = -(values.dot(solution) / options.variance + log_determinant +
                              static_cast<double>(n) * std::log(2 * std::numbers::pi)) /
                            2;
  return process;
}

GaussianProcess GaussianProcess::most_likely(MatrixView<const double> x, std::span<const double> y) {
  GaussianProcess best;
  bool found = false;
  for (int step = highest_length; step >= lowest_length; --step) {
    for (const double noise : noises) {
      GaussianProcessOptions options{.length = std::exp2(static_cast<double>(step) / lengths_per_octave),
                                     .noise = noise};
      const GaussianProcess unit = fit(x, y, options);
      double quadratic = 0;
      for (std::size_t i = 0; i < y.size(); ++i) quadratic += y[i] * unit.solution_[i];
      // At least a trace of variance where all values are the same.
      options.variance = std::max(quadratic / static_cast<double>(y.size()), 1e-12);
      GaussianProcess process = fit(x, y, options);
      if (!found || process.log_likelihood_ > best.log_likelihood_) best = std::move(process);
      found = true;
    }
  }
  return best;
}

GaussianProcess::Prediction GaussianProcess::predict(std::span<const double> point) const {
  BAUTA_ASSERT(point.size() == x_.cols());
  std::vector<double> near(x_.rows());
  Prediction result;
  double known = 0;
  for (std::size_t i = 0; i < near.size(); ++i) {
    near[i] = correlation(point, x_.row(i), options_.length);
    result.mean += near[i] * solution_[i];
    // Forward substitution: near becomes L^-1 near, whose square is the share of the variance that is known.
    for (std::size_t j = 0; j < i; ++j) near[i] -= factor_(i, j) * near[j];
    near[i] /= factor_(i, i);
    known += near[i] * near[i];
  }
  result.variance = options_.variance * std::max(1 - known, 0.0);
  return result;
}

double expected_improvement(const GaussianProcess::Prediction& prediction, double best) {
  const double gain = prediction.mean - best;
  const double deviation = std::sqrt(prediction.variance);
  if (!(deviation > 0)) return std::max(gain, 0.0);
  const double z = gain / deviation;
  const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  return gain * std::erfc(-z / std::numbers::sqrt2) / 2 + deviation * density;
}

}  // namespace bauta
