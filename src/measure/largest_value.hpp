// The largest of several noisy values, and where the largest true one lies.
#pragma once

#include <cstddef>
#include <vector>

#include "bauta/core/matrix.hpp"
#include "bauta/measure/intervals.hpp"

namespace bauta {

/// Values of several attackers on one scale, higher is stronger, and what they become in draws of subjects.
struct DrawnValues {
  std::vector<double> observed = {};
  Matrix<double> drawn = {};        ///< one row per draw, all finite
  std::vector<double> chance = {};  ///< of each
  std::vector<double> unseen = {};  ///< of each: how far off the truth may be although all draws are alike
  double lowest = 0, highest = 1;   ///< ends of the scale
};

struct LargestValue {
  std::size_t best = 0;  ///< first of those with the largest value
  double corrected = 0;  ///< less the bootstrap estimate of the maximum's bias
  double allowance = 0;  ///< how much lower the best one's lower bound would be for its having been chosen
  Interval ci;           ///< 95 %, of the largest true value of all
  double p = 1;          ///< of the hypothesis that none of them beats chance
};

/// The lower end is the largest b_j - q s_j, where q bounds the studentised errors of all together; the upper end the
/// largest b_j + q_j s_j, where q_j bounds that of each.
LargestValue largest_value(const DrawnValues& values);

/// What resampling of one of `attackers` cannot see: an error that occurred in none of as many subjects.
double unseen_error(std::size_t subjects, std::size_t attackers);

}  // namespace bauta
