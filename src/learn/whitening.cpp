#include "bauta/learn/whitening.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Cholesky>
#include <cblas.h>

#include "bauta/core/parallel.hpp"
#include "dense.hpp"

namespace bauta {

namespace {

constexpr std::size_t rows_per_block = 256;
// The identity's share is never nothing: a correlation of few samples has no inverse.
constexpr double least_shrinkage = 1e-6;

/// Blocks of rows on all threads, in double and scaled.
template <class Use>
void for_blocks(std::size_t rows, Use&& use) {
  parallel_for((rows + rows_per_block - 1) / rows_per_block,
               [&](std::size_t task, int) { use(task * rows_per_block, std::min((task + 1) * rows_per_block, rows)); });
}

/// sum_i w_i^2 |z_i z_i^T - S|^2: how uncertain the correlation S (both triangles filled) is.
double uncertainty(MatrixView<const float> z, const std::vector<double>& weights, const Dense& correlation) {
  const double square = correlation.squaredNorm();
  std::vector<double> terms(z.rows);
  for_blocks(z.rows, [&](std::size_t begin, std::size_t end) {
    std::vector<double> block(rows_per_block * z.cols), turned(rows_per_block * z.cols);
    widen(z, begin, end, block.data(), z.cols);
    cblas_dsymm(CblasRowMajor, CblasRight, CblasLower, as_int(end - begin), as_int(z.cols), 1, correlation.data(),
                as_int(z.cols), block.data(), as_int(z.cols), 0, turned.data(), as_int(z.cols));
    for (std::size_t i = 0; i < end - begin; ++i) {
      const double* const row = block.data() + i * z.cols;
      const double length = std::inner_product(row, row + z.cols, row, 0.0);
      const double along = std::inner_product(row, row + z.cols, turned.data() + i * z.cols, 0.0);
      terms[begin + i] = weights[begin + i] * weights[begin + i] * (length * length - 2 * along + square);
    }
  });
  return std::accumulate(terms.begin(), terms.end(), 0.0);
}

}  // namespace

Whitening::Whitening(MatrixView<const float> deviations, std::span<const double> weights,
                     std::optional<double> shrinkage)
    : scale_(deviations.cols, 0), root_(deviations.cols, deviations.cols) {
  BAUTA_ASSERT(weights.size() == deviations.rows && deviations.rows > 0);
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  BAUTA_ASSERT(sum > 0);
  std::vector<double> share(weights.begin(), weights.end());
  for (double& weight : share) weight /= sum;

  for (std::size_t i = 0; i < deviations.rows; ++i) {
    for (std::size_t j = 0; j < deviations.cols; ++j) {
      scale_[j] += share[i] * double{deviations(i, j)} * double{deviations(i, j)};
    }
  }
  for (double& scale : scale_) scale = scale > 0 ? 1 / std::sqrt(scale) : 0;
  Matrix<float> standard(deviations.rows, deviations.cols);
  for (std::size_t i = 0; i < deviations.rows; ++i) {
    for (std::size_t j = 0; j < deviations.cols; ++j) {
      standard(i, j) = static_cast<float>(deviations(i, j) * scale_[j]);
    }
  }

  Dense correlation = weighted_square(standard.view(), share, false);
  correlation.triangularView<Eigen::StrictlyUpper>() = correlation.transpose();
  const double width = static_cast<double>(deviations.cols);
  const double mean = correlation.trace() / width;  // 1, but for features that never deviate
  if (shrinkage) {
    shrinkage_ = *shrinkage;
  } else {
    const double spread =
        correlation.squaredNorm() - 2 * mean * correlation.trace() + mean * mean * width;  // |S - mean I|^2
    shrinkage_ = spread > 0 ? std::min(1.0, uncertainty(standard.view(), share, correlation) / spread) : 1;
  }
  shrinkage_ = std::clamp(shrinkage_, least_shrinkage, 1.0);
  correlation *= 1 - shrinkage_;
  correlation.diagonal().array() += shrinkage_ * (mean > 0 ? mean : 1);
  const Eigen::LLT<Dense> factor(correlation);
  BAUTA_ASSERT(factor.info() == Eigen::Success);
  Eigen::Map<Dense>(root_.data(), as_int(root_.rows()), as_int(root_.cols())) = factor.matrixL();
}

Matrix<float> Whitening::apply(MatrixView<const double> x) const {
  BAUTA_ASSERT(x.cols == scale_.size());
  Matrix<float> result(x.rows, x.cols);
  for_blocks(x.rows, [&](std::size_t begin, std::size_t end) {
    std::vector<double> block((end - begin) * x.cols);
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t j = 0; j < x.cols; ++j) block[(i - begin) * x.cols + j] = x(i, j) * scale_[j];
    }
    // Rows y of the result: y L^T = x.
    cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, as_int(end - begin), as_int(x.cols), 1,
                root_.data(), as_int(x.cols), block.data(), as_int(x.cols));
    std::transform(block.begin(), block.end(), result.row(begin).data(),
                   [](double value) { return static_cast<float>(value); });
  });
  return result;
}

}  // namespace bauta
