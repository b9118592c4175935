// Values in every draw of subjects: what findings are joined by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bauta/core/standing.hpp"
#include "bauta/measure/subject_tallies.hpp"

namespace bauta {

/// All bootstraps take as many subjects with replacement as there are, from Stream(seed, "bootstrap", draw).
struct Drawing {
  std::size_t draws = 0;
  std::uint64_t seed = 0;
  /// 0: the subjects that have samples, in ascending order of their numbers. Otherwise subjects are numbered 0 ..
  /// population - 1 among people who may have no samples here: draws over the same numbered people belong together,
  /// whatever samples of them were used. A draw without samples is NaN.
  std::size_t population = 0;
};

/// In each draw: balanced accuracy, as SubjectTallies::bootstrap() has it.
std::vector<double> drawn_balanced_accuracy(Predictions predicted, std::span<const std::int32_t> truth,
                                            std::size_t classes, std::span<const std::uint32_t> subjects,
                                            const Drawing& drawing);
/// In each draw: share of successes.
std::vector<double> drawn_success(std::span<const std::uint8_t> success, std::span<const std::uint32_t> subjects,
                                  const Drawing& drawing);
/// In each draw: mean.
std::vector<double> drawn_mean(std::span<const double> values, std::span<const std::uint32_t> subjects,
                               const Drawing& drawing);
/// In each draw: identity mixture.
std::vector<double> drawn_mixture(std::size_t k, std::span<const Standing> standings,
                                  std::span<const std::uint32_t> subjects, const Drawing& drawing);

/// For Finding::drawn_over: a digest of the people behind the numbers 0, 1, ... of a drawing, in that order, and of its
/// seed. Two findings are joint only if both number the same people alike: name those who have samples, or the whole
/// population.
std::string drawn_over(std::span<const std::string> names, std::uint64_t seed);

}  // namespace bauta
