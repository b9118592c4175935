#include "svm_functions.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <cblas.h>
#include <fmt/format.h>

#include "bauta/core/parallel.hpp"
#include "widen.hpp"

namespace bauta {
namespace {

constexpr std::size_t rows_per_task = 64;
constexpr std::size_t most_features_of_interior_point = 2048;
constexpr std::size_t steps_per_feature = 10;
constexpr std::size_t cache_of_one_of_many = std::size_t{256} << 20;

Matrix<float> select_rows(MatrixView<const float> x, const std::vector<std::size_t>& rows) {
  Matrix<float> result(rows.size(), x.cols);
  for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(x.row(rows[i]), result.row(i).begin());
  return result;
}

/// Functions of several tasks are found at the same time; the parts of a single one are.
void for_tasks(std::size_t count, const std::function<void(std::size_t)>& body) {
  if (count == 1) return body(0);
  parallel_for(count, [&](std::size_t p, int) { body(p); });
}

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

}  // namespace

void SvmFunctions::fit(MatrixView<const float> x, const Kernel& kernel, const SvmOptions& options, std::size_t count,
                       const std::function<SvmTask(std::size_t)>& task) {
  kernel_ = kernel;
  features_ = x.cols;
  intercepts_.assign(count, 0);
  SvmOptions own = options;
  if (count > 1) own.cache_bytes = cache_of_one_of_many;
  kernel_.kind == KernelKind::linear ? fit_linear(x, own, task) : fit_kernel(x, own, task);
}

void SvmFunctions::fit_linear(MatrixView<const float> x, const SvmOptions& options,
                              const std::function<SvmTask(std::size_t)>& task) {
  functions_ = Matrix<double>(count(), x.cols, 0.0);
  for_tasks(count(), [&](std::size_t p) {
    const SvmTask own = task(p);
    const Matrix<float> rows = select_rows(x, own.rows);
    // Where classes are told apart easily, pairs of samples lead to the solution soon. Where not, they would take
    // millions of steps, and as soon as they have cost as much as the other method it takes over.
    const bool other = rows.rows() > x.cols && x.cols <= most_features_of_interior_point;
    SvmOptions bounded = options;
    if (other) bounded.most_iterations = steps_per_feature * x.cols;
    const KernelMachine machine = solve_kernel_svm(rows.view(), own.problem, kernel_, bounded);
    if (other && !machine.converged) {
      const LinearMachine linear = solve_linear_svm(rows.view(), own.problem);
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

void SvmFunctions::fit_kernel(MatrixView<const float> x, const SvmOptions& options,
                              const std::function<SvmTask(std::size_t)>& task) {
  struct Term {
    std::size_t row;
    double coefficient;
  };
  std::vector<std::vector<Term>> terms(count());
  for_tasks(count(), [&](std::size_t p) {
    const SvmTask own = task(p);
    const Matrix<float> rows = select_rows(x, own.rows);
    const KernelMachine machine = solve_kernel_svm(rows.view(), own.problem, kernel_, options);
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      if (machine.coefficients[i] != 0) terms[p].push_back({own.rows[i], machine.coefficients[i]});
    }
    intercepts_[p] = machine.intercept;
  });
  // A sample that supports several functions is kept once.
  constexpr std::size_t none = ~std::size_t{0};
  std::vector<std::size_t> place(x.rows, none);
  std::vector<std::size_t> support;
  for (const auto& own : terms) {
    for (const Term& term : own) {
      if (place[term.row] != none) continue;
      place[term.row] = support.size();
      support.push_back(term.row);
    }
  }
  support_ = select_rows(x, support);
  support_squares_ = squared_lengths(support_.view());
  functions_ = Matrix<double>(count(), support.size(), 0.0);
  for (std::size_t p = 0; p < count(); ++p) {
    for (const Term& term : terms[p]) functions_(p, place[term.row]) = term.coefficient;
  }
}

Matrix<double> SvmFunctions::values(MatrixView<const float> x) const {
  BAUTA_ASSERT(x.cols == features_);
  Matrix<double> result(x.rows, count());
  parallel_for((x.rows + rows_per_task - 1) / rows_per_task, [&](std::size_t task, int) {
    const std::size_t begin = task * rows_per_task;
    const std::size_t rows = std::min(rows_per_task, x.rows - begin);
    evaluate(x.slice(begin, rows), result.view().slice(begin, rows));
  });
  return result;
}

void SvmFunctions::evaluate(MatrixView<const float> x, MatrixView<double> result) const {
  if (count() == 0) return;
  const std::size_t terms = functions_.cols();
  for (std::size_t i = 0; i < x.rows; ++i) std::ranges::copy(intercepts_, result.row(i).begin());
  if (terms == 0) return;
  std::vector<double> wide(x.rows * terms);
  if (kernel_.kind == KernelKind::linear) {
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
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, as_int(x.rows), as_int(count()), as_int(terms), 1, wide.data(),
              as_int(terms), functions_.data(), as_int(terms), 1, result.data, as_int(result.stride));
}

std::string svm_name(KernelKind kind) {
  switch (kind) {
    case KernelKind::linear:
      return "svm-linear";
    case KernelKind::poly:
      return "svm-poly";
    case KernelKind::rbf:
      return "svm-rbf";
    case KernelKind::sigmoid:
      return "svm-sigmoid";
  }
  return {};
}

std::string kernel_formula(KernelKind kind) {
  switch (kind) {
    case KernelKind::linear:
      return "a . b";
    case KernelKind::poly:
      return "(gamma a . b + coef0)^degree";
    case KernelKind::rbf:
      return "exp(-gamma distance^2)";
    case KernelKind::sigmoid:
      return "tanh(gamma a . b + coef0)";
  }
  return {};
}

std::vector<Parameter> svm_parameters(KernelKind kind) {
  std::vector<Parameter> parameters = {{"c",
                                        ParameterType::real,
                                        "1",
                                        "weight of the losses against the margin",
                                        1e-12,
                                        1e12,
                                        {},
                                        {"0.01", "0.1", "1", "10", "100"}}};
  if (kind != KernelKind::linear) {
    parameters.push_back(
        {.name = "gamma",
         .type = ParameterType::text,
         .default_value = "scale",
         .doc =
             "factor of the kernel; 'scale': 1 / (features * variance of all elements), 'scale*0.1': a tenth of that",
         .grid = {"scale*0.03", "scale*0.1", "scale*0.3", "scale", "scale*3"}});
  }
  if (kind == KernelKind::poly) {
    parameters.push_back({"degree", ParameterType::integer, "3", "degree of the polynomial", 1, 20});
  }
  if (kind == KernelKind::poly || kind == KernelKind::sigmoid) {
    parameters.push_back({"coef0", ParameterType::real, "0", "constant of the kernel"});
  }
  parameters.push_back(
      {"tolerance", ParameterType::real, "1e-3", "largest violation of the optimality conditions at the end", 1e-9, 1});
  return parameters;
}

KernelChoice::KernelChoice(KernelKind kind, const Parameters& parameters) {
  kernel_.kind = kind;
  options_.tolerance = parameters.real("tolerance");
  if (kind == KernelKind::poly) kernel_.degree = static_cast<int>(parameters.integer("degree"));
  if (kind == KernelKind::poly || kind == KernelKind::sigmoid) {
    kernel_.coef0 = static_cast<float>(parameters.real("coef0"));
  }
  if (kind == KernelKind::linear) return;
  const std::string& text = parameters.text("gamma");
  scaled_ = text.starts_with("scale");
  if (text == "scale") return;
  const std::string number = !scaled_ ? text : text.starts_with("scale*") ? text.substr(6) : "";
  const auto [stop, status] = std::from_chars(number.data(), number.data() + number.size(), gamma_);
  if (status != std::errc() || stop != number.data() + number.size() || !std::isfinite(gamma_) || gamma_ <= 0) {
    throw_usage("gamma", fmt::format("'{}' is neither 'scale', nor a multiple of it, nor a positive number", text),
                "e.g. gamma=scale*0.1 or gamma=0.01");
  }
}

Kernel KernelChoice::kernel(MatrixView<const float> x) const {
  Kernel result = kernel_;
  result.gamma = static_cast<float>(scaled_ ? gamma_ * scaled_gamma(x) : gamma_);
  return result;
}

}  // namespace bauta
