#include "bauta/learn/pca.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <cblas.h>

#include "bauta/core/parallel.hpp"
#include "dense.hpp"

namespace bauta {

namespace {

constexpr std::size_t rows_per_block = 256;
constexpr std::size_t parts = 8;

/// Products of all pairs of centred rows (lower triangle), summed in parts that do not depend on threads.
Dense centred_products(MatrixView<const float> x, const std::vector<double>& means) {
  constexpr std::size_t cols_per_block = 512;
  const std::size_t blocks = (x.cols + cols_per_block - 1) / cols_per_block, per_part = (blocks + parts - 1) / parts;
  std::vector<Dense> sums(parts);
  parallel_for(parts, [&](std::size_t part, int) {
    sums[part].setZero(as_int(x.rows), as_int(x.rows));
    std::vector<double> block(x.rows * cols_per_block);
    for (std::size_t b = part * per_part; b < std::min((part + 1) * per_part, blocks); ++b) {
      const std::size_t from = b * cols_per_block, count = std::min(cols_per_block, x.cols - from);
      const MatrixView<const float> slice(x.data + from, x.rows, count, x.stride);
      widen(slice, 0, x.rows, block.data(), count, means.data() + from);
      cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, as_int(x.rows), as_int(count), 1, block.data(),
                  as_int(count), 1, sums[part].data(), as_int(x.rows));
    }
  });
  for (std::size_t part = 1; part < parts; ++part) sums[0] += sums[part];
  return std::move(sums[0]);
}

/// A component with the sign that all of them have.
void put_component(const double* from, double scale, std::span<double> to) {
  const double largest =
      *std::max_element(from, from + to.size(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  for (std::size_t j = 0; j < to.size(); ++j) to[j] = (largest < 0 ? -scale : scale) * from[j];
}

/// How many of these variances, which descend, are more than the rounding of floats.
std::size_t significant(const std::vector<double>& variances, std::size_t rows, std::size_t cols) {
  const double smallest =
      std::sqrt(variances[0]) * static_cast<double>(std::max(rows, cols)) * std::numeric_limits<float>::epsilon();
  std::size_t count = 0;
  while (count < variances.size() && std::sqrt(variances[count]) > smallest) ++count;
  return count;
}

}  // namespace

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
    put_component(square.data() + from * x.cols, 1, result.components.row(k));
  }
  return result;
}

Pca Pca::leading(MatrixView<const float> x, std::size_t count) {
  BAUTA_ASSERT(x.rows > 0 && x.cols > 0);
  Pca result;
  if (x.rows >= x.cols) {
    const Pca all = fit(x);
    result.variances = all.variances;
    result.variances.resize(std::min({count, x.rows - 1, significant(all.variances, x.rows, x.cols)}));
    result.means = all.means;
    result.components = Matrix<double>(result.variances.size(), x.cols);
    std::copy_n(all.components.data(), result.components.size(), result.components.data());
    return result;
  }
  result.means = column_means(x);
  Dense products = centred_products(x, result.means);
  const std::vector<double> values = decompose(products);
  for (std::size_t k = 0; k < x.rows; ++k) {
    result.variances.push_back(std::max(values[x.rows - 1 - k], 0.0) / static_cast<double>(x.rows));
  }
  result.variances.resize(std::min({count, x.rows - 1, significant(result.variances, x.rows, x.cols)}));
  result.components = Matrix<double>(result.variances.size(), x.cols);
  parallel_for(result.variances.size(), [&](std::size_t k, int) {
    const double* const weights = products.data() + (x.rows - 1 - k) * x.rows;
    std::vector<double> direction(x.cols, 0);
    for (std::size_t i = 0; i < x.rows; ++i) {
      const auto row = x.row(i);
      for (std::size_t j = 0; j < x.cols; ++j) direction[j] += weights[i] * (row[j] - result.means[j]);
    }
    double length = 0;
    for (const double value : direction) length += value * value;
    put_component(direction.data(), 1 / std::sqrt(length), result.components.row(k));
  });
  return result;
}

Matrix<float> Pca::transform(MatrixView<const float> x) const {
  BAUTA_ASSERT(x.cols == means.size());
  const std::size_t count = components.rows();
  Matrix<float> result(x.rows, count);
  parallel_for((x.rows + rows_per_block - 1) / rows_per_block, [&](std::size_t task, int) {
    const std::size_t begin = task * rows_per_block;
    const std::size_t end = std::min(begin + rows_per_block, x.rows);
    std::vector<double> block(rows_per_block * x.cols), turned(rows_per_block * count);
    widen(x, begin, end, block.data(), x.cols, means.data());
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, as_int(end - begin), as_int(count), as_int(x.cols), 1,
                block.data(), as_int(x.cols), components.data(), as_int(x.cols), 0, turned.data(), as_int(count));
    std::copy_n(turned.data(), (end - begin) * count, result.row(begin).data());
  });
  return result;
}

}  // namespace bauta
