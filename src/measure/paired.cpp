#include "bauta/measure/paired.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"
#include "plausible.hpp"

namespace bauta {

namespace {

/// Sums that are equal but for rounding count as equal; different ones lie further apart.
constexpr double rounding = 1e-12;

/// The sum with the sign of item i changed where bit i % 64 of the word for i / 64 is set.
template <class Word>
double exchanged(const std::vector<double>& items, Word&& next_word) {
  double sum = 0;
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i % 64 == 0) word = next_word();
    sum += (word >> (i % 64) & 1) != 0 ? -items[i] : items[i];
  }
  return sum;
}

/// Balanced accuracies of all estimators that are plausible for their intervals, one row per draw of subjects for all
/// at once (`drawn`).
Matrix<double> plausible_pairs(const SubjectTallies& tallies, const Matrix<double>& drawn) {
  const std::size_t draws = drawn.rows();
  Matrix<double> values(draws, tallies.estimators());
  const std::vector<double> balanced = tallies.balanced();
  const std::vector<Interval> intervals = tallies.intervals();
  std::vector<double> column(draws);
  for (std::size_t j = 0; j < tallies.estimators(); ++j) {
    for (std::size_t d = 0; d < draws; ++d) column[d] = drawn(d, j);
    const auto truths = plausible_draws({balanced[j], intervals[j], {0, 1}}, column, "of one pair");
    for (std::size_t d = 0; d < draws; ++d) values(d, j) = truths[d];
  }
  return values;
}

/// The first less the second, in each draw.
std::vector<double> differences(const Matrix<double>& pairs) {
  std::vector<double> values(pairs.rows());
  for (std::size_t d = 0; d < values.size(); ++d) values[d] = pairs(d, 0) - pairs(d, 1);
  return values;
}

}  // namespace

Interval disagreement_interval(double difference, std::span<const double> drawn, std::size_t subjects) {
  BAUTA_ASSERT(!drawn.empty());
  const auto [low, high] = std::minmax_element(drawn.begin(), drawn.end());
  if (*high - *low <= rounding) {
    const double half = wilson(0, subjects).high;
    return {difference - half, difference + half};
  }
  // Of subjects who add as much, as little or nothing, mean and mean square tell how many there are of each. They add
  // all of 1 unless the mean is too large for that.
  const auto n = static_cast<double>(subjects), draws = static_cast<double>(drawn.size());
  const double mean = std::accumulate(drawn.begin(), drawn.end(), 0.0) / draws;
  double variance = 0;
  for (const double value : drawn) variance += (value - mean) * (value - mean) / draws;
  const double square = n * variance + difference * difference;
  const double size = std::min(1.0, square / std::max(std::abs(difference), rounding));
  const auto share = [&](double one_way) { return std::clamp((square / size + one_way) / (2 * size), 0.0, 1.0); };
  const double more = share(difference), less = share(-difference);
  const Interval of_more = wilson_of(more, n), of_less = wilson_of(less, n);
  return {difference - size * std::hypot(more - of_more.low, of_less.high - less),
          difference + size * std::hypot(of_more.high - more, less - of_less.low)};
}

Interval paired_interval(std::vector<double> differences, const Interval& by_disagreement) {
  BAUTA_ASSERT(!differences.empty());
  const Interval drawn = percentile_interval(std::move(differences));
  return {std::min(drawn.low, by_disagreement.low), std::max(drawn.high, by_disagreement.high)};
}

PairedComparison compare_paired(Predictions a, Predictions b, std::span<const std::int32_t> truth, std::size_t classes,
                                std::span<const std::uint32_t> subjects, const PairedOptions& options) {
  const SubjectTallies tallies(std::array{a, b}, truth, classes, subjects);
  // The numbers of samples do not change when sides do: the statistic is a sum over subjects, and those who add nothing
  // to it do not matter.
  std::vector<double> items = tallies.contributions(0, 1);
  std::erase(items, 0.0);
  PairedComparison result;
  const std::vector<double> balanced = tallies.balanced();
  result.difference = balanced[0] - balanced[1];

  const double observed = std::fabs(std::accumulate(items.begin(), items.end(), 0.0)) - rounding;
  result.exact = items.size() < 64 && (std::uint64_t{1} << items.size()) <= options.permutations;
  const std::size_t count = result.exact ? std::size_t{1} << items.size() : options.permutations;
  constexpr std::size_t block = 256;
  const auto as_far = parallel_reduce<std::size_t>(
      (count + block - 1) / block, 0,
      [&](std::size_t part) {
        std::size_t far = 0;
        for (std::size_t i = part * block; i < std::min(count, (part + 1) * block); ++i) {
          Stream stream(options.seed, "exchange", i);
          const double sum = result.exact ? exchanged(items, [&] { return std::uint64_t{i}; })
                                          : exchanged(items, [&] { return stream.next64(); });
          far += std::fabs(sum) >= observed;
        }
        return far;
      },
      [](std::size_t& total, std::size_t part) { total += part; });
  const auto far = static_cast<double>(as_far), all = static_cast<double>(count);
  result.p = result.exact ? far / all : (1 + far) / (1 + all);

  const Matrix<double> drawn = tallies.bootstrap(options.draws, options.seed);
  result.ci = paired_interval(differences(plausible_pairs(tallies, drawn)),
                              disagreement_interval(result.difference, differences(drawn), tallies.subjects()));
  result.ci = {std::max(-1.0, result.ci.low), std::min(1.0, result.ci.high)};
  return result;
}

}  // namespace bauta
