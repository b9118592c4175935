// Uncertainty of rates: closed forms for independent trials, resampling of subjects for dependent ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bauta {

struct Interval {
  double low = 0;
  double high = 0;
};

/// Distribution function of the standard normal, and its inverse for p in (0, 1).
double normal_cdf(double z);
double probit(double p);

/// Score interval of a proportion; independent trials, trials > 0.
Interval wilson(std::uint64_t successes, std::uint64_t trials, double confidence = 0.95);
/// Exact (conservative) interval of a proportion; independent trials, trials > 0.
Interval clopper_pearson(std::uint64_t successes, std::uint64_t trials, double confidence = 0.95);
/// No error in `trials` independent trials: the error rate is below this with 95 % confidence.
double rule_of_three(std::uint64_t trials);
/// With 30 errors the true rate lies within 30 % of the observed one with 90 % confidence; with fewer it is known less
/// well.
inline bool satisfies_rule_of_30(std::uint64_t errors) {
  return errors >= 30;
}

/// Quantile by linear interpolation between order statistics (numpy's default); `sorted` is ascending and not empty.
double quantile(std::span<const double> sorted, double q);
/// Percentile interval of resampled values; `values` must not be empty.
Interval percentile_interval(std::vector<double> values, double confidence = 0.95);

/// 95 % interval of the mean of per-sample values (1 = success) by resampling subjects with replacement: samples of one
/// subject stand or fall together. All values of one draw alike (0 or 1 everywhere): the far end is Wilson's for one
/// trial per subject, because resampling cannot see errors that did not occur.
Interval success_interval(std::span<const std::uint8_t> success, std::span<const std::uint32_t> subjects,
                          std::size_t draws, std::uint64_t seed);
/// The same for values of any size; percentiles of the resampled means.
Interval mean_interval(std::span<const double> values, std::span<const std::uint32_t> subjects, std::size_t draws,
                       std::uint64_t seed);
/// The same for balanced accuracy. Samples whose true code is negative are left out; a class absent from a draw does
/// not count in it.
Interval balanced_accuracy_interval(std::span<const std::int32_t> predicted, std::span<const std::int32_t> truth,
                                    std::size_t classes, std::span<const std::uint32_t> subjects, std::size_t draws,
                                    std::uint64_t seed);

}  // namespace bauta
