#include "plausible.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <string>

#include "bauta/core/random.hpp"

namespace bauta {

namespace {

constexpr double upper_tail = 0.975;

/// In ascending order; their own 97.5 % quantile is that of the normal distribution, so that one value's draws end
/// where its interval does.
std::vector<double> normal_quantiles(std::size_t n) {
  std::vector<double> scores(n);
  for (std::size_t i = 0; i < n / 2; ++i) {
    scores[n - 1 - i] = -probit((static_cast<double>(i) + 0.5) / static_cast<double>(n));
    scores[i] = -scores[n - 1 - i];
  }
  if (n < 2) return scores;
  const double scale = probit(upper_tail) / quantile(scores, upper_tail);
  for (double& score : scores) score *= scale;
  return scores;
}

}  // namespace

Plausible::Plausible(double value, const Interval& ci, const Interval& ends)
    : ends_(ends), rate_(std::isfinite(ends.low) && std::isfinite(ends.high)), centre_(stretched(value)) {
  const double z = probit(upper_tail);
  down_ = std::max(0.0, centre_ - stretched(ci.low)) / z;
  up_ = std::max(0.0, stretched(ci.high) - centre_) / z;
}

double Plausible::stretched(double value) const {
  if (!rate_) return value;
  return std::asin(std::sqrt(std::clamp((value - ends_.low) / (ends_.high - ends_.low), 0.0, 1.0)));
}

double Plausible::at(double score) const {
  const double here = centre_ + score * (score < 0 ? down_ : up_);
  if (!rate_ || std::isnan(score)) return here;
  const double root = std::sin(std::clamp(here, 0.0, std::numbers::pi / 2));
  return ends_.low + (ends_.high - ends_.low) * root * root;
}

double Plausible::score(double value) const {
  const double distance = stretched(value) - centre_;
  if (distance == 0) return 0;
  return distance / (distance < 0 ? down_ : up_);
}

std::vector<double> normal_scores(std::span<const double> draws, std::string_view name) {
  std::vector<std::size_t> order;
  std::vector<double> chance(draws.size());
  Stream stream(0, "order of equal draws " + std::string(name));
  for (std::size_t d = 0; d < draws.size(); ++d) {
    chance[d] = stream.uniform();
    if (std::isfinite(draws[d])) order.push_back(d);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return draws[a] != draws[b] ? draws[a] < draws[b] : chance[a] < chance[b];
  });
  const std::vector<double> quantiles = normal_quantiles(order.size());
  std::vector<double> scores(draws.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < order.size(); ++i) scores[order[i]] = quantiles[i];
  return scores;
}

std::vector<double> plausible_draws(const Plausible& value, std::span<const double> draws, std::string_view name) {
  std::vector<double> values = normal_scores(draws, name);
  for (double& one : values) one = value.at(one);
  return values;
}

}  // namespace bauta
