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

}  // namespace

Matrix<double> plausible_pairs(const SubjectTallies& tallies, std::size_t draws, std::uint64_t seed) {
  Matrix<double> values = tallies.bootstrap(draws, seed);
  const std::vector<double> balanced = tallies.balanced();
  const std::vector<Interval> intervals = tallies.intervals();
  std::vector<double> column(draws);
  for (std::size_t j = 0; j < tallies.estimators(); ++j) {
    for (std::size_t d = 0; d < draws; ++d) column[d] = values(d, j);
    const auto truths = plausible_draws({balanced[j], intervals[j], {0, 1}}, column, "of one pair");
    for (std::size_t d = 0; d < draws; ++d) values(d, j) = truths[d];
  }
  return values;
}

Interval paired_interval(std::vector<double> differences, std::size_t subjects, double unit) {
  BAUTA_ASSERT(!differences.empty());
  const auto [low, high] = std::minmax_element(differences.begin(), differences.end());
  if (*high - *low > rounding) return percentile_interval(std::move(differences));
  const double half = unit * wilson(0, subjects).high;
  return {*low - half, *low + half};
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

  const Matrix<double> truths = plausible_pairs(tallies, options.draws, options.seed);
  std::vector<double> differences(options.draws);
  for (std::size_t d = 0; d < options.draws; ++d) differences[d] = truths(d, 0) - truths(d, 1);
  result.ci = paired_interval(std::move(differences), tallies.subjects());
  result.ci = {std::max(-1.0, result.ci.low), std::min(1.0, result.ci.high)};
  return result;
}

}  // namespace bauta
