#include "class_tallies.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bauta/core/error.hpp"
#include "bauta/core/matrix.hpp"

namespace bauta {

namespace {

struct ClassSums {
  std::size_t subjects = 0;
  double total = 0, right = 0;
  double sizes = 0;      // squares of the subjects' numbers of samples
  double squares = 0;    // of the subjects' distances from what the recall lets expect
  double leveraged = 0;  // the same, each over what its subject leaves to the others
  double between = 0;    // the same, each over its subject's number of samples
  double within = 0;     // of samples from their subject's mean
  double unseen = 0;     // see variance_of()
  [[nodiscard]] double recall() const { return right / total; }
  [[nodiscard]] double spread() const { return recall() * (1 - recall()); }
  /// Samples whose subject's share of all is w: w^2 over subjects. 1 / subjects where all have as many.
  [[nodiscard]] double concentration() const { return sizes / (total * total); }
};

/// A class's recall, and how far its interval reaches, as shares of the mean recall.
struct Reach {
  double down = 0, up = 0;
};

class Recalls {
 public:
  Recalls(std::span<const ClassTally> tallies, std::size_t classes)
      : tallies_(tallies), sums_(classes), together_(classes, classes, 0.0) {
    for (const ClassTally& tally : tallies) {
      ClassSums& own = sums_[tally.cls];
      ++own.subjects;
      own.total += tally.total;
      own.right += tally.right;
      own.sizes += tally.total * tally.total;
    }
    present_ = static_cast<double>(
        std::count_if(sums_.begin(), sums_.end(), [](const ClassSums& own) { return own.subjects > 0; }));
    for (const ClassTally& tally : tallies) add_distance(tally, sums_[tally.cls]);
    correlation_ = correlation();
    add_products();
  }

  [[nodiscard]] Interval interval() const {
    std::vector<Reach> reach(sums_.size());
    double mean = 0;
    for (std::size_t c = 0; c < sums_.size(); ++c) {
      if (sums_[c].subjects == 0) continue;
      const Interval own = of_class(sums_[c]);
      mean += sums_[c].recall() / present_;
      reach[c] = {(sums_[c].recall() - own.low) / present_, (own.high - sums_[c].recall()) / present_};
    }
    double down = 0, up = 0;
    for (std::size_t c = 0; c < sums_.size(); ++c) {
      for (std::size_t d = 0; d < sums_.size(); ++d) {
        const double together = c == d ? 1 : together_(c, d);
        down += together * reach[c].down * reach[d].down;
        up += together * reach[c].up * reach[d].up;
      }
    }
    return {std::max(0.0, mean - std::sqrt(std::max(0.0, down))), std::min(1.0, mean + std::sqrt(std::max(0.0, up)))};
  }

 private:
  [[nodiscard]] double distance(const ClassTally& tally) const {
    return tally.right - sums_[tally.cls].recall() * tally.total;
  }
  void add_distance(const ClassTally& tally, ClassSums& own) const {
    const double square = distance(tally) * distance(tally), share = tally.total / own.total;
    own.squares += square;
    own.between += square / tally.total;
    own.within += tally.right * (tally.total - tally.right) / tally.total;
    if (own.subjects < 2) return;
    own.leveraged += square / (1 - share);
    own.unseen += share * share * (share - own.concentration()) / (1 - share);
  }
  /// How much samples of one subject have in common, as a share of the spread: the analysis of variance over the
  /// subjects of all classes, each measured by its own spread.
  [[nodiscard]] double correlation() const {
    double between = 0, within = 0, subjects = 0, samples = 0, weight = 0;
    for (const ClassSums& own : sums_) {
      if (own.subjects == 0 || !(own.spread() > 0)) continue;
      between += own.between / own.spread();
      within += own.within / own.spread();
      subjects += static_cast<double>(own.subjects) - 1;
      samples += own.total - static_cast<double>(own.subjects);
      weight += own.total - own.sizes / own.total;
    }
    if (!(samples > 0) || !(weight > 0)) return 0;
    const double own = within / samples, common = (between - own * subjects) / weight;
    return common <= 0 ? 0 : common / (common + own);
  }
  /// Of a recall, over subjects. A subject with most of the samples hardly differs from a mean that is made of them:
  /// what such distances do not show is counted as if their samples stood or fell together (`unseen`; nothing where all
  /// have as many). A class of few subjects says little of its own variance, and has at least that of its samples'
  /// correlation in all classes.
  [[nodiscard]] double variance_of(const ClassSums& own) const {
    if (own.subjects < 2) return 0;
    const double shown = own.leveraged / (own.total * own.total) + own.spread() * std::max(0.0, own.unseen);
    return std::max(shown, own.spread() * (correlation_ * own.concentration() + (1 - correlation_) / own.total));
  }
  [[nodiscard]] Interval of_class(const ClassSums& own) const {
    // The variances of all classes are estimates of one kind: together they have this freedom.
    const double freedom = std::max(1.0, static_cast<double>(tallies_.size()) - present_);
    return rate_interval({own.recall(), variance_of(own), own.total, static_cast<double>(own.subjects), freedom, true});
  }
  /// Correlations of the recalls of classes that share subjects.
  void add_products() {
    for (std::size_t first = 0; first < tallies_.size(); ++first) {
      for (std::size_t other = first + 1; other < tallies_.size(); ++other) {
        if (tallies_[other].subject != tallies_[first].subject) break;
        const std::size_t c = tallies_[first].cls, d = tallies_[other].cls;
        const double size = std::sqrt(sums_[c].squares * sums_[d].squares);
        if (!(size > 0)) continue;
        together_(c, d) += distance(tallies_[first]) * distance(tallies_[other]) / size;
        together_(d, c) = together_(c, d);
      }
    }
  }

  std::span<const ClassTally> tallies_;
  std::vector<ClassSums> sums_;
  Matrix<double> together_;
  double present_ = 0, correlation_ = 0;
};

}  // namespace

Interval mean_recall_interval(std::span<const ClassTally> tallies, std::size_t classes) {
  BAUTA_ASSERT(!tallies.empty());
  return Recalls(tallies, classes).interval();
}

}  // namespace bauta
