// Float rows as doubles, a block at a time: products are exact enough for solvers while memory carries floats.
#pragma once

#include <cstddef>

#include "bauta/core/matrix.hpp"

namespace bauta {

/// Rows [begin, end), less `centre` if given; the caller has room for `stride` elements a row.
inline void widen(MatrixView<const float> x, std::size_t begin, std::size_t end, double* block, std::size_t stride,
                  const double* centre = nullptr) {
  for (std::size_t i = begin; i < end; ++i) {
    const float* const row = x.row(i).data();
    double* const wide = block + (i - begin) * stride;
    if (centre == nullptr) {
      for (std::size_t j = 0; j < x.cols; ++j) wide[j] = row[j];
    } else {
      for (std::size_t j = 0; j < x.cols; ++j) wide[j] = row[j] - centre[j];
    }
  }
}

inline int as_int(std::size_t n) {
  return static_cast<int>(n);
}

}  // namespace bauta
