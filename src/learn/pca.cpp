#include "bauta/learn/pca.hpp"

#include <algorithm>
#include <cmath>

#include <cblas.h>

#include "bauta/core/parallel.hpp"
#include "dense.hpp"

namespace bauta {

namespace {
constexpr std::size_t rows_per_block = 256;
}

Pca Pca::fit(MatrixView<const float> x) {
  BAUTA_ASSERT(x.rows > 0 && x.cols > 0);
  Pca result;
  result.means = column_means(x);
  Dense square, none;
  centred_moments(x, result.means, {}, {}, square, none);
  std::vector<double> values = decompose(square);
  result.components = Matrix<double>(x.cols, x.cols);
  for (std::size_t k = 0; k < x.cols; ++k) {
    const std::size_t from = x.cols - 1 - k;  // ascending there, descending here
    result.variances.push_back(std::max(values[from], 0.0) / static_cast<double>(x.rows));
    const double* const row = square.data() + from * x.cols;
    const double largest =
        *std::max_element(row, row + x.cols, [](double a, double b) { return std::abs(a) < std::abs(b); });
    for (std::size_t j = 0; j < x.cols; ++j) result.components(k, j) = largest < 0 ? -row[j] : row[j];
  }
  return result;
}

Matrix<float> Pca::transform(MatrixView<const float> x) const {
  BAUTA_ASSERT(x.cols == means.size());
  Matrix<float> result(x.rows, x.cols);
  parallel_for((x.rows + rows_per_block - 1) / rows_per_block, [&](std::size_t task, int) {
    const std::size_t begin = task * rows_per_block;
    const std::size_t end = std::min(begin + rows_per_block, x.rows);
    std::vector<double> block(rows_per_block * x.cols), turned(rows_per_block * x.cols);
    widen(x, begin, end, block.data(), x.cols, means.data());
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, as_int(end - begin), as_int(x.cols), as_int(x.cols), 1,
                block.data(), as_int(x.cols), components.data(), as_int(x.cols), 0, turned.data(), as_int(x.cols));
    std::copy_n(turned.data(), (end - begin) * x.cols, result.row(begin).data());
  });
  return result;
}

}  // namespace bauta
