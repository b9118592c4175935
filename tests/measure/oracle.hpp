// The verification measurements again, straight from their definitions on weighted scores: slow, short, and independent
// of the code under test.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

namespace oracle {

struct Scores {
  std::vector<double> value;
  std::vector<double> weight;

  void add(double v, double w = 1) {
    value.push_back(v);
    weight.push_back(w);
  }
  [[nodiscard]] double total() const { return at_least(-std::numeric_limits<double>::infinity()); }
  [[nodiscard]] double at_least(double t) const {
    double sum = 0;
    for (std::size_t i = 0; i < value.size(); ++i) sum += value[i] >= t ? weight[i] : 0;
    return sum;
  }
};

struct Point {
  double threshold, fmr, fnmr;
};

struct Result {
  std::vector<Point> curve;
  double eer, bracket_low, bracket_high, eer_threshold, rocch_eer, auc, d_prime, cllr, min_cllr, bits, d_sys;
};

inline std::vector<Point> curve(const Scores& mated, const Scores& non, double above) {
  std::set<double> thresholds(mated.value.begin(), mated.value.end());
  thresholds.insert(non.value.begin(), non.value.end());
  thresholds.insert(above);
  std::vector<Point> points;
  for (double t : thresholds) {
    points.push_back({t, non.at_least(t) / non.total(), (mated.total() - mated.at_least(t)) / mated.total()});
  }
  return points;
}

inline double fnmr_at(const std::vector<Point>& points, double fmr) {
  for (const Point& p : points) {
    if (p.fmr <= fmr) return p.fnmr;
  }
  return 1;
}

inline double information(double llr) {
  if (std::isinf(llr)) return 0.25;
  if (std::fabs(llr) < 1e-4) return llr / 6 - llr * llr / 24;
  const double b = std::exp(llr) - 1;
  return 0.25 + (llr - b) / (2 * b * b);
}

/// The scores at which bins of D_sys begin, the first apart: as many scores as the smaller class has, at either end in
/// bins / 2 pieces of equal size, and from there pieces of a fifth of the distance from the end, of no less than those
/// and of no more than 2 / bins of the rest.
inline std::vector<double> bin_begins(std::vector<double> all, std::size_t mated, std::size_t non, std::size_t bins) {
  std::sort(all.begin(), all.end());
  std::vector<double> begins;
  const std::size_t half = bins / 2, end = std::min(mated, non), rest = all.size() - 2 * end;
  if (half == 0 || all.front() == all.back()) return begins;
  std::vector<bool> from_end(all.size() + 1, false);  // whether a bin begins so many scores from either end
  for (std::size_t k = 1; k <= half; ++k) from_end[k * end / half] = true;
  std::size_t at = end;
  while (true) {
    std::size_t piece = at / 5;
    if (piece > rest / half) piece = rest / half;
    if (piece < end / half) piece = end / half;
    if (piece == 0) piece = 1;
    at += piece;
    if (2 * at >= all.size()) break;
    from_end[at] = true;
  }
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    if (from_end[rank] || from_end[all.size() - rank]) begins.push_back(all[rank]);
  }
  return begins;
}

inline void add_equal_error(Result& r) {
  const auto& c = r.curve;
  for (std::size_t i = 1; i < c.size(); ++i) {
    const double before = c[i - 1].fmr - c[i - 1].fnmr, after = c[i].fmr - c[i].fnmr;
    if (after > 1e-15) continue;
    r.eer = c[i - 1].fnmr + (c[i].fnmr - c[i - 1].fnmr) * before / (before - after);
    const bool exact = std::fabs(after) <= 1e-15;
    r.bracket_low = exact ? c[i].fmr : std::min(c[i - 1].fnmr, c[i].fmr);
    r.bracket_high = exact ? c[i].fmr : std::max(c[i - 1].fmr, c[i].fnmr);
    r.eer_threshold = c[i].threshold;
    break;
  }
  // The hull passes below every chord of the curve, so its crossing is the lowest of all chords' crossings.
  r.rocch_eer = 1;
  for (const Point& p : c) {
    for (const Point& q : c) {
      const double before = p.fmr - p.fnmr, after = q.fmr - q.fnmr;
      if (before < 0 || after > 0) continue;
      const double at = before == after ? 0 : before / (before - after);
      r.rocch_eer = std::min(r.rocch_eer, p.fnmr + at * (q.fnmr - p.fnmr));
    }
  }
}

inline double auc(const Scores& mated, const Scores& non) {
  double sum = 0;
  for (std::size_t i = 0; i < mated.value.size(); ++i) {
    for (std::size_t j = 0; j < non.value.size(); ++j) {
      const double won = mated.value[i] > non.value[j] ? 1 : mated.value[i] == non.value[j] ? 0.5 : 0;
      sum += mated.weight[i] * non.weight[j] * won / mated.total() / non.total();
    }
  }
  return sum;
}

template <class Function>
double mean(const Scores& s, Function f) {
  double sum = 0;
  for (std::size_t i = 0; i < s.value.size(); ++i) sum += s.weight[i] == 0 ? 0 : s.weight[i] * f(s.value[i]);
  return sum / s.total();
}

inline double d_prime(const Scores& mated, const Scores& non) {
  const double mean_m = mean(mated, [](double v) { return v; }), mean_n = mean(non, [](double v) { return v; });
  const double variance = mean(mated, [&](double v) { return (v - mean_m) * (v - mean_m); }) +
                          mean(non, [&](double v) { return (v - mean_n) * (v - mean_n); });
  return (mean_m - mean_n) / std::sqrt(variance / 2);
}

/// Isotonic regression by its max-min formula over the distinct scores.
inline void add_isotonic(const Scores& mated, const Scores& non, Result& r) {
  const double m = mated.total(), n = non.total();
  std::vector<double> mass_m, mass_n;
  for (const Point& p : r.curve) {
    const auto at = [&](const Scores& s) {
      double sum = 0;
      for (std::size_t i = 0; i < s.value.size(); ++i) sum += s.value[i] == p.threshold ? s.weight[i] : 0;
      return sum;
    };
    if (at(mated) + at(non) == 0) continue;
    mass_m.push_back(at(mated));
    mass_n.push_back(at(non));
  }
  double bits_m = 0, bits_n = 0, cost_m = 0, cost_n = 0;
  for (std::size_t i = 0; i < mass_m.size(); ++i) {
    double fitted = 0;
    for (std::size_t j = 0; j <= i; ++j) {
      double lowest = 1, sum_m = 0, sum_n = 0;
      for (std::size_t k = j; k < mass_m.size(); ++k) {
        sum_m += mass_m[k];
        sum_n += mass_n[k];
        if (k >= i) lowest = std::min(lowest, sum_m / (sum_m + sum_n));
      }
      fitted = std::max(fitted, lowest);
    }
    const double llr = std::log(fitted / (1 - fitted)) - std::log(m / n);
    if (mass_m[i] > 0) cost_m += mass_m[i] * std::log2(1 + std::exp(-llr));
    if (mass_n[i] > 0) cost_n += mass_n[i] * std::log2(1 + std::exp(llr));
    if (mass_m[i] > 0) bits_m += mass_m[i] * information(llr);
    if (mass_n[i] > 0) bits_n += mass_n[i] * information(-llr);
  }
  r.min_cllr = 0.5 * (cost_m / m + cost_n / n);
  r.bits = (bits_m / m + bits_n / n) / std::log(2.0);
}

inline double d_sys(const Scores& mated, const Scores& non, const std::vector<double>& begins) {
  double total = 0;
  for (std::size_t b = 0; b <= begins.size(); ++b) {
    const auto share = [&](const Scores& s) {
      double sum = 0;
      for (std::size_t i = 0; i < s.value.size(); ++i) {
        const bool in = (b == 0 || s.value[i] >= begins[b - 1]) && (b == begins.size() || s.value[i] < begins[b]);
        sum += in ? s.weight[i] : 0;
      }
      return sum / s.total();
    };
    const double p = share(mated), q = share(non);
    if (p > q) total += q == 0 ? p : p * (2 * (p / q) / (1 + p / q) - 1);
  }
  return total;
}

/// `begins`: where bins of D_sys begin.
inline Result measure(const Scores& mated, const Scores& non, double above, const std::vector<double>& begins) {
  Result r{};
  r.curve = curve(mated, non, above);
  add_equal_error(r);
  r.auc = auc(mated, non);
  r.d_prime = d_prime(mated, non);
  r.cllr = 0.5 * (mean(mated, [](double v) { return std::log2(1 + std::exp(-v)); }) +
                  mean(non, [](double v) { return std::log2(1 + std::exp(v)); }));
  add_isotonic(mated, non, r);
  r.d_sys = d_sys(mated, non, begins);
  return r;
}

}  // namespace oracle
