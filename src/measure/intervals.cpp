// Intervals of rates.
#include "bauta/measure/intervals.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "bauta/core/error.hpp"
#include "bauta/measure/draws.hpp"
#include "bauta/measure/subject_tallies.hpp"
#include "class_tallies.hpp"

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

namespace {

double normal_975() {
  static const double z = -probit(0.025);
  return z;
}

/// `trials` need not be whole; the end beyond a rate of 0 or 1 is that rate itself.
Interval wilson_at(double p, double n, double z) {
  const double scale = 1 + z * z / n;
  const double centre = (p + z * z / (2 * n)) / scale;
  const double half = z / scale * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  return {p == 0 ? 0 : std::max(0.0, centre - half), p == 1 ? 1 : std::min(1.0, centre + half)};
}

}  // namespace

Interval wilson(std::uint64_t successes, std::uint64_t trials, double confidence) {
  BAUTA_ASSERT(trials > 0 && successes <= trials);
  const auto n = static_cast<double>(trials);
  return wilson_at(static_cast<double>(successes) / n, n, -probit((1 - confidence) / 2));
}

Interval wilson_of(double rate, double trials) {
  BAUTA_ASSERT(trials > 0 && rate >= 0 && rate <= 1);
  return wilson_at(rate, trials, normal_975());
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

double student_quantile(double freedom) {
  BAUTA_ASSERT(freedom > 0);
  if (freedom > 1000) {  // Cornish-Fisher: exact to 1e-9 there, where the incomplete beta function takes long
    const double z = normal_975(), z3 = z * z * z, z5 = z3 * z * z;
    return z + (z3 + z) / (4 * freedom) + (5 * z5 + 16 * z3 + 3 * z) / (96 * freedom * freedom);
  }
  const double x = beta_quantile(freedom / 2, 0.5, 0.05);
  return std::sqrt(freedom * (1 - x) / x);
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

Interval rate_interval(const ClusteredRate& rate) {
  BAUTA_ASSERT(rate.subjects > 0 && rate.trials > 0);
  const double p = std::clamp(rate.value, 0.0, 1.0), spread = p * (1 - p);
  if (!(spread > 0) || !(rate.variance > 0) || rate.subjects < 2) return wilson_at(p, rate.subjects, normal_975());
  const double worth = std::min(rate.trials, spread / rate.variance);
  const double estimated = rate.counted ? 1 - worth / rate.trials : 1;  // share of the trials that say nothing new
  return wilson_at(p, worth, student_quantile(rate.freedom / estimated));
}

std::optional<Interval> drawn_rate_interval(double value, std::span<const double> draws, double trials,
                                            double subjects) {
  double count = 0, sum = 0, squares = 0;
  for (const double draw : draws) {
    if (!std::isfinite(draw)) continue;
    ++count;
    sum += draw - value;
    squares += (draw - value) * (draw - value);
  }
  if (count == 0 || subjects == 0) return std::nullopt;
  // Rounding errors of equal draws are no spread.
  const double variance = std::max(0.0, squares / count - sum / count * (sum / count));
  const bool alike = std::sqrt(variance) <= 1e-12;
  const double widened = alike || subjects < 2 ? 0 : variance * subjects / (subjects - 1);
  return rate_interval({value, widened, trials, subjects, subjects - 1});
}

std::optional<Interval> widened_percentiles(std::span<const double> draws, double subjects) {
  std::vector<double> sorted;
  for (const double draw : draws) {
    if (std::isfinite(draw)) sorted.push_back(draw);
  }
  std::sort(sorted.begin(), sorted.end());
  if (subjects < 2 || sorted.empty()) return std::nullopt;
  const double size = std::max(std::fabs(sorted.front()), std::fabs(sorted.back()));
  if (sorted.back() - sorted.front() <= 1e-12 * size) return std::nullopt;
  const double tail = normal_cdf(-std::sqrt(subjects / (subjects - 1)) * student_quantile(subjects - 1));
  return Interval{quantile(sorted, tail), quantile(sorted, 1 - tail)};
}

Interval balanced_accuracy_interval(std::span<const std::int32_t> predicted, std::span<const std::int32_t> truth,
                                    std::size_t classes, std::span<const std::uint32_t> subjects) {
  return SubjectTallies({&predicted, 1}, truth, classes, subjects).intervals()[0];
}

Interval success_interval(std::span<const std::uint8_t> success, std::span<const std::uint32_t> subjects) {
  std::vector<std::int32_t> predicted(success.size()), truth(success.size(), 0);
  for (std::size_t i = 0; i < success.size(); ++i) predicted[i] = success[i] != 0 ? 0 : -1;
  return balanced_accuracy_interval(predicted, truth, 1, subjects);  // one class: recall is the rate
}

Interval share_interval(std::span<const double> values, std::span<const std::uint32_t> subjects) {
  BAUTA_ASSERT(!values.empty() && values.size() == subjects.size());
  std::map<std::uint32_t, ClassTally> by_subject;
  for (std::size_t i = 0; i < values.size(); ++i) {
    ClassTally& tally = by_subject.try_emplace(subjects[i], ClassTally{subjects[i]}).first->second;
    tally.total += 1;
    tally.right += values[i];
  }
  std::vector<ClassTally> tallies;
  tallies.reserve(by_subject.size());
  for (const auto& [subject, tally] : by_subject) tallies.push_back(tally);
  return mean_recall_interval(tallies, 1);
}

std::optional<Interval> mean_interval(std::span<const double> values, std::span<const std::uint32_t> subjects) {
  BAUTA_ASSERT(values.size() == subjects.size());
  if (values.empty()) return std::nullopt;
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  std::map<std::uint32_t, double> deviation;  // of a subject's sum from that of as many mean values
  double size = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    deviation[subjects[i]] += values[i] - mean;
    size = std::max(size, std::fabs(values[i]));
  }
  double squares = 0;
  for (const auto& [subject, sum] : deviation) squares += sum * sum;
  const auto people = static_cast<double>(deviation.size());
  // Rounding errors of equal values are no spread.
  if (people < 2 || std::sqrt(squares) <= 1e-12 * size * count) return std::nullopt;
  const double half = student_quantile(people - 1) * std::sqrt(squares * people / (people - 1)) / count;
  return Interval{mean - half, mean + half};
}

}  // namespace bauta
