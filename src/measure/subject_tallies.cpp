#include "bauta/measure/subject_tallies.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"
#include "class_tallies.hpp"

namespace bauta {

SubjectTallies::SubjectTallies(std::span<const Predictions> predicted, std::span<const std::int32_t> truth,
                               std::size_t classes, std::span<const std::uint32_t> subjects)
    : estimators_(predicted.size()), classes_(classes) {
  BAUTA_ASSERT(truth.size() == subjects.size());
  for (const Predictions& own : predicted) BAUTA_ASSERT(own.size() == truth.size());
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (truth[i] < 0) continue;
    BAUTA_ASSERT(static_cast<std::size_t>(truth[i]) < classes);
    order.push_back(i);
  }
  if (order.empty()) throw_input("intervals", "no sample has a known class", "check the attribute column");
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (subjects[a] != subjects[b]) return subjects[a] < subjects[b];
    return truth[a] < truth[b];
  });
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t i = order[k];
    const bool new_subject = k == 0 || subjects[i] != subjects[order[k - 1]];
    if (new_subject) {
      ++subjects_;
      numbers_.push_back(subjects[i]);
    }
    if (new_subject || truth[i] != truth[order[k - 1]]) {
      entries_.push_back({static_cast<std::uint32_t>(subjects_ - 1), static_cast<std::uint32_t>(truth[i]), 0});
      right_.resize(right_.size() + estimators_);
    }
    ++entries_.back().total;
    std::uint32_t* const right = right_.data() + right_.size() - estimators_;
    for (std::size_t j = 0; j < estimators_; ++j) right[j] += predicted[j][i] == truth[i];
  }
  add_up([](std::size_t) { return 1.0; }, all_);
}

double SubjectTallies::chance() const {
  std::vector<bool> present(classes_);
  for (const Entry& entry : entries_) present[entry.cls] = true;
  return 1 / static_cast<double>(std::count(present.begin(), present.end(), true));
}

/// Sums are of whole numbers, exact in any order.
template <class Weight>
void SubjectTallies::add_up(Weight&& weight, ClassSums& sums) const {
  sums.total.assign(classes_, 0);
  sums.right.assign(classes_ * estimators_, 0);
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    const double w = weight(entries_[e].subject);
    sums.total[entries_[e].cls] += w * entries_[e].total;
    double* const right = sums.right.data() + entries_[e].cls * estimators_;
    const std::uint32_t* const own = right_.data() + e * estimators_;
    for (std::size_t j = 0; j < estimators_; ++j) right[j] += w * own[j];
  }
}

void SubjectTallies::mean_recalls(const ClassSums& sums, std::span<double> out) const {
  const bool empty = std::all_of(sums.total.begin(), sums.total.end(), [](double total) { return total == 0; });
  const auto present =
      static_cast<double>(classes_ - static_cast<std::size_t>(std::count(all_.total.begin(), all_.total.end(), 0.0)));
  for (std::size_t j = 0; j < estimators_; ++j) {
    double recalls = empty ? std::numeric_limits<double>::quiet_NaN() : 0;
    for (std::size_t c = 0; c < classes_; ++c) {
      const ClassSums& known = sums.total[c] > 0 ? sums : all_;
      if (known.total[c] > 0) recalls += known.right[c * estimators_ + j] / known.total[c];
    }
    out[j] = recalls / present;
  }
}

std::vector<double> SubjectTallies::balanced() const {
  std::vector<double> result(estimators_);
  mean_recalls(all_, result);
  return result;
}

std::vector<Interval> SubjectTallies::intervals() const {
  std::vector<ClassTally> tallies(entries_.size());
  std::vector<Interval> result;
  for (std::size_t j = 0; j < estimators_; ++j) {
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      tallies[e] = {entries_[e].subject, entries_[e].cls, static_cast<double>(entries_[e].total),
                    static_cast<double>(right_[e * estimators_ + j])};
    }
    result.push_back(mean_recall_interval(tallies, classes_));
  }
  return result;
}

Matrix<double> SubjectTallies::bootstrap(std::size_t draws, std::uint64_t seed) const {
  std::vector<std::uint32_t> place(subjects_);
  std::iota(place.begin(), place.end(), 0U);
  return bootstrap(subjects_, place, draws, seed);
}

Matrix<double> SubjectTallies::bootstrap_over(std::size_t population, std::size_t draws, std::uint64_t seed) const {
  for (const std::uint32_t number : numbers_) BAUTA_ASSERT(number < population);
  return bootstrap(population, numbers_, draws, seed);
}

Matrix<double> SubjectTallies::bootstrap(std::size_t people, std::span<const std::uint32_t> place, std::size_t draws,
                                         std::uint64_t seed) const {
  struct Scratch {
    std::vector<std::uint32_t> weight;
    ClassSums sums;
  };
  std::vector<Scratch> scratch(static_cast<std::size_t>(threads()));
  Matrix<double> values(draws, estimators_);
  parallel_for(draws, [&](std::size_t d, int worker) {
    Scratch& own = scratch[static_cast<std::size_t>(worker)];
    own.weight.assign(people, 0);
    Stream stream(seed, "bootstrap", d);
    for (std::size_t i = 0; i < people; ++i) ++own.weight[stream.below(people)];
    add_up([&](std::size_t s) { return static_cast<double>(own.weight[place[s]]); }, own.sums);
    mean_recalls(own.sums, values.row(d));
  });
  return values;
}

std::vector<double> SubjectTallies::contributions(std::size_t a, std::size_t b) const {
  std::vector<double> total(classes_);
  for (const Entry& entry : entries_) total[entry.cls] += entry.total;
  const double share = chance();  // of a class in the mean
  std::vector<double> result(subjects_);
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    const double more = static_cast<double>(right_[e * estimators_ + a]) - right_[e * estimators_ + b];
    result[entries_[e].subject] += share * more / total[entries_[e].cls];
  }
  return result;
}

}  // namespace bauta
