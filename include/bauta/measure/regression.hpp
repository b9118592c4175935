// Quality of predicted numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "bauta/measure/intervals.hpp"

namespace bauta {

struct RegressionResult {
  std::size_t samples = 0;  ///< with a known true value
  double mae = 0;           ///< mean absolute error
  double rmse = 0;          ///< root of the mean squared error
  /// 1 - squared error / squared deviation of the truth from its mean: below 0 if worse than that mean. Empty if the
  /// true values are all alike.
  std::optional<double> r2;
  std::optional<double> correlation;  ///< Pearson's; empty if the true or the predicted values are all alike
};

/// Samples whose true value is NaN are left out; input error if none is left.
RegressionResult regression_result(std::span<const double> predicted, std::span<const double> truth);

/// 95 % interval of the mean absolute error, as mean_interval() has it.
std::optional<Interval> mae_interval(std::span<const double> predicted, std::span<const double> truth,
                                     std::span<const std::uint32_t> subjects);

/// Of those that are not NaN.
double median(std::span<const double> values);

/// What guessing reaches: mean absolute error of always saying the median of the training values. NaN in either is left
/// out.
double chance_mae(std::span<const double> training, std::span<const double> truth);

}  // namespace bauta
