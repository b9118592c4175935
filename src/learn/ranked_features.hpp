// Columns as ranks of their distinct values: what trees split on. Sorted once for all trees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bauta/core/matrix.hpp"

namespace bauta {

/// `Rank` is wide enough for the number of rows: half the memory traffic where 16 bits do.
template <class Rank>
struct RankedFeatures {
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::vector<Rank> ranks;    ///< column by column; equal values have equal ranks, without gaps
  std::vector<float> values;  ///< value of rank r of column j at values[j * rows + r]

  [[nodiscard]] const Rank* column(std::size_t j) const { return ranks.data() + j * rows; }
  [[nodiscard]] float value(std::size_t j, std::size_t rank) const { return values[j * rows + rank]; }
};

/// Values are finite.
template <class Rank>
RankedFeatures<Rank> rank_features(MatrixView<const float> x);

}  // namespace bauta
