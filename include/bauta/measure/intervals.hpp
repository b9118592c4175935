// Uncertainty of rates: closed forms for independent trials, and for samples that stand or fall with their subject.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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
/// 97.5 % quantile of Student's t; freedom > 0.
double student_quantile(double freedom);

/// Score interval of a proportion; independent trials, trials > 0.
Interval wilson(std::uint64_t successes, std::uint64_t trials, double confidence = 0.95);
/// The same of a rate that is worth so many trials, which need not be a whole number.
Interval wilson_of(double rate, double trials);
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

/// A rate whose trials hang together in subjects.
struct ClusteredRate {
  double value = 0;
  double variance = 0;   ///< of the estimate, over subjects, without bias
  double trials = 0;     ///< it is worth at most so many independent ones
  double subjects = 0;   ///< that it was seen on
  double freedom = 1;    ///< degrees of freedom of the variance
  bool counted = false;  ///< a count of trials: without subjects its variance would be known
};

/// 95 % interval of Wilson for as many independent trials as the variance is worth: value (1 - value) / variance.
/// Where there is no variance (never wrong, one subject), one trial per subject: no spread was seen, which is not no
/// uncertainty. The variance is an estimate, and Student's quantile takes the place of the normal one; that of a count
/// is one only in so far as subjects make it larger than that of independent trials.
Interval rate_interval(const ClusteredRate& rate);
/// The same from values of the rate in draws of subjects; NaN are left out. Empty if none is left. `subjects`: as many
/// of equal weight as they are worth.
std::optional<Interval> drawn_rate_interval(double value, std::span<const double> draws, double trials,
                                            double subjects);
/// Percentile interval of a number that is no rate, in draws of few subjects: such draws scatter by
/// sqrt((n - 1) / n) too little, and what is normal in truth is Student's t (Hesterberg 2015). NaN are left out. Empty
/// where the draws are all alike: they say nothing of what was not seen.
std::optional<Interval> widened_percentiles(std::span<const double> draws, double subjects);

/// 95 % interval of the share of successes, as rate_interval() has it: samples of one subject stand or fall together.
Interval success_interval(std::span<const std::uint8_t> success, std::span<const std::uint32_t> subjects);
/// The same for the mean of values in [0, 1].
Interval share_interval(std::span<const double> values, std::span<const std::uint32_t> subjects);
/// The same for balanced accuracy: the classes' recalls each have their interval, however few their subjects are, and
/// the mean of recalls has the root of the mean square of their distances (MOVER: Zou and Donner 2008). Samples whose
/// true code is negative are left out.
Interval balanced_accuracy_interval(std::span<const std::int32_t> predicted, std::span<const std::int32_t> truth,
                                    std::size_t classes, std::span<const std::uint32_t> subjects);
/// 95 % interval of the mean of values of any size, by Student's t: samples of one subject stand or fall together.
/// Empty for one subject, and where all values are alike: they say nothing of what was not seen.
std::optional<Interval> mean_interval(std::span<const double> values, std::span<const std::uint32_t> subjects);

}  // namespace bauta
