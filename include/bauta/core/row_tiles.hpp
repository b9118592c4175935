// Rows through matrix products, with bits that do not depend on how the rows were cut into blocks.
#pragma once

#include <algorithm>
#include <cstddef>

#include "bauta/core/matrix.hpp"

namespace bauta {

/// BLAS may add up in another order for another shape, so rows are transformed in tiles of this many at fixed positions
/// of the data set.
constexpr std::size_t row_tile = 256;

/// transform(rows, result) is called with exactly row_tile rows on both sides and must treat them one by one. Row i of
/// `source` is row `first + i` of the data set; tiles that the block covers in part are filled up with zero rows.
template <class Element, class Transform>
void transform_row_tiles(MatrixView<const float> source, std::size_t first, MatrixView<Element> result,
                         Transform&& transform) {
  BAUTA_ASSERT(source.rows == result.rows);
  Matrix<float> partial;
  Matrix<Element> partial_result;
  for (std::size_t done = 0; done < source.rows;) {
    const std::size_t offset = (first + done) % row_tile;
    const std::size_t rows = std::min(row_tile - offset, source.rows - done);
    if (rows == row_tile) {
      transform(source.slice(done, rows), result.slice(done, rows));
    } else {
      if (partial.rows() == 0) {
        partial = Matrix<float>(row_tile, source.cols);
        partial_result = Matrix<Element>(row_tile, result.cols);
      }
      std::fill_n(partial.data(), partial.size(), 0.0F);
      for (std::size_t i = 0; i < rows; ++i) {
        std::copy_n(source.row(done + i).data(), source.cols, partial.row(offset + i).data());
      }
      transform(MatrixView<const float>(partial.view()), partial_result.view());
      for (std::size_t i = 0; i < rows; ++i) {
        std::copy_n(partial_result.row(offset + i).data(), result.cols, result.row(done + i).data());
      }
    }
    done += rows;
  }
}

}  // namespace bauta
