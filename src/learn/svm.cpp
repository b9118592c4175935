// Support vector machines: one for every pair of classes, which vote.
#include <algorithm>
#include <charconv>
#include <cmath>

#include <cblas.h>
#include <fmt/format.h>

#include "bauta/core/parallel.hpp"
#include "bauta/learn/estimator.hpp"
#include "svm_solver.hpp"
#include "training_data.hpp"
#include "widen.hpp"

namespace bauta {
namespace {

constexpr std::size_t rows_per_task = 64;
constexpr std::size_t most_features_of_interior_point = 2048;
constexpr std::size_t steps_per_feature = 10;
constexpr std::size_t cache_of_one_of_many = std::size_t{256} << 20;

/// One divided by features times the variance of all elements.
double scaled_gamma(MatrixView<const float> x) {
  double sum = 0, square = 0;
  for (std::size_t i = 0; i < x.rows; ++i) {
    for (const float value : x.row(i)) sum += value;
  }
  const auto count = static_cast<double>(x.rows * x.cols);
  for (std::size_t i = 0; i < x.rows; ++i) {
    for (const float value : x.row(i)) square += (value - sum / count) * (value - sum / count);
  }
  return square > 0 ? static_cast<double>(x.rows) / square : 1;
}

class Svm : public Estimator {
 public:
  Svm(KernelKind kind, const Parameters& parameters) : options_{.c = parameters.real("c")} {
    kernel_.kind = kind;
    if (kind != KernelKind::linear) gamma_ = parse_gamma(parameters.text("gamma"));
    if (kind == KernelKind::poly) kernel_.degree = static_cast<int>(parameters.integer("degree"));
    if (kind == KernelKind::poly || kind == KernelKind::sigmoid) {
      kernel_.coef0 = static_cast<float>(parameters.real("coef0"));
    }
    options_.tolerance = parameters.real("tolerance");
  }

  void fit(MatrixView<const float> x, std::span<const std::int32_t> codes, std::size_t classes,
           const FitOptions& options) override {
    BAUTA_ASSERT(codes.size() == x.rows);
    require_training_data(x, options.where);
    classes_ = classes;
    features_ = x.cols;
    kernel_.gamma = static_cast<float>(gamma_ > 0 ? gamma_ : scaled_gamma(x));
    std::vector<std::vector<std::size_t>> members(classes);
    for (std::size_t i = 0; i < x.rows; ++i) members[static_cast<std::size_t>(codes[i])].push_back(i);
    occurring_.clear();
    pairs_.clear();
    for (std::size_t c = 0; c < classes; ++c) {
      if (!members[c].empty()) occurring_.push_back(c);
    }
    for (std::size_t a = 0; a < occurring_.size(); ++a) {
      for (std::size_t b = a + 1; b < occurring_.size(); ++b) pairs_.emplace_back(occurring_[a], occurring_[b]);
    }
    linear_ = kernel_.kind == KernelKind::linear;
    intercepts_.assign(pairs_.size(), 0);
    linear_ ? fit_linear(x, members) : fit_kernel(x, members);
  }

  /// Ordered by votes and then by the summed strength of the votes; they are not calibrated.
  [[nodiscard]] Matrix<double> predict_proba(MatrixView<const float> x) const override {
    BAUTA_ASSERT(x.cols == features_);
    Matrix<double> result(x.rows, classes_, 0.0);
    parallel_for((x.rows + rows_per_task - 1) / rows_per_task, [&](std::size_t task, int) {
      const std::size_t begin = task * rows_per_task;
      const std::size_t end = std::min(begin + rows_per_task, x.rows);
      const std::vector<double> decisions = decide(x.slice(begin, end - begin));
      for (std::size_t i = begin; i < end; ++i) {
        to_probabilities({decisions.data() + (i - begin) * pairs_.size(), pairs_.size()}, result.row(i));
      }
    });
    return result;
  }

 private:
  using Members = std::vector<std::vector<std::size_t>>;

  /// 0 stands for `scale`.
  static double parse_gamma(const std::string& text) {
    if (text == "scale") return 0;
    double value = 0;
    const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc() || stop != text.data() + text.size() || !std::isfinite(value) || value <= 0) {
      throw_usage("gamma", fmt::format("'{}' is neither 'scale' nor a positive number", text));
    }
    return value;
  }

  /// Rows of a pair of classes, the first class positive.
  static Matrix<float> rows_of(MatrixView<const float> x, const Members& members,
                               std::pair<std::size_t, std::size_t> pair, std::vector<bool>& positive) {
    const auto& first = members[pair.first];
    const auto& second = members[pair.second];
    Matrix<float> rows(first.size() + second.size(), x.cols);
    positive.assign(rows.rows(), false);
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      positive[i] = i < first.size();
      std::ranges::copy(x.row(positive[i] ? first[i] : second[i - first.size()]), rows.row(i).begin());
    }
    return rows;
  }

  /// Machines of several pairs are found at the same time; the parts of a single one are.
  void for_pairs(const std::function<void(std::size_t)>& body) const {
    if (pairs_.size() == 1) return body(0);
    parallel_for(pairs_.size(), [&](std::size_t p, int) { body(p); });
  }

  void fit_linear(MatrixView<const float> x, const Members& members) {
    functions_ = Matrix<double>(pairs_.size(), x.cols, 0.0);
    for_pairs([&](std::size_t p) {
      std::vector<bool> positive;
      const Matrix<float> rows = rows_of(x, members, pairs_[p], positive);
      // Where classes are told apart easily, pairs of samples lead to the solution soon. Where not, they would take
      // millions of steps, and as soon as they have cost as much as the other method it takes over.
      const bool other = rows.rows() > x.cols && x.cols <= most_features_of_interior_point;
      SvmOptions options = own_options();
      if (other) options.most_iterations = steps_per_feature * x.cols;
      const KernelMachine machine = solve_kernel_svm(rows.view(), positive, kernel_, options);
      if (other && !machine.converged) {
        const LinearMachine linear = solve_linear_svm(rows.view(), positive, options_.c);
        std::ranges::copy(linear.weights, functions_.row(p).begin());
        intercepts_[p] = linear.intercept;
        return;
      }
      for (std::size_t i = 0; i < rows.rows(); ++i) {
        if (machine.coefficients[i] == 0) continue;
        for (std::size_t j = 0; j < x.cols; ++j) functions_(p, j) += machine.coefficients[i] * rows(i, j);
      }
      intercepts_[p] = machine.intercept;
    });
  }

  [[nodiscard]] SvmOptions own_options() const {
    SvmOptions options = options_;
    if (pairs_.size() > 1) options.cache_bytes = cache_of_one_of_many;
    return options;
  }

  void fit_kernel(MatrixView<const float> x, const Members& members) {
    std::vector<KernelMachine> machines(pairs_.size());
    for_pairs([&](std::size_t p) {
      std::vector<bool> positive;
      const Matrix<float> rows = rows_of(x, members, pairs_[p], positive);
      machines[p] = solve_kernel_svm(rows.view(), positive, kernel_, own_options());
      intercepts_[p] = machines[p].intercept;
    });
    // A sample that supports several machines is kept once.
    const auto sample_of = [&](std::size_t p, std::size_t i) {
      const auto& first = members[pairs_[p].first];
      return i < first.size() ? first[i] : members[pairs_[p].second][i - first.size()];
    };
    constexpr std::size_t none = ~std::size_t{0};
    std::vector<std::size_t> place(x.rows, none);
    std::vector<std::size_t> support;
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      for (std::size_t i = 0; i < machines[p].coefficients.size(); ++i) {
        const std::size_t sample = sample_of(p, i);
        if (machines[p].coefficients[i] == 0 || place[sample] != none) continue;
        place[sample] = support.size();
        support.push_back(sample);
      }
    }
    support_ = Matrix<float>(support.size(), x.cols);
    for (std::size_t k = 0; k < support.size(); ++k) std::ranges::copy(x.row(support[k]), support_.row(k).begin());
    support_squares_ = squared_lengths(support_.view());
    functions_ = Matrix<double>(pairs_.size(), support.size(), 0.0);
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      for (std::size_t i = 0; i < machines[p].coefficients.size(); ++i) {
        if (machines[p].coefficients[i] != 0) functions_(p, place[sample_of(p, i)]) = machines[p].coefficients[i];
      }
    }
  }

  /// Decision values: rows x pairs.
  [[nodiscard]] std::vector<double> decide(MatrixView<const float> x) const {
    const std::size_t terms = functions_.cols();
    std::vector<double> decisions(x.rows * pairs_.size());
    if (decisions.empty()) return decisions;
    std::vector<double> wide(x.rows * terms);
    if (linear_) {
      widen(x, 0, x.rows, wide.data(), terms);
    } else {
      Matrix<float> tile(x.rows, terms);
      const std::vector<float> squares = squared_lengths(x);
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, as_int(x.rows), as_int(terms), as_int(x.cols), 1.0F, x.data,
                  as_int(x.stride), support_.data(), as_int(x.cols), 0.0F, tile.data(), as_int(terms));
      for (std::size_t i = 0; i < x.rows; ++i) {
        kernel_.apply(tile.row(i).data(), terms, squares[i], support_squares_.data());
      }
      widen(tile.view(), 0, x.rows, wide.data(), terms);
    }
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, as_int(x.rows), as_int(pairs_.size()), as_int(terms), 1,
                wide.data(), as_int(terms), functions_.data(), as_int(terms), 0, decisions.data(),
                as_int(pairs_.size()));
    for (std::size_t k = 0; k < decisions.size(); ++k) decisions[k] += intercepts_[k % pairs_.size()];
    return decisions;
  }

  void to_probabilities(std::span<const double> decisions, std::span<double> probabilities) const {
    if (pairs_.empty()) {
      probabilities[occurring_[0]] = 1;
      return;
    }
    if (pairs_.size() == 1) {
      const double small = std::exp(-std::abs(decisions[0]));
      probabilities[pairs_[0].first] = decisions[0] > 0 ? 1 / (1 + small) : small / (1 + small);
      probabilities[pairs_[0].second] = 1 - probabilities[pairs_[0].first];
      return;
    }
    std::vector<double> votes(classes_, 0), strength(classes_, 0);
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      ++votes[decisions[p] > 0 ? pairs_[p].first : pairs_[p].second];
      strength[pairs_[p].first] += decisions[p];
      strength[pairs_[p].second] -= decisions[p];
    }
    double sum = 0;
    for (const std::size_t c : occurring_) {
      // The strength stays within a third, so that it never outweighs a vote.
      probabilities[c] =
          std::exp(votes[c] + strength[c] / (3 * (std::abs(strength[c]) + 1)) - static_cast<double>(occurring_.size()));
      sum += probabilities[c];
    }
    for (const std::size_t c : occurring_) probabilities[c] /= sum;
  }

  SvmOptions options_;
  Kernel kernel_;
  double gamma_ = 0;
  bool linear_ = false;
  std::size_t classes_ = 0;
  std::size_t features_ = 0;
  std::vector<std::size_t> occurring_;
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;  // positive and negative class
  Matrix<double> functions_;                                // per pair: weights of features, or of support vectors
  std::vector<double> intercepts_;
  Matrix<float> support_;
  std::vector<float> support_squares_;
};

Entry<Estimator> entry(KernelKind kind, std::string name, std::string kernel, std::vector<Parameter> own) {
  std::vector<Parameter> parameters = {
      {"c", ParameterType::real, "1", "weight of the hinge losses against the margin", 1e-12, 1e12}};
  if (kind != KernelKind::linear) {
    parameters.push_back({"gamma", ParameterType::text, "scale",
                          "factor of the kernel; 'scale': 1 / (features * variance of all elements)"});
  }
  parameters.insert(parameters.end(), own.begin(), own.end());
  parameters.push_back(
      {"tolerance", ParameterType::real, "1e-3", "largest violation of the optimality conditions at the end", 1e-9, 1});
  return {{.name = std::move(name),
           .paper = "Cortes and Vapnik 1995, Support-Vector Networks",
           .doc = "support vector machines for every pair of classes, kernel " + kernel,
           .medium = "template",
           .learns = true,
           .parameters = std::move(parameters)},
          [kind](const Parameters& values) { return std::make_unique<Svm>(kind, values); }};
}

}  // namespace

Entry<Estimator> svm_linear_estimator() {
  return entry(KernelKind::linear, "svm-linear", "a . b", {});
}

Entry<Estimator> svm_poly_estimator() {
  return entry(KernelKind::poly, "svm-poly", "(gamma a . b + coef0)^degree",
               {{"degree", ParameterType::integer, "3", "degree of the polynomial", 1, 20},
                {"coef0", ParameterType::real, "0", "constant of the kernel"}});
}

Entry<Estimator> svm_rbf_estimator() {
  return entry(KernelKind::rbf, "svm-rbf", "exp(-gamma distance^2)", {});
}

Entry<Estimator> svm_sigmoid_estimator() {
  return entry(KernelKind::sigmoid, "svm-sigmoid", "tanh(gamma a . b + coef0)",
               {{"coef0", ParameterType::real, "0", "constant of the kernel"}});
}

}  // namespace bauta
