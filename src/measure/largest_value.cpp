#include "largest_value.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

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

/// Studentised, of each draw.
std::vector<double> errors_of(const DrawnValues& values, std::size_t j, double spread, double sign) {
  std::vector<double> errors(values.drawn.rows());
  for (std::size_t d = 0; d < errors.size(); ++d) errors[d] = sign * (values.drawn(d, j) - values.observed[j]) / spread;
  return errors;
}

/// Studentised, the largest over all attackers, of each draw.
std::vector<double> largest_errors(const DrawnValues& values, const std::vector<double>& spread) {
  std::vector<double> largest(values.drawn.rows());
  for (std::size_t d = 0; d < largest.size(); ++d) {
    double error = -HUGE_VAL;
    for (std::size_t j = 0; j < spread.size(); ++j) {
      if (spread[j] > no_spread) error = std::max(error, (values.drawn(d, j) - values.observed[j]) / spread[j]);
    }
    largest[d] = error;
  }
  return largest;
}

}  // namespace

LargestValue largest_value(const DrawnValues& values) {
  const auto& [observed, drawn, chance, unseen, lowest, highest] = values;
  const std::size_t m = observed.size(), draws = drawn.rows();
  BAUTA_ASSERT(m > 0 && draws > 0 && chance.size() == m && unseen.size() == m);
  LargestValue result;
  result.best = static_cast<std::size_t>(std::max_element(observed.begin(), observed.end()) - observed.begin());
  const double best = observed[result.best];

  double largest_mean = 0;
  for (std::size_t d = 0; d < draws; ++d) {
    const auto row = drawn.row(d);
    largest_mean += *std::max_element(row.begin(), row.end()) / static_cast<double>(draws);
  }
  result.corrected = std::clamp(best - (largest_mean - best), lowest, highest);

  std::vector<double> spread(m);
  for (std::size_t j = 0; j < m; ++j) spread[j] = deviation(drawn, j);
  const std::vector<double> largest_error = largest_errors(values, spread);
  const double q = upper_quantile(largest_error);
  result.ci = {lowest, lowest};
  double lower_end = -HUGE_VAL;
  double beats_chance = -HUGE_VAL;
  for (std::size_t j = 0; j < m; ++j) {
    const double above = observed[j] - chance[j];
    Interval own{observed[j], observed[j]};
    if (spread[j] > no_spread) {
      own = {observed[j] - q * spread[j],
             observed[j] + upper_quantile(errors_of(values, j, spread[j], -1)) * spread[j]};
      beats_chance = std::max(beats_chance, above / spread[j]);
    } else if (std::fabs(above) > no_spread) {
      // All subjects alike: resampling cannot see what did not occur. (At chance it is one who always says the same.)
      own = {observed[j] - unseen[j], observed[j] + unseen[j]};
      if (above > 0) beats_chance = HUGE_VAL;
    }
    lower_end = std::max(lower_end, own.low);
    result.ci = {std::max(result.ci.low, own.low), std::max(result.ci.high, own.high)};
  }
  result.ci.high = std::min(result.ci.high, highest);
  const double best_spread = spread[result.best];
  const double alone = best_spread > no_spread
                           ? best - upper_quantile(errors_of(values, result.best, best_spread, 1)) * best_spread
                           : best;
  result.allowance = std::max(0.0, alone - lower_end);
  std::size_t as_far = 0;
  for (const double error : largest_error) as_far += error >= beats_chance;
  result.p = (1 + static_cast<double>(as_far)) / (1 + static_cast<double>(draws));
  return result;
}

double unseen_error(std::size_t subjects, std::size_t attackers) {
  return wilson(0, subjects, 1 - 2 * tail / static_cast<double>(attackers)).high;
}

}  // namespace bauta
