// What every learner asks of its training data.
#pragma once

#include <cmath>
#include <span>
#include <string>

#include <fmt/format.h>

#include "bauta/core/matrix.hpp"

namespace bauta {

/// Throws an input error for no samples, no features, or a value that is not finite.
inline void require_training_data(MatrixView<const float> x, const std::string& where) {
  if (x.rows == 0 || x.cols == 0) {
    throw_input(where, fmt::format("{} samples of {} features: nothing to learn from", x.rows, x.cols));
  }
  for (std::size_t i = 0; i < x.rows; ++i) {
    for (std::size_t j = 0; j < x.cols; ++j) {
      if (!std::isfinite(x(i, j))) {
        throw_input(fmt::format("{} row {}", where, i + 1), fmt::format("feature {} is {}", j + 1, x(i, j)));
      }
    }
  }
}

/// Throws an input error for a value that is not finite.
inline void require_values(MatrixView<const float> x, std::span<const double> values, const std::string& where) {
  BAUTA_ASSERT(values.size() == x.rows);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      throw_input(fmt::format("{} row {}", where, i + 1), fmt::format("its value is {}", values[i]));
    }
  }
}

}  // namespace bauta
