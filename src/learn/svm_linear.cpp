// The dual of a linear machine,  min a^T Q a / 2 + p^T a,  0 <= a <= c,  y^T a = 0,  Q = Z Z^T with rows z_i = y_i x_i,
// where y_i is the sign that variable i may have, by Mehrotra's predictor-corrector method. Q has the rank of the
// features, so systems in Q + D are solved in their dimension (Fine and Scheinberg 2001).
#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <cblas.h>

#include "bauta/core/parallel.hpp"
#include "dense.hpp"
#include "svm_solver.hpp"

namespace bauta {

namespace {

constexpr std::size_t rows_per_part = 512;
constexpr std::size_t most_iterations = 100;
constexpr double gap_tolerance = 1e-6;
constexpr double step_share = 0.995;  // of the way to the boundary

using Vector = Eigen::VectorXd;

class InteriorPoint {
 public:
  InteriorPoint(MatrixView<const float> x, const SvmProblem& problem)
      : x_(x), n_(static_cast<Eigen::Index>(problem.targets.size())), c_(n_), y_(n_), p_(n_) {
    for (Eigen::Index i = 0; i < n_; ++i) {
      const auto at = static_cast<std::size_t>(i);
      y_[i] = problem.least[at] == 0 ? 1 : -1;
      c_[i] = problem.most[at] - problem.least[at];
      p_[i] = -y_[i] * problem.targets[at];
    }
  }

  LinearMachine solve() {
    // Within the box, with multipliers of the size of the gradient there.
    alpha_ = c_ / 2;
    b_ = 0;
    product_ = times_q(alpha_);
    const double unit = p_.cwiseAbs().maxCoeff();
    const double size = std::max(unit, (product_ + p_).cwiseAbs().mean());
    low_ = high_ = Vector::Constant(n_, size);
    LinearMachine result;
    for (; result.iterations < most_iterations; ++result.iterations) {
      const Vector room = c_ - alpha_;
      const double gap = alpha_.dot(low_) + room.dot(high_);
      const Vector dual = product_ + b_ * y_ - low_ + high_ + p_;
      const double primal = y_.dot(alpha_);
      const double objective = alpha_.dot(product_) / 2 + alpha_.dot(p_);
      const double scale = 1 + std::abs(objective);
      if (gap <= gap_tolerance * scale && dual.lpNorm<Eigen::Infinity>() <= 1e-6 * unit &&
          std::abs(primal) <= 1e-6 * scale) {
        break;
      }
      const double mean = gap / static_cast<double>(2 * n_);
      diagonal_ = low_.cwiseQuotient(alpha_) + high_.cwiseQuotient(room);
      factorise();
      // Predictor: straight at the solution.
      Vector low_rest = -alpha_.cwiseProduct(low_);
      Vector high_rest = -room.cwiseProduct(high_);
      find_step(room, dual, primal, low_rest, high_rest);
      const double reach = longest_step(room);
      const double after = (alpha_ + reach * d_alpha_).dot(low_ + reach * d_low_) +
                           (room - reach * d_alpha_).dot(high_ + reach * d_high_);
      const double centring = std::pow(after / gap, 3);
      // Corrector: towards the centre, less what the predictor left out.
      low_rest.array() += centring * mean - d_alpha_.array() * d_low_.array();
      high_rest.array() += centring * mean + d_alpha_.array() * d_high_.array();
      find_step(room, dual, primal, low_rest, high_rest);
      const double step = std::min(1.0, step_share * longest_step(room));
      if (!(step > 1e-10)) break;  // rounding allows no further progress
      alpha_ += step * d_alpha_;
      low_ += step * d_low_;
      high_ += step * d_high_;
      b_ += step * d_b_;
      product_ = times_q(alpha_);
    }
    const Vector weights = transposed_times(by_row(alpha_.cwiseProduct(y_)));
    result.weights.assign(weights.data(), weights.data() + weights.size());
    result.intercept = b_;
    return result;
  }

 private:
  /// Variables of one row added up, and a value of each row given to all its variables.
  [[nodiscard]] Vector by_row(const Vector& v) const {
    const auto rows = static_cast<Eigen::Index>(x_.rows);
    Vector result = v.head(rows);
    for (Eigen::Index first = rows; first < n_; first += rows) result += v.segment(first, rows);
    return result;
  }
  [[nodiscard]] Vector by_variable(const Vector& v) const {
    Vector result(n_);
    for (Eigen::Index first = 0; first < n_; first += v.size()) result.segment(first, v.size()) = v;
    return result;
  }

  /// x v
  [[nodiscard]] Vector times(const Vector& v) const {
    Vector result(static_cast<Eigen::Index>(x_.rows));
    parallel_for((x_.rows + rows_per_part - 1) / rows_per_part, [&](std::size_t part, int) {
      for (std::size_t i = part * rows_per_part; i < std::min((part + 1) * rows_per_part, x_.rows); ++i) {
        result[static_cast<Eigen::Index>(i)] = v.dot(
            Eigen::Map<const Eigen::VectorXf>(x_.row(i).data(), static_cast<Eigen::Index>(x_.cols)).cast<double>());
      }
    });
    return result;
  }

  /// x^T v, summed in parts that do not depend on threads.
  [[nodiscard]] Vector transposed_times(const Vector& v) const {
    const std::size_t count = (x_.rows + rows_per_part - 1) / rows_per_part;
    std::vector<Vector> sums(count);
    parallel_for(count, [&](std::size_t part, int) {
      sums[part].setZero(static_cast<Eigen::Index>(x_.cols));
      for (std::size_t i = part * rows_per_part; i < std::min((part + 1) * rows_per_part, x_.rows); ++i) {
        sums[part] +=
            v[static_cast<Eigen::Index>(i)] *
            Eigen::Map<const Eigen::VectorXf>(x_.row(i).data(), static_cast<Eigen::Index>(x_.cols)).cast<double>();
      }
    });
    for (std::size_t part = 1; part < count; ++part) sums[0] += sums[part];
    return sums[0];
  }

  [[nodiscard]] Vector times_q(const Vector& v) const {
    return y_.cwiseProduct(by_variable(times(transposed_times(by_row(y_.cwiseProduct(v))))));
  }

  void factorise() {
    const Vector inverse = by_row(diagonal_.cwiseInverse());
    const std::vector<double> weights(inverse.data(), inverse.data() + inverse.size());
    Dense square = weighted_square(x_, weights, false);
    square.diagonal().array() += 1;
    factor_.compute(square);
    solved_y_ = solve_system(y_);
  }

  /// (Q + D)^-1 v
  [[nodiscard]] Vector solve_system(const Vector& v) const {
    const Vector scaled = v.cwiseQuotient(diagonal_);
    const Vector inner = factor_.solve(transposed_times(by_row(y_.cwiseProduct(scaled))));
    return scaled - y_.cwiseProduct(by_variable(times(inner))).cwiseQuotient(diagonal_);
  }

  void find_step(const Vector& room, const Vector& dual, double primal, const Vector& low_rest,
                 const Vector& high_rest) {
    const Vector right = low_rest.cwiseQuotient(alpha_) - high_rest.cwiseQuotient(room) - dual;
    const Vector solved = solve_system(right);
    d_b_ = (y_.dot(solved) + primal) / y_.dot(solved_y_);
    d_alpha_ = solved - d_b_ * solved_y_;
    d_low_ = (low_rest - low_.cwiseProduct(d_alpha_)).cwiseQuotient(alpha_);
    d_high_ = (high_rest + high_.cwiseProduct(d_alpha_)).cwiseQuotient(room);
  }

  /// To the nearest boundary, at most 1 / step_share.
  [[nodiscard]] double longest_step(const Vector& room) const {
    double step = 1 / step_share;
    for (Eigen::Index i = 0; i < n_; ++i) {
      if (d_alpha_[i] < 0) step = std::min(step, -alpha_[i] / d_alpha_[i]);
      if (d_alpha_[i] > 0) step = std::min(step, room[i] / d_alpha_[i]);
      if (d_low_[i] < 0) step = std::min(step, -low_[i] / d_low_[i]);
      if (d_high_[i] < 0) step = std::min(step, -high_[i] / d_high_[i]);
    }
    return step;
  }

  MatrixView<const float> x_;
  Eigen::Index n_;
  Vector c_, y_, p_;
  Vector alpha_, low_, high_;  // with the multipliers of 0 <= alpha and alpha <= c
  double b_ = 0;
  Vector product_;  // Q alpha
  Vector diagonal_, solved_y_;
  Eigen::LLT<Dense, Eigen::Lower> factor_;
  Vector d_alpha_, d_low_, d_high_;
  double d_b_ = 0;
};

}  // namespace

LinearMachine solve_linear_svm(MatrixView<const float> x, const SvmProblem& problem) {
  return InteriorPoint(x, problem).solve();
}

}  // namespace bauta
