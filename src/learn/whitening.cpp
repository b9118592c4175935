#include "bauta/learn/whitening.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
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
    : scale_(deviations.cols, 0) {
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
  if (2 * deviations.rows <= deviations.cols) {
    fit_rows(standard.view(), share, shrinkage);
  } else {
    fit_features(standard.view(), share, shrinkage);
  }
}

double Whitening::shrink(double trace, double squares, double uncertainty, std::optional<double> asked) {
  const double width = static_cast<double>(scale_.size());
  const double mean = trace / width;                                       // 1, but for features that never deviate
  const double spread = squares - 2 * mean * trace + mean * mean * width;  // |S - mean I|^2
  shrinkage_ = asked ? *asked : spread > 0 ? std::min(1.0, uncertainty / spread) : 1;
  shrinkage_ = std::clamp(shrinkage_, least_shrinkage, 1.0);
  return mean > 0 ? mean : 1;
}

void Whitening::fit_features(MatrixView<const float> standard, const std::vector<double>& share,
                             std::optional<double> asked) {
  Dense correlation = weighted_square(standard, share, false);
  correlation.triangularView<Eigen::StrictlyUpper>() = correlation.transpose();
  const double mean = shrink(correlation.trace(), correlation.squaredNorm(),
                             asked ? 0 : uncertainty(standard, share, correlation), asked);
  correlation *= 1 - shrinkage_;
  correlation.diagonal().array() += shrinkage_ * mean;
  const Eigen::LLT<Dense> factor(correlation);
  BAUTA_ASSERT(factor.info() == Eigen::Success);
  root_ = Matrix<double>(standard.cols, standard.cols);
  Eigen::Map<Dense>(root_.data(), as_int(root_.rows()), as_int(root_.cols())) = factor.matrixL();
}

void Whitening::fit_rows(MatrixView<const float> standard, const std::vector<double>& share,
                         std::optional<double> asked) {
  // With rows sqrt(w_i) z_i as A, the correlation A^T A has the eigenvalues of A A^T, and A^T u / sqrt(value) are its
  // eigenvectors.
  Dense rows(as_int(standard.rows), as_int(standard.cols));
  widen(standard, 0, standard.rows, rows.data(), standard.cols);
  for (std::size_t i = 0; i < standard.rows; ++i) rows.row(as_int(i)) *= std::sqrt(share[i]);
  Dense products = Dense::Zero(rows.rows(), rows.rows());
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, as_int(standard.rows), as_int(standard.cols), 1, rows.data(),
              as_int(standard.cols), 0, products.data(), as_int(standard.rows));
  products.triangularView<Eigen::StrictlyUpper>() = products.transpose();
  const double squares = products.squaredNorm();
  double uncertain = 0;
  for (std::size_t i = 0; i < standard.rows; ++i) {
    const auto own = products.row(as_int(i));
    const double length = own(as_int(i));
    uncertain += length * length - 2 * share[i] * own.squaredNorm() + share[i] * share[i] * squares;
  }
  const double mean = shrink(products.trace(), squares, uncertain, asked);
  across_ = 1 / std::sqrt(shrinkage_ * mean);

  const std::vector<double> values = decompose(products);
  const double smallest = values.back() * static_cast<double>(standard.cols) * std::numeric_limits<double>::epsilon();
  const auto first = static_cast<std::size_t>(
      std::find_if(values.begin(), values.end(), [&](double value) { return value > smallest; }) - values.begin());
  const std::size_t count = values.size() - first;
  directions_ = Matrix<double>(count, standard.cols);
  along_.clear();
  for (std::size_t k = 0; k < count; ++k) {
    const double value = values[first + k];
    products.row(as_int(first + k)) /= std::sqrt(value);
    along_.push_back(1 / std::sqrt((1 - shrinkage_) * value + shrinkage_ * mean));
  }
  if (count == 0) return;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, as_int(count), as_int(standard.cols), as_int(standard.rows), 1,
              products.data() + first * standard.rows, as_int(standard.rows), rows.data(), as_int(standard.cols), 0,
              directions_.data(), as_int(standard.cols));
}

void Whitening::stretch(std::size_t rows, std::vector<double>& block) const {
  const int width = as_int(scale_.size());
  const int count = as_int(along_.size());
  std::vector<double> coordinates(rows * along_.size());
  if (count > 0) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, as_int(rows), count, width, 1, block.data(), width,
                directions_.data(), width, 0, coordinates.data(), count);
  }
  for (std::size_t i = 0; i < coordinates.size(); ++i) coordinates[i] *= along_[i % along_.size()] - across_;
  for (double& value : block) value *= across_;
  if (count > 0) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, as_int(rows), width, count, 1, coordinates.data(), count,
                directions_.data(), width, 1, block.data(), width);
  }
}

Matrix<float> Whitening::apply(MatrixView<const double> x) const {
  BAUTA_ASSERT(x.cols == scale_.size());
  Matrix<float> result(x.rows, x.cols);
  for_blocks(x.rows, [&](std::size_t begin, std::size_t end) {
    std::vector<double> block((end - begin) * x.cols);
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t j = 0; j < x.cols; ++j) block[(i - begin) * x.cols + j] = x(i, j) * scale_[j];
    }
    if (root_.size() > 0) {
      // Rows y of the result: y L^T = x.
      cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, as_int(end - begin), as_int(x.cols),
                  1, root_.data(), as_int(x.cols), block.data(), as_int(x.cols));
    } else {
      stretch(end - begin, block);
    }
    std::transform(block.begin(), block.end(), result.row(begin).data(),
                   [](double value) { return static_cast<float>(value); });
  });
  return result;
}

}  // namespace bauta
