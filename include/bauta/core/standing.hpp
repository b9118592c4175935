// Where the right candidate of a probe stands among all, as an attack tells it and a measure counts it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace bauta {

struct Standing {
  std::uint32_t above = 0;       ///< candidates with a higher score than the right one
  std::uint32_t tied = 1;        ///< candidates of its score, itself included
  std::uint32_t candidates = 1;  ///< all
  double posterior = 0;          ///< probability that the attacker gives it
  double divergence = 0;         ///< Kullback-Leibler, of the probabilities it gives from uniform, in nats

  /// Probability that it is among the first k, where ties are broken at random.
  [[nodiscard]] double hit(std::size_t k) const {
    return std::clamp((static_cast<double>(k) - above) / tied, 0.0, 1.0);
  }
  /// The same for somebody who guesses.
  [[nodiscard]] double chance(std::size_t k) const { return std::min(static_cast<double>(k) / candidates, 1.0); }
};

/// What posterior and divergence are made of, from candidates that come one by one.
class PosteriorSums {
 public:
  /// `log_weight`: logarithm of something proportional to the candidate's probability.
  void add(double log_weight) {
    ++count_;
    if (log_weight == -std::numeric_limits<double>::infinity()) return;
    if (log_weight > most_) {
      if (weight_ > 0) {
        const double shift = most_ - log_weight;
        moment_ = std::exp(shift) * (moment_ + shift * weight_);
        weight_ *= std::exp(shift);
      }
      most_ = log_weight;
    }
    const double weight = std::exp(log_weight - most_);
    weight_ += weight;
    moment_ += weight * (log_weight - most_);
  }
  [[nodiscard]] double posterior(double log_weight) const { return std::exp(log_weight - most_) / weight_; }
  /// log of the candidates' number, less the entropy.
  [[nodiscard]] double divergence() const {
    return std::max(0.0, std::log(static_cast<double>(count_)) + moment_ / weight_ - std::log(weight_));
  }

 private:
  double most_ = -std::numeric_limits<double>::infinity();
  double weight_ = 0, moment_ = 0;  // sums of exp(l - most) and of exp(l - most) (l - most)
  std::size_t count_ = 0;
};

}  // namespace bauta
