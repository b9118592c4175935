#include "lbfgs.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numeric>
#include <vector>

namespace bauta {

namespace {

constexpr double sufficient_decrease = 1e-4;
constexpr double curvature = 0.9;
constexpr std::size_t most_steps = 30;
// Descent below this share of the value is rounding.
constexpr double flat = 64 * std::numeric_limits<double>::epsilon();

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// A step with the value and the slope of the function there.
struct Point {
  double step = 0;
  double value = 0;
  double slope = 0;
};

/// Where the cubic through two points has its minimum, kept away from both ends.
double interpolate(const Point& a, const Point& b) {
  const double first = a.slope + b.slope - 3 * (a.value - b.value) / (a.step - b.step);
  const double root = first * first - a.slope * b.slope;
  double step = (a.step + b.step) / 2;
  if (root >= 0) {
    const double second = std::copysign(std::sqrt(root), b.step - a.step);
    const double cubic = b.step - (b.step - a.step) * (b.slope + second - first) / (b.slope - a.slope + 2 * second);
    if (std::isfinite(cubic)) step = cubic;
  }
  const double low = std::min(a.step, b.step);
  const double width = std::abs(b.step - a.step);
  return std::clamp(step, low + 0.1 * width, low + 0.9 * width);
}

class Minimiser {
 public:
  Minimiser(Objective& objective, std::span<double> x, const LbfgsOptions& options)
      : objective_(objective),
        options_(options),
        x_(x),
        gradient_(x.size()),
        direction_(x.size()),
        trial_(x.size()),
        trial_gradient_(x.size()) {}

  LbfgsResult run() {
    LbfgsResult result;
    double value = objective_.evaluate(x_, gradient_);
    while (true) {
      result.converged = largest(gradient_) <= options_.tolerance;
      if (result.converged || result.iterations == options_.iterations) break;
      find_direction();
      const double before = value;
      if (!search(value)) {
        if (pairs_.empty()) {
          result.converged = true;  // not even the gradient leads down: what is left is rounding
          break;
        }
        pairs_.clear();
        continue;
      }
      ++result.iterations;
      if (before - value <= flat * std::max({std::abs(before), std::abs(value), 1.0})) {
        result.converged = true;
        break;
      }
      if (objective_.refresh(x_, result.iterations)) pairs_.clear();
    }
    result.value = value;
    return result;
  }

 private:
  struct Pair {
    std::vector<double> s, y;
    double product = 0;
  };

  static double largest(std::span<const double> values) {
    double most = 0;
    for (const double value : values) most = std::max(most, std::abs(value));
    return most;
  }

  /// The two-loop recursion, around the objective's own preconditioner.
  void find_direction() {
    std::copy(gradient_.begin(), gradient_.end(), direction_.begin());
    std::vector<double> shares(pairs_.size());
    for (std::size_t k = pairs_.size(); k-- > 0;) {
      shares[k] = dot(pairs_[k].s, direction_) / pairs_[k].product;
      add(direction_, pairs_[k].y, -shares[k]);
    }
    objective_.precondition(direction_);
    if (!pairs_.empty()) {
      std::vector<double> scaled = pairs_.back().y;
      objective_.precondition(scaled);
      const double factor = pairs_.back().product / dot(pairs_.back().y, scaled);
      for (double& value : direction_) value *= factor;
    }
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
      add(direction_, pairs_[k].s, shares[k] - dot(pairs_[k].y, direction_) / pairs_[k].product);
    }
    for (double& value : direction_) value = -value;
  }

  static void add(std::span<double> target, std::span<const double> source, double factor) {
    for (std::size_t i = 0; i < target.size(); ++i) target[i] += factor * source[i];
  }

  Point try_step(double step) {
    for (std::size_t i = 0; i < x_.size(); ++i) trial_[i] = x_[i] + step * direction_[i];
    const double value = objective_.evaluate(trial_, trial_gradient_);
    return {step, value, dot(trial_gradient_, direction_)};
  }

  /// Moves along the direction; false if no step descends.
  bool search(double& value) {
    const Point start{0, value, dot(gradient_, direction_)};
    if (!(start.slope < 0)) return false;
    Point low = start;
    Point high{std::numeric_limits<double>::infinity(), 0, 0};
    double step = 1;
    for (std::size_t tried = 0; tried < most_steps; ++tried) {
      const Point point = try_step(step);
      const bool too_high = !(point.value <= start.value + sufficient_decrease * step * start.slope) ||
                            (low.step > 0 && point.value >= low.value);
      if (!too_high && std::abs(point.slope) <= -curvature * start.slope) {
        accept(value, point);
        return true;
      }
      if (too_high) {
        high = point;
      } else {
        if (point.slope > 0) high = low;
        low = point;
      }
      if (std::isinf(high.step)) {
        step *= 4;
      } else if (std::isfinite(high.value)) {
        step = interpolate(low, high);
      } else {
        step = (low.step + high.step) / 2;
      }
      if (std::abs(high.step - low.step) <= 1e-14 * std::max(low.step, 1e-300)) break;
    }
    if (low.step == 0) return false;
    accept(value, try_step(low.step));
    return true;
  }

  void accept(double& value, const Point& point) {
    Pair pair;
    pair.s.resize(x_.size());
    pair.y.resize(x_.size());
    for (std::size_t i = 0; i < x_.size(); ++i) {
      pair.s[i] = trial_[i] - x_[i];
      pair.y[i] = trial_gradient_[i] - gradient_[i];
    }
    pair.product = dot(pair.s, pair.y);
    if (pair.product > std::numeric_limits<double>::epsilon() * dot(pair.y, pair.y)) {
      pairs_.push_back(std::move(pair));
      if (pairs_.size() > options_.memory) pairs_.pop_front();
    }
    std::copy(trial_.begin(), trial_.end(), x_.begin());
    gradient_.swap(trial_gradient_);
    value = point.value;
  }

  Objective& objective_;
  const LbfgsOptions& options_;
  std::span<double> x_;
  std::vector<double> gradient_, direction_, trial_, trial_gradient_;
  std::deque<Pair> pairs_;
};

}  // namespace

LbfgsResult minimise(Objective& objective, std::span<double> x, const LbfgsOptions& options) {
  return Minimiser(objective, x, options).run();
}

}  // namespace bauta
