#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <numeric>

#include "bauta/core/parallel.hpp"
#include "bauta/core/simd.hpp"
#include "svm_solver.hpp"

namespace bauta {

namespace {

// Inner products of so many rows with so many columns stay in registers.
constexpr std::size_t rows_per_group = 8;
constexpr std::size_t columns_per_panel = 16;
constexpr std::size_t panels_per_task = 16;
// Rows of the kernel matrix are made many at a time, so that columns are read and threads meet less often: a share of
// those made so far, because the more were needed the more will be.
constexpr std::size_t least_batch = rows_per_group;
constexpr std::size_t most_batch = 8 * rows_per_group;
constexpr std::size_t share_of_batch = 8;
constexpr double least_curvature = 1e-12;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// e^x to a few units of the last place, without branches, so that loops around it become vector code. Below e^-87 it
/// stays there, above e^88 likewise.
[[gnu::always_inline]] inline float fast_exp(float x) {
  float power = x * 1.44269504F;
  power = power > -126 ? power : -126;
  power = power < 127 ? power : 127;
  // 2^power = 2^whole 2^rest with rest in [-1/2, 1/2]. Added to 1.5 * 2^23, the whole part stands in the lowest bits.
  constexpr float round = 12582912;
  const float shifted = power + round;
  const float rest = (power - (shifted - round)) * 0.693147181F;
  const float series =
      1 + rest * (1 + rest * (0.5F + rest * (1.0F / 6 + rest * (1.0F / 24 + rest * (1.0F / 120 + rest / 720)))));
  return series * std::bit_cast<float>((std::bit_cast<std::uint32_t>(shifted) << 23) + (127U << 23));
}

BAUTA_MULTIVERSION void to_rbf(float* __restrict products, std::size_t count, float gamma, float square,
                               const float* __restrict squares) {
#pragma omp simd
  for (std::size_t j = 0; j < count; ++j) {
    const float distance = square + squares[j] - 2 * products[j];
    products[j] = fast_exp(-gamma * (distance > 0 ? distance : 0));
  }
}

BAUTA_MULTIVERSION void to_sigmoid(float* products, std::size_t count, float gamma, float coef0) {
#pragma omp simd
  for (std::size_t j = 0; j < count; ++j) products[j] = 1 - 2 / (1 + fast_exp(2 * (gamma * products[j] + coef0)));
}

BAUTA_MULTIVERSION void to_poly(float* products, std::size_t count, float gamma, float coef0, int degree) {
  for (std::size_t j = 0; j < count; ++j) {
    const float base = gamma * products[j] + coef0;
    float power = 1;
    for (int k = 0; k < degree; ++k) power *= base;
    products[j] = power;
  }
}

/// The sample whose coefficient rises, and its kernel with every other.
struct Rising {
  double error;
  double own;  ///< kernel with itself
  const float* row;
};

/// What every candidate j would gain together with the rising one: written to `gains`; returns the most.
BAUTA_MULTIVERSION double pair_gains(const Rising& rising, const double* errors, const double* low_bar,
                                     const float* diagonal, std::size_t count, double* gains) {
  const double error = rising.error;
  const double own = rising.own;
  const float* const row = rising.row;
  double most = 0;
#pragma omp simd reduction(max : most)
  for (std::size_t t = 0; t < count; ++t) {
    const double violation = error - (errors[t] + low_bar[t]);
    const double curvature = own + diagonal[t] - 2 * static_cast<double>(row[t]);
    const double gain = violation * violation / (curvature > least_curvature ? curvature : least_curvature);
    gains[t] = violation > 0 ? gain : 0;
    most = gains[t] > most ? gains[t] : most;
  }
  return most;
}

/// 0 for who may rise (or fall), else infinitely far from being chosen.
struct Bars {
  const double* up;
  const double* low;
};
/// The highest error of those that may rise and the lowest of those that may fall.
struct Extremes {
  double highest = -infinity;
  double lowest = infinity;
};

/// errors -= step (a - b)
BAUTA_MULTIVERSION Extremes update_errors(double* errors, const float* a, const float* b, double step, Bars bars,
                                          std::size_t count) {
  const double* const up_bar = bars.up;
  const double* const low_bar = bars.low;
  double high = -infinity;
  double low = infinity;
#pragma omp simd reduction(max : high) reduction(min : low)
  for (std::size_t t = 0; t < count; ++t) {
    const double error = errors[t] - step * (static_cast<double>(a[t]) - b[t]);
    errors[t] = error;
    const double up = error + up_bar[t];
    const double down = error + low_bar[t];
    high = up > high ? up : high;
    low = down < low ? down : low;
  }
  return {high, low};
}

/// Inner products of a group of rows with a panel of columns, both interleaved by feature: products[r][c] at
/// r * columns_per_panel + c. BLAS would copy all columns into such panels for every batch.
BAUTA_MULTIVERSION void panel_products(const float* rows, const float* panel, std::size_t features, float* products) {
  typedef float Lane __attribute__((vector_size(columns_per_panel * sizeof(float)), aligned(4)));
  Lane sums[rows_per_group] = {};
  for (std::size_t k = 0; k < features; ++k) {
    const Lane columns = *reinterpret_cast<const Lane*>(panel + k * columns_per_panel);
    for (std::size_t r = 0; r < rows_per_group; ++r) sums[r] += rows[k * rows_per_group + r] * columns;
  }
  for (std::size_t r = 0; r < rows_per_group; ++r) {
    *reinterpret_cast<Lane*>(products + r * columns_per_panel) = sums[r];
  }
}

/// Rows of the kernel matrix, made in batches; the oldest leave when the room is used up.
class KernelRows {
 public:
  KernelRows(MatrixView<const float> x, const Kernel& kernel, std::size_t cache_bytes)
      : x_(x),
        kernel_(kernel),
        squares_(squared_lengths(x)),
        panels_((x.rows + columns_per_panel - 1) / columns_per_panel),
        packed_(panels_ * columns_per_panel * x.cols, 0.0F),
        rows_(x.rows),
        capacity_(std::max(4 * most_batch, cache_bytes / (x.rows * sizeof(float)))) {
    for (std::size_t i = 0; i < x.rows; ++i) {
      float* const panel = packed_.data() + i / columns_per_panel * columns_per_panel * x.cols;
      for (std::size_t k = 0; k < x.cols; ++k) panel[k * columns_per_panel + i % columns_per_panel] = x(i, k);
    }
  }

  [[nodiscard]] bool has(std::size_t i) const { return rows_[i] != nullptr; }
  [[nodiscard]] const float* row(std::size_t i) const { return rows_[i].get(); }

  /// How many rows to make next.
  [[nodiscard]] std::size_t batch() const {
    return std::clamp(made_ / share_of_batch / rows_per_group * rows_per_group, least_batch, most_batch);
  }

  /// Makes all of `wanted`, at most a batch, none of which is there; `pinned` stays.
  void make(const std::vector<std::size_t>& wanted, std::size_t pinned) {
    while (!order_.empty() && order_.size() + wanted.size() > capacity_) {
      const std::size_t oldest = order_.front();
      order_.pop_front();
      if (oldest == pinned) {
        order_.push_back(oldest);
      } else {
        spare_.push_back(std::move(rows_[oldest]));
      }
    }
    made_ += wanted.size();
    const std::size_t groups = (wanted.size() + rows_per_group - 1) / rows_per_group;
    const std::size_t group_size = rows_per_group * x_.cols;
    std::vector<float> left(groups * group_size, 0.0F);
    for (std::size_t r = 0; r < wanted.size(); ++r) {
      const auto source = x_.row(wanted[r]);
      float* const group = left.data() + r / rows_per_group * group_size;
      for (std::size_t k = 0; k < x_.cols; ++k) group[k * rows_per_group + r % rows_per_group] = source[k];
      if (spare_.empty()) spare_.push_back(std::make_unique_for_overwrite<float[]>(panels_ * columns_per_panel));
      rows_[wanted[r]] = std::move(spare_.back());
      spare_.pop_back();
      order_.push_back(wanted[r]);
    }
    parallel_for((panels_ + panels_per_task - 1) / panels_per_task, [&](std::size_t task, int) {
      alignas(64) std::array<float, rows_per_group * columns_per_panel> products;
      const std::size_t last = std::min((task + 1) * panels_per_task, panels_);
      for (std::size_t p = task * panels_per_task; p < last; ++p) {
        for (std::size_t g = 0; g < groups; ++g) {
          panel_products(left.data() + g * group_size, packed_.data() + p * columns_per_panel * x_.cols, x_.cols,
                         products.data());
          const std::size_t first = g * rows_per_group;
          for (std::size_t r = first; r < std::min(first + rows_per_group, wanted.size()); ++r) {
            std::copy_n(products.data() + (r - first) * columns_per_panel, columns_per_panel,
                        rows_[wanted[r]].get() + p * columns_per_panel);
          }
        }
      }
      const std::size_t begin = task * panels_per_task * columns_per_panel;
      const std::size_t count = std::min(last * columns_per_panel, x_.rows) - begin;
      for (const std::size_t i : wanted)
        kernel_.apply(rows_[i].get() + begin, count, squares_[i], squares_.data() + begin);
    });
  }

  /// k(x_i, x_i)
  [[nodiscard]] std::vector<float> diagonal() const {
    std::vector<float> result(x_.rows);
    for (std::size_t i = 0; i < x_.rows; ++i) {
      float product = squares_[i];
      kernel_.apply(&product, 1, squares_[i], &squares_[i]);
      result[i] = product;
    }
    return result;
  }

 private:
  MatrixView<const float> x_;
  const Kernel& kernel_;
  std::vector<float> squares_;
  std::size_t panels_;
  std::vector<float> packed_;  // x, panel by panel
  std::vector<std::unique_ptr<float[]>> rows_;
  std::vector<std::unique_ptr<float[]>> spare_;
  std::deque<std::size_t> order_;
  std::size_t capacity_;
  std::size_t made_ = 0;
};

/// Variables b and errors e_i = t_i - sum_j b_j k_ij. A pair moves by +step and -step.
class Smo {
 public:
  Smo(MatrixView<const float> x, const SvmProblem& problem, const Kernel& kernel, const SvmOptions& options)
      : rows_count_(x.rows),
        n_(problem.targets.size()),
        options_(options),
        rows_(x, kernel, options.cache_bytes),
        diagonal_(rows_.diagonal()),
        coefficients_(n_, 0),
        least_(problem.least),
        most_(problem.most),
        errors_(problem.targets),
        up_bar_(n_, 0),
        low_bar_(n_, 0),
        gains_(n_) {
    for (std::size_t i = 0; i < n_; ++i) set_bars(i);
  }

  KernelMachine solve() {
    KernelMachine result;
    double highest = -infinity;
    double lowest = infinity;
    for (std::size_t i = 0; i < n_; ++i) {
      highest = std::max(highest, errors_[i] + up_bar_[i]);
      lowest = std::min(lowest, errors_[i] + low_bar_[i]);
    }
    for (; highest - lowest > options_.tolerance && result.iterations < options_.most_iterations; ++result.iterations) {
      const std::size_t i = find(errors_, up_bar_, highest);
      need(i, i);
      const double own = diagonal_[row_of(i)];
      const float* const row = rows_.row(row_of(i));
      double best = 0;
      for (std::size_t first = 0; first < n_; first += rows_count_) {
        best = std::max(best, pair_gains({highest, own, row}, errors_.data() + first, low_bar_.data() + first,
                                         diagonal_.data(), rows_count_, gains_.data() + first));
      }
      const auto j = static_cast<std::size_t>(std::find(gains_.begin(), gains_.end(), best) - gains_.begin());
      need(j, i);
      const double curvature =
          std::max(own + diagonal_[row_of(j)] - 2 * static_cast<double>(row[row_of(j)]), least_curvature);
      const double step =
          std::min({(errors_[i] - errors_[j]) / curvature, most_[i] - coefficients_[i], coefficients_[j] - least_[j]});
      move(i, coefficients_[i] + step, step == most_[i] - coefficients_[i] ? most_[i] : infinity);
      move(j, coefficients_[j] - step, step == coefficients_[j] - least_[j] ? least_[j] : infinity);
      highest = -infinity;
      lowest = infinity;
      for (std::size_t first = 0; first < n_; first += rows_count_) {
        const Bars bars{up_bar_.data() + first, low_bar_.data() + first};
        const Extremes found =
            update_errors(errors_.data() + first, row, rows_.row(row_of(j)), step, bars, rows_count_);
        highest = std::max(highest, found.highest);
        lowest = std::min(lowest, found.lowest);
      }
    }
    result.converged = highest - lowest <= options_.tolerance;
    result.intercept = intercept(highest, lowest);
    for (std::size_t i = rows_count_; i < n_; ++i) coefficients_[row_of(i)] += coefficients_[i];
    coefficients_.resize(rows_count_);
    result.coefficients = std::move(coefficients_);
    return result;
  }

 private:
  [[nodiscard]] std::size_t row_of(std::size_t variable) const {
    return variable < rows_count_ ? variable : variable - rows_count_;
  }

  /// `bound`: the limit that was reached, so that it is met exactly; infinity if none was.
  void move(std::size_t i, double value, double bound) {
    coefficients_[i] = bound == infinity ? value : bound;
    set_bars(i);
  }

  void set_bars(std::size_t i) {
    up_bar_[i] = coefficients_[i] < most_[i] ? 0 : -infinity;
    low_bar_[i] = coefficients_[i] > least_[i] ? 0 : infinity;
  }

  static std::size_t find(const std::vector<double>& errors, const std::vector<double>& bars, double value) {
    std::size_t i = 0;
    while (errors[i] + bars[i] != value) ++i;
    return i;
  }

  /// Makes the row of variable i, with those that will probably be needed next: the worst violators that are not there.
  void need(std::size_t i, std::size_t pinned) {
    if (rows_.has(row_of(i))) return;
    std::vector<std::size_t> wanted = {row_of(i)};
    const auto add = [&](std::size_t room, auto&& key) {
      std::vector<std::pair<double, std::size_t>> candidates;
      for (std::size_t t = 0; t < n_; ++t) {
        const double value = key(t);
        if (t != i && value < infinity && !rows_.has(row_of(t))) candidates.emplace_back(value, t);
      }
      const std::size_t count = std::min(room, candidates.size());
      std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(count), candidates.end());
      for (std::size_t k = 0; k < count; ++k) wanted.push_back(row_of(candidates[k].second));
    };
    const std::size_t batch = rows_.batch();
    add(batch / 2, [&](std::size_t t) { return -(errors_[t] + up_bar_[t]); });
    add(batch / 2 - 1, [&](std::size_t t) { return errors_[t] + low_bar_[t]; });
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    rows_.make(wanted, row_of(pinned));
  }

  /// Where the coefficient is free the error is the intercept; without a free one, the middle of what is possible.
  [[nodiscard]] double intercept(double highest, double lowest) const {
    double sum = 0;
    std::size_t free = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      if (coefficients_[i] > least_[i] && coefficients_[i] < most_[i]) {
        sum += errors_[i];
        ++free;
      }
    }
    return free > 0 ? sum / static_cast<double>(free) : (highest + lowest) / 2;
  }

  std::size_t rows_count_;
  std::size_t n_;  // variables
  SvmOptions options_;
  KernelRows rows_;
  std::vector<float> diagonal_;
  std::vector<double> coefficients_, least_, most_;
  std::vector<double> errors_;
  std::vector<double> up_bar_, low_bar_;  // 0, or the infinity that keeps a sample from being chosen
  std::vector<double> gains_;
};

}  // namespace

void Kernel::apply(float* products, std::size_t count, float square, const float* squares) const {
  switch (kind) {
    case KernelKind::linear:
      return;
    case KernelKind::poly:
      return to_poly(products, count, gamma, coef0, degree);
    case KernelKind::rbf:
      return to_rbf(products, count, gamma, square, squares);
    case KernelKind::sigmoid:
      return to_sigmoid(products, count, gamma, coef0);
  }
}

std::vector<float> squared_lengths(MatrixView<const float> x) {
  std::vector<float> result(x.rows);
  for (std::size_t i = 0; i < x.rows; ++i) {
    double sum = 0;
    for (const float value : x.row(i)) sum += static_cast<double>(value) * value;
    result[i] = static_cast<float>(sum);
  }
  return result;
}

SvmProblem class_problem(const std::vector<bool>& positive, double positive_c, double negative_c) {
  SvmProblem problem;
  for (const bool first : positive) {
    problem.targets.push_back(first ? 1 : -1);
    problem.least.push_back(first ? 0 : -negative_c);
    problem.most.push_back(first ? positive_c : 0);
  }
  return problem;
}

SvmProblem number_problem(std::span<const double> values, double c, double epsilon) {
  SvmProblem problem;
  for (const double value : values) problem.targets.push_back(value - epsilon);
  for (const double value : values) problem.targets.push_back(value + epsilon);
  problem.least.assign(values.size(), 0);
  problem.least.resize(2 * values.size(), -c);
  problem.most.assign(values.size(), c);
  problem.most.resize(2 * values.size(), 0);
  return problem;
}

KernelMachine solve_kernel_svm(MatrixView<const float> x, const SvmProblem& problem, const Kernel& kernel,
                               const SvmOptions& options) {
  return Smo(x, problem, kernel, options).solve();
}

}  // namespace bauta
