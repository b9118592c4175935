// Error rates along the ascending scores, in exact integer arithmetic.
#include "error_curve.hpp"

#include <cmath>

#include "bauta/core/error.hpp"

namespace bauta {

ErrorCurve::ErrorCurve(const ClassCounts& count, bool independent)
    : count_(count), independent_(independent), z_(-probit(0.025)) {
  laplace_.add(1, 0, false);
  laplace_.add(0, 1, false);
}

/// (FMR - FNMR) N_mated N_non_mated at the point with so many scores below its threshold.
__int128_t ErrorCurve::difference(std::uint64_t non_mated_below, std::uint64_t mated_below) const {
  return static_cast<__int128_t>(count_[non_mated_class] - non_mated_below) * count_[mated_class] -
         static_cast<__int128_t>(mated_below) * count_[non_mated_class];
}

std::optional<std::uint64_t> ErrorCurve::add(std::uint64_t below, std::uint64_t ties, std::uint64_t mated) {
  std::optional<std::uint64_t> rank;
  if (!crossing_ && !crossing_in_run_) {
    if (difference(below, mated_seen_) <= 0) {
      // The fewest scores below at which FMR <= FNMR; the last of them is the one that crosses.
      const auto allowed =
          static_cast<std::uint64_t>(__uint128_t{mated_seen_} * count_[non_mated_class] / count_[mated_class]);
      rank = count_[non_mated_class] - allowed - 1;
      crossing_in_run_ = true;
      mated_at_crossing_ = mated_seen_;
    } else if (difference(below + ties, mated_seen_ + mated) <= 0) {
      crossing_ = Crossing{{below, mated_seen_}, {below + ties, mated_seen_ + mated}};
    }
  }
  if (mated == 0) return rank;
  if (independent_) add_bounds(below, ties, mated);
  const std::uint64_t placement = 2 * below + ties;
  placements_ += __uint128_t{placement} * mated;
  if (below > fitted_) {
    fit_.add(0, below - fitted_);
    laplace_.add(0, below - fitted_);
  }
  fit_.add(mated, ties);
  laplace_.add(mated, ties);
  fitted_ = below + ties;
  mated_seen_ += mated;
  return rank;
}

void ErrorCurve::set_crossing(std::uint64_t first, std::uint64_t end) {
  BAUTA_ASSERT(crossing_in_run_ && first < end);
  crossing_ = Crossing{{first, mated_at_crossing_}, {end, mated_at_crossing_}};
}

void ErrorCurve::finish() {
  BAUTA_ASSERT(mated_seen_ == count_[mated_class] && crossing_);
  if (fitted_ < count_[non_mated_class]) {
    fit_.add(0, count_[non_mated_class] - fitted_);
    laplace_.add(0, count_[non_mated_class] - fitted_);
  }
  laplace_.add(1, 0, false);
  laplace_.add(0, 1, false);
  if (independent_) {
    // All mated scores lie below all others that still match: bounds cross where every one of them is an error.
    for (int upper = 0; upper < 2; ++upper) {
      if (!bound_[upper].found) bound_[upper] = {true, wilson_bound(mated_seen_, count_[mated_class], upper == 1)};
    }
    const __uint128_t above = 2 * (count_[mated_class] - mated_seen_);
    squares_non_ += above * above * (count_[non_mated_class] - passed_);
  }
}

double ErrorCurve::wilson_bound(std::uint64_t errors, std::uint64_t trials, bool upper) const {
  const auto n = static_cast<double>(trials);
  const double p = static_cast<double>(errors) / n;
  const double centre = p + z_ * z_ / (2 * n);
  const double half = z_ * std::sqrt(p * (1 - p) / n + z_ * z_ / (4 * n * n));
  return std::clamp((upper ? centre + half : centre - half) / (1 + z_ * z_ / n), 0.0, 1.0) + 0.0;  // never -0
}

void ErrorCurve::add_bounds(std::uint64_t below, std::uint64_t ties, std::uint64_t mated) {
  const std::uint64_t m = count_[mated_class], n = count_[non_mated_class];
  const __uint128_t placement = 2 * below + ties;
  squares_mated_ += placement * placement * mated;
  const __uint128_t above = 2 * (m - mated_seen_);
  squares_non_ += above * above * (below - passed_) + (above - mated) * (above - mated) * ties;
  passed_ = below + ties;
  for (int upper = 0; upper < 2; ++upper) {
    if (bound_[upper].found) continue;
    const double fnmr_before = wilson_bound(mated_seen_, m, upper == 1);
    const double before = wilson_bound(n - below, n, upper == 1) - fnmr_before;
    const double fnmr_after = wilson_bound(mated_seen_ + mated, m, upper == 1);
    const double after = wilson_bound(n - below - ties, n, upper == 1) - fnmr_after;
    if (before <= 0) {
      bound_[upper] = {true, fnmr_before};
    } else if (after <= 0) {
      bound_[upper] = {true, fnmr_before + (fnmr_after - fnmr_before) * (before / (before - after))};
    }
  }
}

double ErrorCurve::fmr(std::uint64_t non_mated_below) const {
  return static_cast<double>(count_[non_mated_class] - non_mated_below) / static_cast<double>(count_[non_mated_class]);
}

double ErrorCurve::fnmr(std::uint64_t mated_below) const {
  return static_cast<double>(mated_below) / static_cast<double>(count_[mated_class]);
}

double ErrorCurve::eer() const {
  const auto& [before, after] = *crossing_;
  const auto above = static_cast<double>(difference(before[0], before[1]));
  const auto under = static_cast<double>(difference(after[0], after[1]));
  if (under == 0 || before[1] == after[1]) return fnmr(after[1]);
  if (before[0] == after[0]) return fmr(after[0]);
  return fnmr(before[1]) + (fnmr(after[1]) - fnmr(before[1])) * (above / (above - under));
}

Interval ErrorCurve::eer_bracket() const {
  const auto& [before, after] = *crossing_;
  if (difference(after[0], after[1]) == 0) return {eer(), eer()};
  return {std::min(fnmr(before[1]), fmr(after[0])), std::max(fmr(before[0]), fnmr(after[1]))};
}

double ErrorCurve::auc() const {
  const auto pairs = static_cast<long double>(__uint128_t{count_[0]} * count_[1]);
  return static_cast<double>(static_cast<long double>(placements_) / (2 * pairs));
}

Interval ErrorCurve::auc_interval() const {
  // Placements are twice the number of won comparisons; their sums are the same for both classes.
  const auto sum = static_cast<long double>(placements_);
  const auto variance_of_mean = [&](__uint128_t squares, std::uint64_t own, std::uint64_t other) {
    if (own < 2) return 0.0L;
    const auto n = static_cast<long double>(own);
    const auto scale = 2 * static_cast<long double>(other);
    const long double centred = static_cast<long double>(squares) - sum / n * sum;
    return std::max(0.0L, centred) / (n - 1) / n / scale / scale;
  };
  const long double variance = variance_of_mean(squares_mated_, count_[mated_class], count_[non_mated_class]) +
                               variance_of_mean(squares_non_, count_[non_mated_class], count_[mated_class]);
  // No score out of order is not certainty: Wilson's for the rarer kind of comparisons.
  if (auc() == 0 || auc() == 1) {
    return rate_interval(
        {.value = auc(), .trials = 1, .subjects = static_cast<double>(std::min(count_[0], count_[1]))});
  }
  const double half = z_ * static_cast<double>(std::sqrt(variance));
  const Interval few = newcombe_interval();
  return {std::max(0.0, std::min(auc() - half, few.low)), std::min(1.0, std::max(auc() + half, few.high))};
}

Interval ErrorCurve::newcombe_interval() const {
  const auto m = static_cast<double>(count_[mated_class]), n = static_cast<double>(count_[non_mated_class]);
  const double more = (m + n) / 2 - 1;
  // How far a true value of t lets the observed one stray.
  const auto reach = [&](double t) {
    return z_ * std::sqrt(t * (1 - t) * (1 + more * ((1 - t) / (2 - t) + t / (1 + t))) / (m * n));
  };
  const auto end = [&](double far) {
    double near = auc();
    for (int i = 0; i < 100; ++i) {
      const double middle = 0.5 * (near + far);
      (std::fabs(middle - auc()) < reach(middle) ? near : far) = middle;
    }
    return near;
  };
  return {end(0), end(1)};
}

}  // namespace bauta
