// What is measured where nobody says otherwise: the defaults of programs and of experiments alike.
#pragma once

#include <cstddef>
#include <vector>

namespace bauta {

/// Draws of subjects for intervals.
inline constexpr std::size_t usual_draws = 1000;
/// False match rates at which false non-matches are counted.
inline const std::vector<double> usual_fmr = {0.1, 0.01, 0.001};
/// k of the mixture at k.
inline const std::vector<std::size_t> usual_top = {1, 2, 5, 10, 20, 50};

}  // namespace bauta
