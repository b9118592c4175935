#include "logistic.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include <Eigen/Cholesky>
#include <cblas.h>
#include <fmt/format.h>

#include "bauta/core/parallel.hpp"
#include "bauta/learn/estimator.hpp"
#include "class_weights.hpp"
#include "dense.hpp"
#include "lbfgs.hpp"
#include "training_data.hpp"

namespace bauta {

namespace {

// Rows that are widened to double at a time, so that both products read them from cache.
constexpr std::size_t rows_per_block = 64;
// Rows whose gradient is summed before the sums are added in order: the sums do not depend on threads.
constexpr std::size_t rows_per_part = 512;
// A Hessian costs as much as about d / 16 evaluations: it is made when as much was spent without it.
constexpr std::size_t features_per_iteration = 16;
constexpr std::size_t least_iterations = 10;
constexpr std::size_t most_features_of_hessian = 1024;

/// Rows as doubles with a column of ones at the end.
void widen_with_ones(MatrixView<const float> x, std::size_t begin, std::size_t end, double* block) {
  widen(x, begin, end, block, x.cols + 1);
  for (std::size_t i = 0; i < end - begin; ++i) block[i * (x.cols + 1) + x.cols] = 1;
}

/// scores = block * weights^T
void score(const double* block, std::size_t rows, std::size_t width, const double* weights, std::size_t functions,
           double* scores) {
  if (functions == 1) {
    cblas_dgemv(CblasRowMajor, CblasNoTrans, as_int(rows), as_int(width), 1, block, as_int(width), weights, 1, 0,
                scores, 1);
  } else {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, as_int(rows), as_int(functions), as_int(width), 1, block,
                as_int(width), weights, as_int(width), 0, scores, as_int(functions));
  }
}

/// Scores of a row become probabilities of the functions' classes; returns log(sum of exp(scores)), of one function
/// log(1 + exp(score)).
double to_probabilities(std::span<double> scores) {
  if (scores.size() == 1) {
    const double score = scores[0];
    const double small = std::exp(-std::abs(score));
    scores[0] = score >= 0 ? 1 / (1 + small) : small / (1 + small);
    return std::max(score, 0.0) + std::log1p(small);
  }
  const double most = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (double& score : scores) sum += score = std::exp(score - most);
  for (double& score : scores) score /= sum;
  return most + std::log(sum);
}

class LogisticLoss : public Objective {
 public:
  /// `weights`: a factor for every target; empty: 1.
  LogisticLoss(MatrixView<const float> x, std::span<const std::int32_t> targets, std::vector<double> weights,
               std::size_t functions, double c)
      : x_(x),
        targets_(targets),
        weights_(std::move(weights)),
        functions_(functions),
        width_(x.cols + 1),
        penalty_(1 / c),
        parts_((x.rows + rows_per_part - 1) / rows_per_part),
        losses_(parts_),
        gradients_(parts_, functions * width_),
        spread_(functions == 1 ? 0.25 : 1.0 / static_cast<double>(functions)),
        diagonal_(width_) {
    find_diagonal();
  }

  [[nodiscard]] std::size_t size() const override { return functions_ * width_; }

  double evaluate(std::span<const double> weights, std::span<double> gradient) override {
    parallel_for(parts_, [&](std::size_t part, int) { evaluate_part(part, weights.data()); });
    std::fill(gradient.begin(), gradient.end(), 0.0);
    double value = 0;
    for (std::size_t part = 0; part < parts_; ++part) {
      value += losses_[part];
      const auto row = gradients_.row(part);
      for (std::size_t i = 0; i < row.size(); ++i) gradient[i] += row[i];
    }
    double square = 0;
    for (std::size_t k = 0; k < functions_; ++k) {
      for (std::size_t j = k * width_; j + 1 < (k + 1) * width_; ++j) {
        square += weights[j] * weights[j];
        gradient[j] += penalty_ * weights[j];
      }
    }
    return value + penalty_ * square / 2;
  }

  bool refresh(std::span<const double> weights, std::size_t iteration) override {
    if (iteration != std::max(least_iterations, x_.cols / features_per_iteration) || x_.cols > most_features_of_hessian)
      return false;
    find_hessian(weights.data());
    return true;
  }

  void precondition(std::span<double> gradient) const override {
    for (std::size_t k = 0; k < functions_; ++k) {
      double* const part = gradient.data() + k * width_;
      if (hessian_.rows() > 0) {
        Eigen::Map<Eigen::VectorXd> vector(part, static_cast<Eigen::Index>(width_));
        hessian_.solveInPlace(vector);
      } else {
        for (std::size_t j = 0; j < width_; ++j) part[j] /= diagonal_[j];
      }
    }
  }

 private:
  void evaluate_part(std::size_t part, const double* weights) {
    thread_local std::vector<double> block, scores;
    block.resize(rows_per_block * width_);
    scores.resize(rows_per_block * functions_);
    const auto gradient = gradients_.row(part);
    double loss = 0;
    const std::size_t last = std::min((part + 1) * rows_per_part, x_.rows);
    for (std::size_t begin = part * rows_per_part; begin < last; begin += rows_per_block) {
      const std::size_t end = std::min(begin + rows_per_block, last);
      const std::size_t rows = end - begin;
      const double keep = begin == part * rows_per_part ? 0 : 1;
      widen_with_ones(x_, begin, end, block.data());
      score(block.data(), rows, width_, weights, functions_, scores.data());
      for (std::size_t i = 0; i < rows; ++i) {
        const std::span row(scores.data() + i * functions_, functions_);
        const auto target = static_cast<std::size_t>(targets_[begin + i]);
        const double weight = weight_of(begin + i);
        if (functions_ == 1) {
          const double own = target == 1 ? row[0] : 0;
          loss += weight * (to_probabilities(row) - own);
          row[0] -= static_cast<double>(target);
        } else {
          const double own = row[target];
          loss += weight * (to_probabilities(row) - own);
          row[target] -= 1;
        }
        if (weight != 1) {
          for (double& value : row) value *= weight;
        }
      }
      if (functions_ == 1) {
        cblas_dgemv(CblasRowMajor, CblasTrans, as_int(rows), as_int(width_), 1, block.data(), as_int(width_),
                    scores.data(), 1, keep, gradient.data(), 1);
      } else {
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, as_int(functions_), as_int(width_), as_int(rows), 1,
                    scores.data(), as_int(functions_), block.data(), as_int(width_), keep, gradient.data(),
                    as_int(width_));
      }
    }
    losses_[part] = loss;
  }

  /// Diagonal of the Hessian at zero, where all classes are equally likely.
  void find_diagonal() {
    parallel_for(parts_, [&](std::size_t part, int) {
      double* const sums = gradients_.row(part).data();
      std::fill_n(sums, width_, 0.0);
      for (std::size_t i = part * rows_per_part; i < std::min((part + 1) * rows_per_part, x_.rows); ++i) {
        const float* const row = x_.row(i).data();
        const double weight = weight_of(i);
        for (std::size_t j = 0; j < x_.cols; ++j) sums[j] += weight * row[j] * row[j];
        sums[x_.cols] += weight;
      }
    });
    std::fill(diagonal_.begin(), diagonal_.end(), 0.0);
    for (std::size_t part = 0; part < parts_; ++part) {
      for (std::size_t j = 0; j < width_; ++j) diagonal_[j] += gradients_(part, j);
    }
    for (std::size_t j = 0; j < width_; ++j) diagonal_[j] = spread_ * diagonal_[j] + (j < x_.cols ? penalty_ : 0);
  }

  /// Of two classes the Hessian at `weights`; of more, what its blocks on the diagonal are in the mean.
  void find_hessian(const double* weights) {
    std::vector<double> spreads(x_.rows);
    parallel_for(parts_, [&](std::size_t part, int) {
      std::vector<double> block(rows_per_block * width_), scores(rows_per_block * functions_);
      const std::size_t last = std::min((part + 1) * rows_per_part, x_.rows);
      for (std::size_t begin = part * rows_per_part; begin < last; begin += rows_per_block) {
        const std::size_t end = std::min(begin + rows_per_block, last);
        widen_with_ones(x_, begin, end, block.data());
        score(block.data(), end - begin, width_, weights, functions_, scores.data());
        for (std::size_t i = begin; i < end; ++i) {
          const std::span row(scores.data() + (i - begin) * functions_, functions_);
          to_probabilities(row);
          spreads[i] = 0;
          for (const double p : row) spreads[i] += weight_of(i) * p * (1 - p) / static_cast<double>(functions_);
        }
      }
    });
    Dense square = weighted_square(x_, spreads, true);
    // The intercept has no penalty; a trace of one keeps the factors finite where all classes are certain.
    square.diagonal().array() += penalty_;
    square(as_int(x_.cols), as_int(x_.cols)) += 1e-9 * static_cast<double>(x_.rows) - penalty_;
    hessian_.compute(square);
  }

  [[nodiscard]] double weight_of(std::size_t i) const {
    return weights_.empty() ? 1 : weights_[static_cast<std::size_t>(targets_[i])];
  }

  MatrixView<const float> x_;
  std::span<const std::int32_t> targets_;
  std::vector<double> weights_;
  std::size_t functions_;
  std::size_t width_;
  double penalty_;
  std::size_t parts_;
  std::vector<double> losses_;
  Matrix<double> gradients_;
  double spread_;
  std::vector<double> diagonal_;
  Eigen::LLT<Dense, Eigen::Lower> hessian_;
};

}  // namespace

Logistic Logistic::fit(MatrixView<const float> x, std::span<const std::int32_t> codes, std::size_t classes,
                       const LogisticOptions& options) {
  BAUTA_ASSERT(codes.size() == x.rows && classes > 0 && options.c > 0);
  require_training_data(x, options.where);
  Logistic result;
  result.features_ = x.cols;
  result.classes_ = classes;
  const OccurringClasses occurring(codes, classes);
  result.occurring_ = occurring.codes();
  if (occurring.count() == 1) return result;
  const std::vector<std::int32_t> targets = occurring.places(codes);
  std::vector<double> weights;
  for (const std::size_t code : occurring.codes()) {
    if (!options.class_weights.empty()) weights.push_back(options.class_weights[code]);
  }
  const std::size_t functions = result.occurring_.size() == 2 ? 1 : result.occurring_.size();
  result.weights_ = Matrix<double>(functions, x.cols + 1, 0.0);
  LogisticLoss loss(x, targets, std::move(weights), functions, options.c);
  const LbfgsResult found = minimise(loss, {result.weights_.data(), result.weights_.size()},
                                     {.tolerance = options.tolerance, .iterations = options.iterations});
  result.iterations_ = found.iterations;
  result.converged_ = found.converged;
  return result;
}

Matrix<double> Logistic::predict_proba(MatrixView<const float> x) const {
  return predict(x, true);
}

Matrix<double> Logistic::scores(MatrixView<const float> x) const {
  return predict(x, false);
}

Matrix<double> Logistic::predict(MatrixView<const float> x, bool probabilities) const {
  BAUTA_ASSERT(x.cols == features_);
  Matrix<double> result(x.rows, classes_, 0.0);
  const std::size_t functions = weights_.rows();
  parallel_for((x.rows + rows_per_block - 1) / rows_per_block, [&](std::size_t task, int) {
    const std::size_t begin = task * rows_per_block;
    const std::size_t end = std::min(begin + rows_per_block, x.rows);
    if (functions == 0) {
      for (std::size_t i = begin; i < end; ++i) result(i, occurring_[0]) = 1;
      return;
    }
    std::vector<double> block(rows_per_block * (features_ + 1)), scores(rows_per_block * functions);
    widen_with_ones(x, begin, end, block.data());
    score(block.data(), end - begin, features_ + 1, weights_.data(), functions, scores.data());
    for (std::size_t i = begin; i < end; ++i) {
      const std::span row(scores.data() + (i - begin) * functions, functions);
      if (probabilities) to_probabilities(row);
      if (functions == 1) {
        result(i, occurring_[0]) = probabilities ? 1 - row[0] : -row[0];
        result(i, occurring_[1]) = row[0];
      } else {
        for (std::size_t k = 0; k < functions; ++k) result(i, occurring_[k]) = row[k];
      }
    }
  });
  return result;
}

namespace {

class LogisticEstimator : public Estimator {
 public:
  explicit LogisticEstimator(const Parameters& parameters)
      : parameters_(parameters),
        options_{.c = parameters.real("c"),
                 .tolerance = parameters.real("tolerance"),
                 .iterations = static_cast<std::size_t>(parameters.integer("iterations"))} {}

  void fit(MatrixView<const float> x, std::span<const std::int32_t> codes, std::size_t classes,
           const FitOptions& options) override {
    LogisticOptions own = options_;
    own.where = options.where;
    own.class_weights = class_weights(parameters_, OccurringClasses(codes, classes));
    model_ = Logistic::fit(x, codes, classes, own);
  }

  [[nodiscard]] Matrix<double> predict_proba(MatrixView<const float> x) const override {
    return model_.predict_proba(x);
  }
  [[nodiscard]] Likelihoods likelihoods(MatrixView<const float> x) const override {
    Matrix<double> logs = model_.scores(x);
    if (model_.weights().rows() == 1) {
      for (double& value : std::span(logs.data(), logs.size())) value /= 2;  // their difference is the decision value
    }
    return {model_.predict_proba(x), std::move(logs)};
  }
  [[nodiscard]] Matrix<double> scores(MatrixView<const float> x) const override { return model_.scores(x); }

 private:
  Parameters parameters_;
  LogisticOptions options_;
  Logistic model_;
};

}  // namespace

Entry<Estimator> logistic_estimator() {
  return {{.name = "logistic",
           .paper = "",
           .doc = "logistic regression, multinomial for three and more classes, with an L2 penalty",
           .medium = "template",
           .learns = true,
           .parameters = {{"c",
                           ParameterType::real,
                           "1",
                           "weight of the losses against the penalty",
                           1e-12,
                           1e12,
                           {},
                           {"0.01", "0.1", "1", "10", "100"}},
                          {"tolerance", ParameterType::real, "1e-4", "largest element of the gradient at the end", 0},
                          {"iterations", ParameterType::integer, "100", "most iterations of L-BFGS", 1},
                          weight_parameter()}},
          [](const Parameters& parameters) { return std::make_unique<LogisticEstimator>(parameters); }};
}

}  // namespace bauta
