#include "largest_value.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "bauta/core/error.hpp"

namespace bauta {

namespace {

constexpr double upper_tail = 0.975;

/// The largest score of all attackers in each draw.
std::vector<double> largest_scores(const Matrix<double>& drawn) {
  std::vector<double> largest(drawn.rows(), -HUGE_VAL), column(drawn.rows());
  for (std::size_t j = 0; j < drawn.cols(); ++j) {
    for (std::size_t d = 0; d < drawn.rows(); ++d) column[d] = drawn(d, j);
    const std::vector<double> scores = normal_scores(column, "of attackers");
    for (std::size_t d = 0; d < drawn.rows(); ++d) largest[d] = std::max(largest[d], scores[d]);
  }
  return largest;
}

}  // namespace

LargestValue largest_value(const DrawnValues& values) {
  const auto& [observed, plausible, drawn, chance, lowest, highest] = values;
  const std::size_t m = observed.size(), draws = drawn.rows();
  BAUTA_ASSERT(m > 0 && draws > 0 && chance.size() == m && plausible.size() == m);
  LargestValue result;
  result.best = static_cast<std::size_t>(std::max_element(observed.begin(), observed.end()) - observed.begin());
  const double best = observed[result.best];

  double largest_mean = 0;
  for (std::size_t d = 0; d < draws; ++d) {
    const auto row = drawn.row(d);
    largest_mean += *std::max_element(row.begin(), row.end()) / static_cast<double>(draws);
  }
  // Who was not chosen from several, or is ahead in no draw but the observed one, owes nothing to the choice.
  const double bias = m == 1 ? 0 : std::max(0.0, largest_mean - best);
  result.corrected = std::clamp(best - bias, lowest, highest);

  const std::vector<double> largest = largest_scores(drawn);
  std::vector<double> sorted = largest;
  std::sort(sorted.begin(), sorted.end());
  const double together = quantile(sorted, upper_tail), alone = probit(upper_tail);
  double low = -HUGE_VAL, high = -HUGE_VAL, beats_chance = -HUGE_VAL;
  for (std::size_t j = 0; j < m; ++j) {
    low = std::max(low, plausible[j].at(-together));
    high = std::max(high, plausible[j].at(alone));
    beats_chance = std::max(beats_chance, -plausible[j].score(chance[j]));
  }
  result.ci = {std::max(low, lowest), std::min(high, highest)};
  result.allowance = std::max(0.0, plausible[result.best].at(-alone) - low);
  const auto as_far =
      std::count_if(largest.begin(), largest.end(), [&](double score) { return score >= beats_chance; });
  result.p = (1 + static_cast<double>(as_far)) / (1 + static_cast<double>(draws));
  return result;
}

}  // namespace bauta
