#include "bauta/measure/worst_case.hpp"

#include "bauta/core/error.hpp"
#include "largest_value.hpp"

namespace bauta {

WorstCase worst_case(std::span<const Predictions> predicted, std::span<const std::int32_t> truth, std::size_t classes,
                     std::span<const std::uint32_t> subjects, std::size_t draws, std::uint64_t seed) {
  BAUTA_ASSERT(!predicted.empty() && draws > 0);
  const SubjectTallies tallies(predicted, truth, classes, subjects);
  const std::size_t m = predicted.size();
  DrawnValues values;
  values.observed = tallies.balanced();
  values.drawn = tallies.bootstrap(draws, seed);
  values.chance.assign(m, tallies.chance());
  const std::vector<Interval> intervals = tallies.intervals();
  for (std::size_t j = 0; j < m; ++j) values.plausible.emplace_back(values.observed[j], intervals[j], Interval{0, 1});
  const LargestValue largest = largest_value(values);
  return {.best = largest.best,
          .balanced = values.observed[largest.best],
          .corrected = largest.corrected,
          .ci = largest.ci,
          .p = largest.p,
          .of = m};
}

}  // namespace bauta
