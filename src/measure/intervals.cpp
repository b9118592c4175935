// Intervals of rates.
#include "bauta/measure/intervals.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "bauta/core/error.hpp"
#include "bauta/measure/draws.hpp"
#include "bauta/measure/subject_tallies.hpp"

namespace bauta {

double normal_cdf(double z) {
  return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

double probit(double p) {
  BAUTA_ASSERT(p > 0 && p < 1);
  if (p == 0.5) return 0;
  if (p > 0.5) return -probit(1 - p);  // the lower tail keeps its digits
  double low = -40, high = 0;
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (normal_cdf(middle) < p ? low : high) = middle;
  }
  return high;
}

Interval wilson(std::uint64_t successes, std::uint64_t trials, double confidence) {
  BAUTA_ASSERT(trials > 0 && successes <= trials);
  const double z = -probit((1 - confidence) / 2);
  const auto n = static_cast<double>(trials);
  const double p = static_cast<double>(successes) / n;
  const double scale = 1 + z * z / n;
  const double centre = (p + z * z / (2 * n)) / scale;
  const double half = z / scale * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  return {successes == 0 ? 0 : std::max(0.0, centre - half), successes == trials ? 1 : std::min(1.0, centre + half)};
}

namespace {

double log_gamma(double x) {
  int sign = 0;
  return lgamma_r(x, &sign);  // std::lgamma writes a global
}

/// Regularised incomplete beta function by its continued fraction (modified Lentz).
double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(b, a, 1 - x);  // the fraction converges on this side
  constexpr double tiny = 1e-300;
  const auto away_from_zero = [](double v) { return std::fabs(v) < tiny ? tiny : v; };
  double c = 1;
  double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
  double fraction = d;
  for (int i = 1; i < 100000; ++i) {
    const double m = i;
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    fraction *= d * c;
    if (std::fabs(d * c - 1) < 1e-15) break;
  }
  const double front = log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * std::log(x) + b * std::log1p(-x);
  return std::exp(front) * fraction / a;
}

double beta_quantile(double a, double b, double p) {
  double low = 0, high = 1;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (incomplete_beta(a, b, middle) < p ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace

Interval clopper_pearson(std::uint64_t successes, std::uint64_t trials, double confidence) {
  BAUTA_ASSERT(trials > 0 && successes <= trials);
  const double tail = (1 - confidence) / 2;
  const auto k = static_cast<double>(successes), n = static_cast<double>(trials);
  return {successes == 0 ? 0 : beta_quantile(k, n - k + 1, tail),
          successes == trials ? 1 : beta_quantile(k + 1, n - k, 1 - tail)};
}

double rule_of_three(std::uint64_t trials) {
  return trials == 0 ? 1 : std::min(1.0, 3 / static_cast<double>(trials));
}

double quantile(std::span<const double> sorted, double q) {
  BAUTA_ASSERT(!sorted.empty());
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  if (below + 1 >= sorted.size() || sorted[below] == sorted[below + 1]) return sorted[below];
  return std::lerp(sorted[below], sorted[below + 1], at - static_cast<double>(below));
}

Interval percentile_interval(std::vector<double> values, double confidence) {
  std::sort(values.begin(), values.end());
  return {quantile(values, (1 - confidence) / 2), quantile(values, (1 + confidence) / 2)};
}

Interval balanced_accuracy_interval(std::span<const std::int32_t> predicted, std::span<const std::int32_t> truth,
                                    std::size_t classes, std::span<const std::uint32_t> subjects, std::size_t draws,
                                    std::uint64_t seed) {
  BAUTA_ASSERT(draws > 0);
  const SubjectTallies tallies({&predicted, 1}, truth, classes, subjects);
  const double observed = tallies.balanced()[0];
  if (observed <= 0) return wilson(0, tallies.subjects());
  if (observed >= 1) return wilson(tallies.subjects(), tallies.subjects());
  const Matrix<double> values = tallies.bootstrap(draws, seed);
  return percentile_interval({values.data(), values.data() + draws});
}

Interval success_interval(std::span<const std::uint8_t> success, std::span<const std::uint32_t> subjects,
                          std::size_t draws, std::uint64_t seed) {
  std::vector<std::int32_t> predicted(success.size()), truth(success.size(), 0);
  for (std::size_t i = 0; i < success.size(); ++i) predicted[i] = success[i] != 0 ? 0 : -1;
  return balanced_accuracy_interval(predicted, truth, 1, subjects, draws, seed);  // one class: recall is the rate
}

Interval mean_interval(std::span<const double> values, std::span<const std::uint32_t> subjects, std::size_t draws,
                       std::uint64_t seed) {
  BAUTA_ASSERT(draws > 0);
  return percentile_interval(drawn_mean(values, subjects, {draws, seed}));
}

}  // namespace bauta
