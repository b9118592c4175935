// Error rates along the ascending scores: equal error rate, AUC, and their intervals for independent comparisons.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "bauta/measure/intervals.hpp"
#include "isotonic.hpp"
#include "key_bins.hpp"

namespace bauta {

/// Two consecutive points of the curve between which FMR - FNMR changes its sign, as counts of scores below each.
struct Crossing {
  ClassCounts before{}, after{};
};

/// Consumes the distinct mated values in ascending order. Nothing else is needed: between two mated values only FMR
/// changes, so FNMR is constant there, and a crossing in such a run is reported by the rank of the score that crosses.
class ErrorCurve {
 public:
  ErrorCurve(const ClassCounts& count, bool independent);

  /// A distinct value with `mated` > 0 mated scores: `below` non-mated scores of all are smaller, `ties` are equal.
  /// With mated == ties == 0 it only says how many non-mated scores have passed.
  /// Returns the rank (from 0, ascending) of the non-mated score that crosses, if that happened before this value.
  std::optional<std::uint64_t> add(std::uint64_t below, std::uint64_t ties, std::uint64_t mated);
  /// The tied group of the non-mated score named by add(): ranks [first, end).
  void set_crossing(std::uint64_t first, std::uint64_t end);

  void finish();

  [[nodiscard]] const std::optional<Crossing>& crossing() const { return crossing_; }
  [[nodiscard]] double fmr(std::uint64_t non_mated_below) const;
  [[nodiscard]] double fnmr(std::uint64_t mated_below) const;
  [[nodiscard]] double eer() const;
  [[nodiscard]] Interval eer_bracket() const;
  [[nodiscard]] double auc() const;
  /// Independent comparisons: from DeLong's interval and Newcombe's, whose variance does not have to be seen in few
  /// scores (method 5 of Newcombe 2006), the ends that lie further out.
  [[nodiscard]] Interval auc_interval() const;
  /// Where the lower (upper) Wilson bounds of both error rates cross; independent comparisons.
  [[nodiscard]] Interval eer_interval() const { return {bound_[0].rate, bound_[1].rate}; }
  [[nodiscard]] const IsotonicFit<std::uint64_t>& fit() const { return fit_; }
  [[nodiscard]] const IsotonicFit<std::uint64_t>& laplace_fit() const { return laplace_; }

 private:
  [[nodiscard]] Interval newcombe_interval() const;

  struct BoundCrossing {
    bool found = false;
    double rate = 0;
  };
  void add_bounds(std::uint64_t below, std::uint64_t ties, std::uint64_t mated);
  [[nodiscard]] __int128_t difference(std::uint64_t non_mated_below, std::uint64_t mated_below) const;
  [[nodiscard]] double wilson_bound(std::uint64_t errors, std::uint64_t trials, bool upper) const;

  ClassCounts count_;
  bool independent_;
  std::uint64_t mated_seen_ = 0;
  std::uint64_t fitted_ = 0;  // non-mated scores given to the fits
  std::uint64_t passed_ = 0;  // non-mated scores accounted for in the placements
  bool crossing_in_run_ = false;
  std::uint64_t mated_at_crossing_ = 0;
  std::optional<Crossing> crossing_;
  __uint128_t placements_ = 0;  // sum over mated of 2 #smaller + #equal non-mated
  __uint128_t squares_mated_ = 0, squares_non_ = 0;
  BoundCrossing bound_[2];
  double z_;
  IsotonicFit<std::uint64_t> fit_, laplace_;
};

}  // namespace bauta
