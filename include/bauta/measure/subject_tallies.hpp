// Right guesses counted per subject and class, for several estimators on the same samples: what resampling and
// exchanging of subjects needs, far smaller than the samples themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bauta/core/matrix.hpp"
#include "bauta/measure/intervals.hpp"

namespace bauta {

using Predictions = std::span<const std::int32_t>;

class SubjectTallies {
 public:
  /// Samples whose true code is negative are left out; a negative prediction is wrong. A sample may occur several times
  /// (from several rotations). Input error if no sample has a known class.
  SubjectTallies(std::span<const Predictions> predicted, std::span<const std::int32_t> truth, std::size_t classes,
                 std::span<const std::uint32_t> subjects);

  [[nodiscard]] std::size_t estimators() const { return estimators_; }
  /// Subjects that have samples.
  [[nodiscard]] std::size_t subjects() const { return subjects_; }
  /// Of balanced accuracy: 1 / classes that occur.
  [[nodiscard]] double chance() const;

  /// Balanced accuracy of each estimator.
  [[nodiscard]] std::vector<double> balanced() const;
  /// Its 95 % interval, as balanced_accuracy_interval() has it.
  [[nodiscard]] std::vector<Interval> intervals() const;
  /// Balanced accuracy in every draw of as many subjects with replacement, from Stream(seed, "bootstrap", draw): one
  /// row per draw, the same subjects for all estimators. A class that has no subject in a draw keeps its recall, so
  /// that the mean is always one over the same classes. How estimators vary together is in these draws; how much each
  /// one varies is in its interval, because classes of few subjects vary too little in draws.
  [[nodiscard]] Matrix<double> bootstrap(std::size_t draws, std::uint64_t seed) const;
  /// The same over people 0 .. population - 1, of whom some have no samples here; subjects were given by these numbers.
  /// NaN in a draw that has no sample.
  [[nodiscard]] Matrix<double> bootstrap_over(std::size_t population, std::size_t draws, std::uint64_t seed) const;
  /// What each subject adds to balanced(a) - balanced(b).
  [[nodiscard]] std::vector<double> contributions(std::size_t a, std::size_t b) const;

 private:
  /// A subject's samples of one class.
  struct Entry {
    std::uint32_t subject, cls, total;
  };

  /// `place`: of each subject with samples, among `people`.
  [[nodiscard]] Matrix<double> bootstrap(std::size_t people, std::span<const std::uint32_t> place, std::size_t draws,
                                         std::uint64_t seed) const;
  /// Sums of samples and of right guesses, of classes and of estimators within them.
  struct ClassSums {
    std::vector<double> total, right;
  };
  template <class Weight>
  void add_up(Weight&& weight, ClassSums& sums) const;
  /// `sums`: of some draw. NaN if it has no sample at all.
  void mean_recalls(const ClassSums& sums, std::span<double> out) const;

  std::size_t estimators_, classes_, subjects_ = 0;
  std::vector<std::uint32_t> numbers_;  // of the subjects, as they were given
  std::vector<Entry> entries_;          // ascending in subject, then class
  std::vector<std::uint32_t> right_;    // entries x estimators
  ClassSums all_;                       // of everybody
};

}  // namespace bauta
