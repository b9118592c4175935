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
  double squares = 0;  // of the subjects' distances from what the recall lets expect
  [[nodiscard]] double recall() const { return right / total; }
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
    }
    present_ = static_cast<double>(
        std::count_if(sums_.begin(), sums_.end(), [](const ClassSums& own) { return own.subjects > 0; }));
    for (const ClassTally& tally : tallies) sums_[tally.cls].squares += distance(tally) * distance(tally);
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
  [[nodiscard]] Interval of_class(const ClassSums& own) const {
    const auto n = static_cast<double>(own.subjects);
    const double variance = own.subjects < 2 ? 0 : n / (n - 1) * own.squares / (own.total * own.total);
    // The variances of all classes are estimates of one kind: together they have this freedom.
    const double freedom = std::max(1.0, static_cast<double>(tallies_.size()) - present_);
    return rate_interval({own.recall(), variance, own.total, own.subjects, freedom, true});
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
  double present_ = 0;
};

}  // namespace

Interval mean_recall_interval(std::span<const ClassTally> tallies, std::size_t classes) {
  BAUTA_ASSERT(!tallies.empty());
  return Recalls(tallies, classes).interval();
}

}  // namespace bauta
