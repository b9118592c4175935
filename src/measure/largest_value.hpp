// The largest of several noisy values, and where the largest true one lies.
#pragma once

#include <cstddef>
#include <vector>

#include "bauta/core/matrix.hpp"
#include "bauta/measure/intervals.hpp"
#include "plausible.hpp"

namespace bauta {

/// Values of several attackers on one scale, higher is stronger, and what they become in draws of subjects.
struct DrawnValues {
  std::vector<double> observed = {};
  std::vector<Plausible> plausible = {};  ///< of each
  Matrix<double> drawn = {};              ///< one row per draw, all finite
  std::vector<double> chance = {};        ///< of each
  double lowest = 0, highest = 1;         ///< ends of the scale
};

struct LargestValue {
  std::size_t best = 0;  ///< first of those with the largest value
  double corrected = 0;  ///< less the bootstrap estimate of the maximum's bias
  double allowance = 0;  ///< how much lower the best one's lower bound would be for its having been chosen
  Interval ci;           ///< 95 %, of the largest true value of all
  double p = 1;          ///< of the hypothesis that none of them beats chance
};

/// The lower end is the largest of the values at the score that bounds the errors of all together; the upper end the
/// largest of their own upper ends, because whichever is best in truth is covered by its own. That of one alone is its
/// own interval.
LargestValue largest_value(const DrawnValues& values);

}  // namespace bauta
