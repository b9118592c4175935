#include "bauta/measure/worst_case.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bauta/core/error.hpp"

namespace bauta {

namespace {

constexpr double tail = 0.025;  // at each end
constexpr double no_spread = 1e-12;

double deviation(const Matrix<double>& drawn, std::size_t j) {
  const auto n = static_cast<double>(drawn.rows());
  double sum = 0, squares = 0;
  for (std::size_t d = 0; d < drawn.rows(); ++d) sum += drawn(d, j);
  for (std::size_t d = 0; d < drawn.rows(); ++d) squares += (drawn(d, j) - sum / n) * (drawn(d, j) - sum / n);
  return std::sqrt(squares / n);
}

double upper_quantile(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return quantile(values, 1 - tail);
}

}  // namespace

WorstCase worst_case(std::span<const Predictions> predicted, std::span<const std::int32_t> truth, std::size_t classes,
                     std::span<const std::uint32_t> subjects, std::size_t draws, std::uint64_t seed) {
  BAUTA_ASSERT(!predicted.empty() && draws > 0);
  const SubjectTallies tallies(predicted, truth, classes, subjects);
  const std::vector<double> balanced = tallies.balanced();
  const Matrix<double> drawn = tallies.bootstrap(draws, seed);
  const std::size_t m = balanced.size();
  WorstCase result;
  result.of = m;
  result.best = static_cast<std::size_t>(std::max_element(balanced.begin(), balanced.end()) - balanced.begin());
  result.balanced = balanced[result.best];

  std::vector<double> spread(m);
  for (std::size_t j = 0; j < m; ++j) spread[j] = deviation(drawn, j);
  std::vector<double> largest_error(draws);  // studentised, over all estimators
  double largest_mean = 0;
  for (std::size_t d = 0; d < draws; ++d) {
    double error = -HUGE_VAL;
    for (std::size_t j = 0; j < m; ++j) {
      if (spread[j] > no_spread) error = std::max(error, (drawn(d, j) - balanced[j]) / spread[j]);
    }
    largest_error[d] = error;
    const auto row = drawn.row(d);
    largest_mean += *std::max_element(row.begin(), row.end()) / static_cast<double>(draws);
  }
  result.corrected = std::clamp(result.balanced - (largest_mean - result.balanced), 0.0, 1.0);

  const double q = upper_quantile(largest_error);
  const double unseen = wilson(0, tallies.subjects(), 1 - 2 * tail / static_cast<double>(m)).high;
  result.ci = {0, 0};
  double beats_chance = -HUGE_VAL;
  for (std::size_t j = 0; j < m; ++j) {
    const double above = balanced[j] - tallies.chance();
    Interval own{balanced[j], balanced[j]};
    if (spread[j] > no_spread) {
      std::vector<double> errors(draws);
      for (std::size_t d = 0; d < draws; ++d) errors[d] = (balanced[j] - drawn(d, j)) / spread[j];
      own = {balanced[j] - q * spread[j], balanced[j] + upper_quantile(std::move(errors)) * spread[j]};
      beats_chance = std::max(beats_chance, above / spread[j]);
    } else if (std::fabs(above) > no_spread) {
      // All subjects alike: resampling cannot see what did not occur. (At chance it is one who always says the same.)
      own = {balanced[j] - unseen, balanced[j] + unseen};
      if (above > 0) beats_chance = HUGE_VAL;
    }
    result.ci = {std::max(result.ci.low, own.low), std::max(result.ci.high, own.high)};
  }
  result.ci.high = std::min(result.ci.high, 1.0);
  std::size_t as_far = 0;
  for (const double error : largest_error) as_far += error >= beats_chance;
  result.p = (1 + static_cast<double>(as_far)) / (1 + static_cast<double>(draws));
  return result;
}

}  // namespace bauta
