#include "bauta/measure/regression.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bauta/core/error.hpp"

namespace bauta {

namespace {

/// Positions with a known true value.
std::vector<std::size_t> known_of(std::span<const double> truth) {
  std::vector<std::size_t> known;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (!std::isnan(truth[i])) known.push_back(i);
  }
  if (known.empty()) throw_input("regression", "no sample has a known value", "check the attribute column");
  return known;
}

bool all_alike(std::span<const double> values, const std::vector<std::size_t>& known) {
  return std::all_of(known.begin(), known.end(), [&](std::size_t i) { return values[i] == values[known[0]]; });
}

}  // namespace

RegressionResult regression_result(std::span<const double> predicted, std::span<const double> truth) {
  BAUTA_ASSERT(predicted.size() == truth.size());
  const std::vector<std::size_t> known = known_of(truth);
  const auto n = static_cast<double>(known.size());
  double absolute = 0, squared = 0, mean_truth = 0, mean_predicted = 0;
  for (const std::size_t i : known) {
    const double error = predicted[i] - truth[i];
    absolute += std::fabs(error);
    squared += error * error;
    mean_truth += truth[i];
    mean_predicted += predicted[i];
  }
  mean_truth /= n;
  mean_predicted /= n;
  double truths = 0, predictions = 0, products = 0;
  for (const std::size_t i : known) {
    const double t = truth[i] - mean_truth, p = predicted[i] - mean_predicted;
    truths += t * t;
    predictions += p * p;
    products += t * p;
  }
  RegressionResult result;
  result.samples = known.size();
  result.mae = absolute / n;
  result.rmse = std::sqrt(squared / n);
  if (all_alike(truth, known)) return result;
  result.r2 = 1 - squared / truths;
  if (!all_alike(predicted, known)) result.correlation = products / std::sqrt(truths * predictions);
  return result;
}

std::optional<Interval> mae_interval(std::span<const double> predicted, std::span<const double> truth,
                                     std::span<const std::uint32_t> subjects) {
  BAUTA_ASSERT(predicted.size() == truth.size() && truth.size() == subjects.size());
  std::vector<double> errors;
  std::vector<std::uint32_t> of;
  for (const std::size_t i : known_of(truth)) {
    errors.push_back(std::fabs(predicted[i] - truth[i]));
    of.push_back(subjects[i]);
  }
  std::optional<Interval> interval = mean_interval(errors, of);
  if (interval) interval->low = std::max(0.0, interval->low);
  return interval;
}

double median(std::span<const double> values) {
  std::vector<double> known;
  for (const std::size_t i : known_of(values)) known.push_back(values[i]);
  std::sort(known.begin(), known.end());
  return quantile(known, 0.5);
}

double chance_mae(std::span<const double> training, std::span<const double> truth) {
  const std::vector<double> guesses(truth.size(), median(training));
  return regression_result(guesses, truth).mae;
}

}  // namespace bauta
