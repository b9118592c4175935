#include "bauta/learn/ridge.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <cblas.h>

#include "bauta/core/parallel.hpp"
#include "dense.hpp"

namespace bauta {

namespace {

constexpr std::size_t rows_per_block = 256;
constexpr int lowest_quarter_decade = -32;
constexpr int highest_quarter_decade = 16;

/// What generalised cross-validation needs: the outputs' squared share along each eigenvector and outside of all.
struct Spectrum {
  std::vector<double> values;
  std::vector<double> shares;
  double outside = 0;
  std::size_t samples = 0;

  [[nodiscard]] double score(double penalty) const {
    double error = outside;
    double freedom = 1;  // the intercept
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double rest = penalty / (values[i] + penalty);
      error += rest * rest * shares[i];
      freedom += 1 - rest;
    }
    const double left = static_cast<double>(samples) - freedom;
    return left > 0 ? error / (left * left) : INFINITY;
  }

  /// Of equal scores, the larger penalty.
  [[nodiscard]] double choose() const {
    double mean = 0;
    for (const double value : values) mean += value / static_cast<double>(values.size());
    if (!(mean > 0)) return 1;  // constant features: any penalty gives the mean
    double best = 0;
    double best_score = INFINITY;
    for (int quarter = highest_quarter_decade; quarter >= lowest_quarter_decade; --quarter) {
      const double penalty = mean * std::pow(10, quarter / 4.0);
      const double own = score(penalty);
      if (best == 0 || own < best_score) {
        best = penalty;
        best_score = own;
      }
    }
    return best;
  }
};

/// (square + penalty I)^-1 cross. With `energy`, square = x^T x and cross = x^T y for outputs of that squared length;
/// without, square is a Gram matrix and cross are the outputs.
Dense solve(Dense square, const Dense& cross, std::size_t samples, std::optional<double> energy,
            const RidgeOptions& options, double& penalty) {
  if (options.penalty) {
    penalty = *options.penalty;
    BAUTA_ASSERT(penalty > 0);
    square.diagonal().array() += penalty;
    return Eigen::LLT<Eigen::Ref<Dense>, Eigen::Lower>(square).solve(cross);
  }
  Spectrum spectrum;
  spectrum.samples = samples;
  spectrum.values = decompose(square);
  const double most = std::max(spectrum.values.back(), 0.0);
  for (double& value : spectrum.values) value = std::max(value, 0.0);
  Dense along = square * cross;
  spectrum.outside = energy.value_or(0);
  for (std::size_t i = 0; i < spectrum.values.size(); ++i) {
    double share = along.row(as_int(i)).squaredNorm();
    if (energy) {
      // Directions in which the features do not vary carry rounding only.
      share = spectrum.values[i] > 1e-12 * most ? share / spectrum.values[i] : 0;
      spectrum.outside -= share;
    }
    spectrum.shares.push_back(share);
  }
  spectrum.outside = std::max(spectrum.outside, 0.0);
  penalty = spectrum.choose();
  for (std::size_t i = 0; i < spectrum.values.size(); ++i) along.row(as_int(i)) /= spectrum.values[i] + penalty;
  return square.transpose() * along;
}

Matrix<double> to_matrix(const Dense& source) {
  Matrix<double> result(static_cast<std::size_t>(source.rows()), static_cast<std::size_t>(source.cols()));
  std::copy_n(source.data(), result.size(), result.data());
  return result;
}

/// x weights + intercepts
Matrix<float> predict_rows(MatrixView<const float> x, const Matrix<double>& weights,
                           const std::vector<double>& intercepts) {
  BAUTA_ASSERT(x.cols == weights.rows());
  const std::size_t outputs = weights.cols();
  Matrix<float> result(x.rows, outputs);
  parallel_for((x.rows + rows_per_block - 1) / rows_per_block, [&](std::size_t task, int) {
    const std::size_t begin = task * rows_per_block;
    const std::size_t end = std::min(begin + rows_per_block, x.rows);
    std::vector<double> block(rows_per_block * x.cols), values(rows_per_block * outputs);
    widen(x, begin, end, block.data(), x.cols);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, as_int(end - begin), as_int(outputs), as_int(x.cols), 1,
                block.data(), as_int(x.cols), weights.data(), as_int(outputs), 0, values.data(), as_int(outputs));
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t k = 0; k < outputs; ++k) {
        result(i, k) = static_cast<float>(values[(i - begin) * outputs + k] + intercepts[k]);
      }
    }
  });
  return result;
}

}  // namespace

Ridge Ridge::fit(MatrixView<const float> x, MatrixView<const float> y, const RidgeOptions& options) {
  BAUTA_ASSERT(x.rows == y.rows && x.rows > 0 && x.cols > 0 && y.cols > 0);
  const std::vector<double> x_means = column_means(x);
  const std::vector<double> y_means = column_means(y);
  Ridge result;
  Dense weights;
  if (x.cols <= x.rows) {
    Dense square, cross;
    centred_moments(x, x_means, y, y_means, square, cross);
    const double energy = centred(y, y_means).squaredNorm();
    weights = solve(std::move(square), cross, x.rows, energy, options, result.penalty_);
  } else {
    // More features than samples: the same solution through the samples' inner products.
    const Dense rows = centred(x, x_means);
    Dense gram = Dense::Zero(as_int(x.rows), as_int(x.rows));
    cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, as_int(x.rows), as_int(x.cols), 1, rows.data(), as_int(x.cols),
                0, gram.data(), as_int(x.rows));
    weights =
        rows.transpose() * solve(std::move(gram), centred(y, y_means), x.rows, std::nullopt, options, result.penalty_);
  }
  result.weights_ = to_matrix(weights);
  result.intercepts_ = y_means;
  for (std::size_t j = 0; j < x.cols; ++j) {
    for (std::size_t k = 0; k < y.cols; ++k) result.intercepts_[k] -= x_means[j] * result.weights_(j, k);
  }
  return result;
}

Matrix<float> Ridge::predict(MatrixView<const float> x) const {
  return predict_rows(x, weights_, intercepts_);
}

KernelRidge KernelRidge::fit(MatrixView<const float> gram, MatrixView<const float> y, const RidgeOptions& options) {
  BAUTA_ASSERT(gram.rows == gram.cols && gram.rows == y.rows && y.rows > 0 && y.cols > 0);
  const std::vector<double> means = column_means(gram);
  const std::vector<double> y_means = column_means(y);
  double mean = 0;
  for (const double value : means) mean += value / static_cast<double>(means.size());
  Dense square = centred(gram, means);
  for (std::size_t i = 0; i < gram.rows; ++i) square.row(as_int(i)).array() -= means[i] - mean;
  KernelRidge result;
  result.weights_ =
      to_matrix(solve(std::move(square), centred(y, y_means), y.rows, std::nullopt, options, result.penalty_));
  // The weights of an output sum to 0, so of the centring only the training samples' means remain.
  result.intercepts_ = y_means;
  for (std::size_t i = 0; i < gram.rows; ++i) {
    for (std::size_t k = 0; k < y.cols; ++k) result.intercepts_[k] -= means[i] * result.weights_(i, k);
  }
  return result;
}

Matrix<float> KernelRidge::predict(MatrixView<const float> kernel) const {
  return predict_rows(kernel, weights_, intercepts_);
}

}  // namespace bauta
