// What an interval says of the truth, for values that are made of several measured ones.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "bauta/measure/intervals.hpp"

namespace bauta {

/// How likely the truth lies where, recovered from a value and its 95 % interval (MOVER: Zou and Donner 2008): normal
/// on either side, as wide as the interval on that side. Rates are normal on the scale of asin(sqrt(rate)), where their
/// spread does not shrink towards the ends.
class Plausible {
 public:
  /// `ends` of the scale: those of a rate, or infinite ones of a plain number.
  Plausible(double value, const Interval& ci, const Interval& ends);

  /// The value at a standard normal score: 0 is the value itself, and +-1.96 are the ends of its interval.
  [[nodiscard]] double at(double score) const;
  /// At which score this is reached.
  [[nodiscard]] double score(double value) const;

 private:
  [[nodiscard]] double stretched(double value) const;

  Interval ends_;
  bool rate_;
  double centre_, down_, up_;  // stretched; per unit of score
};

/// Standard normal scores in the order of `draws`: how values vary together, freed from how much each one varies.
/// NaN stays NaN. Equal draws are put in an order by chance, the same for the same name, because draws that are all
/// alike say nothing.
std::vector<double> normal_scores(std::span<const double> draws, std::string_view name);

/// Truths that are plausible for a value, in the order of its draws.
std::vector<double> plausible_draws(const Plausible& value, std::span<const double> draws, std::string_view name);

}  // namespace bauta
