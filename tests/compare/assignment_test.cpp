// Assignment solvers against enumeration, against planted optima and against each other.
#include "bauta/compare/assignment.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "bauta/core/random.hpp"

namespace bauta {
namespace {

enum class Kind { real, small_integer, equal };

Matrix<double> random_costs(std::size_t n, Kind kind, std::uint64_t seed) {
  Stream stream(seed, "assignment costs", n);
  Matrix<double> costs(n, n, 3.0);
  for (std::size_t k = 0; k < costs.size(); ++k) {
    if (kind == Kind::real) costs.data()[k] = static_cast<float>(stream.uniform());
    if (kind == Kind::small_integer) costs.data()[k] = static_cast<double>(stream.below(4));
  }
  return costs;
}

double total_of(const Matrix<double>& costs, std::span<const std::int32_t> columns) {
  double total = 0;
  for (std::size_t i = 0; i < costs.rows(); ++i) total += costs(i, static_cast<std::size_t>(columns[i]));
  return total;
}

/// Totals of the best and the second best permutation, by enumeration.
std::pair<double, double> enumerate(const Matrix<double>& costs) {
  std::vector<std::int32_t> columns(costs.rows());
  std::iota(columns.begin(), columns.end(), 0);
  double first = std::numeric_limits<double>::infinity();
  double second = first;
  do {
    const double total = total_of(costs, columns);
    second = std::min(second, std::max(first, total));
    first = std::min(first, total);
  } while (std::next_permutation(columns.begin(), columns.end()));
  return {first, second};
}

bool is_permutation_of_columns(std::span<const std::int32_t> columns) {
  std::vector<std::int32_t> sorted(columns.begin(), columns.end());
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != static_cast<std::int32_t>(i)) return false;
  }
  return true;
}

/// Costs in the float solver's layout.
struct PaddedCosts {
  explicit PaddedCosts(const Matrix<double>& costs)
      : storage(costs.rows() * padded_columns(costs.cols()), std::numeric_limits<float>::infinity()),
        view(storage.data(), costs.rows(), costs.cols(), padded_columns(costs.cols())) {
    for (std::size_t i = 0; i < costs.rows(); ++i) {
      for (std::size_t j = 0; j < costs.cols(); ++j) storage[i * view.stride + j] = static_cast<float>(costs(i, j));
    }
  }
  std::vector<float> storage;
  MatrixView<const float> view;
};

std::span<const std::int32_t> columns_of(const FloatAssignment& assignment, std::size_t n) {
  return std::span(assignment.columns).first(n);
}

TEST(Assignment, DoubleSolverFindsTheEnumeratedOptimum) {
  for (const Kind kind : {Kind::real, Kind::small_integer, Kind::equal}) {
    for (std::size_t n = 1; n <= 7; ++n) {
      for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Matrix<double> costs = random_costs(n, kind, seed);
        std::vector<std::int32_t> columns(n);
        const double total = solve_assignment(costs.view(), columns);
        ASSERT_TRUE(is_permutation_of_columns(columns));
        ASSERT_NEAR(total, enumerate(costs).first, 1e-12);
        ASSERT_NEAR(total, total_of(costs, columns), 1e-12);
      }
    }
  }
}

TEST(Assignment, FloatSolverFindsTheEnumeratedOptimum) {
  for (const Kind kind : {Kind::real, Kind::small_integer, Kind::equal}) {
    for (std::size_t n = 1; n <= 7; ++n) {
      for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Matrix<double> costs = random_costs(n, kind, seed);
        FloatAssignment result;
        solve_assignment(PaddedCosts(costs).view, result);
        ASSERT_TRUE(is_permutation_of_columns(columns_of(result, n)));
        ASSERT_NEAR(total_of(costs, columns_of(result, n)), enumerate(costs).first, 1e-6);
      }
    }
  }
}

TEST(Assignment, BatchSolverFindsOptimumAndGapInEveryLane) {
  for (const Kind kind : {Kind::real, Kind::small_integer, Kind::equal}) {
    for (std::size_t n = 1; n <= batch_assignment_limit; ++n) {
      std::vector<Matrix<double>> problems;
      std::vector<float> costs(n * n * assignment_lanes);
      for (std::size_t lane = 0; lane < assignment_lanes; ++lane) {
        problems.push_back(random_costs(n, kind, 100 + lane));
        for (std::size_t k = 0; k < n * n; ++k) {
          costs[k * assignment_lanes + lane] = static_cast<float>(problems.back().data()[k]);
        }
      }
      BatchAssignment result;
      solve_assignment_batch(costs.data(), n, result);
      for (std::size_t lane = 0; lane < assignment_lanes; ++lane) {
        const auto columns = std::span(result.columns[lane]).first(n);
        const auto [first, second] = enumerate(problems[lane]);
        ASSERT_TRUE(is_permutation_of_columns(columns));
        ASSERT_NEAR(total_of(problems[lane], columns), first, 1e-6);
        ASSERT_NEAR(result.totals[lane], first, 2e-6);
        if (n == 1) {
          ASSERT_EQ(result.gaps[lane], std::numeric_limits<float>::infinity());
        } else {
          ASSERT_NEAR(result.gaps[lane], second - first, 2e-6);
        }
      }
    }
  }
}

// Closed form: with costs u_i + v_j on a hidden permutation and more elsewhere, that permutation is the only optimum.
TEST(Assignment, DoubleSolverFindsPlantedOptimum) {
  for (std::size_t n = 1; n <= 70; ++n) {
    Stream stream(7, "planted", n);
    const auto hidden = stream.permutation(n);
    std::vector<double> u(n), v(n);
    for (double& value : u) value = stream.normal();
    for (double& value : v) value = stream.normal();
    Matrix<double> costs(n, n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) costs(i, j) = u[i] + v[j] + (hidden[i] == j ? 0 : 0.01 + stream.uniform());
    }
    std::vector<std::int32_t> columns(n);
    solve_assignment(costs.view(), columns);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(static_cast<std::size_t>(columns[i]), hidden[i]) << n;
  }
}

TEST(Assignment, FloatAndDoubleSolversAgreeForEverySize) {
  std::size_t certified = 0;
  std::size_t tried = 0;
  for (std::size_t n = 1; n <= float_assignment_limit; ++n) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Matrix<double> costs = random_costs(n, seed % 4 == 3 ? Kind::small_integer : Kind::real, 1000 + seed);
      const PaddedCosts padded(costs);
      FloatAssignment result;
      solve_assignment(padded.view, result);
      std::vector<std::int32_t> columns(n);
      const double total = solve_assignment(costs.view(), columns);
      const auto found = columns_of(result, n);
      ASSERT_TRUE(is_permutation_of_columns(found));
      ASSERT_NEAR(total_of(costs, found), total, 1e-5) << n << " " << seed;
      ASSERT_NEAR(result.total, total, 1e-4) << n << " " << seed;
      const bool unique = is_unique_optimum(padded.view, result, 1e-6F);
      if (unique) {
        ASSERT_TRUE(std::equal(found.begin(), found.end(), columns.begin())) << n << " " << seed;
      }
      if (seed % 4 != 3) ++tried, certified += unique;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          const float reduced = padded.view(i, j) - result.row_duals[i] - result.column_duals[j];
          ASSERT_GE(reduced, -1e-5F);
          if (static_cast<std::int32_t>(j) == found[i]) {
            ASSERT_LE(reduced, 1e-5F);
          }
        }
      }
    }
  }
  EXPECT_GT(certified, tried * 9 / 10) << "the certificate is of no use when it seldom holds";
}

// Hand calculation: exchanging the two rows costs 2.
TEST(Assignment, CertificateKnowsTheMargin) {
  Matrix<double> costs(2, 2, 0.0);
  costs(0, 1) = costs(1, 0) = 1;
  const PaddedCosts padded(costs);
  FloatAssignment result;
  solve_assignment(padded.view, result);
  EXPECT_EQ(result.total, 0);
  EXPECT_TRUE(is_unique_optimum(padded.view, result, 0.5F));
  EXPECT_FALSE(is_unique_optimum(padded.view, result, 2.01F));
}

TEST(Assignment, CertificateRefusesTies) {
  for (const std::size_t n : {2U, 9U, 16U, 33U, 64U}) {
    const PaddedCosts padded(random_costs(n, Kind::equal, 0));
    FloatAssignment result;
    solve_assignment(padded.view, result);
    EXPECT_FALSE(is_unique_optimum(padded.view, result, 0)) << n;
  }
}

TEST(Assignment, CertificateRefusesAWrongAssignment) {
  const Matrix<double> costs = random_costs(20, Kind::real, 3);
  const PaddedCosts padded(costs);
  FloatAssignment result;
  solve_assignment(padded.view, result);
  ASSERT_TRUE(is_unique_optimum(padded.view, result, 1e-7F));
  std::swap(result.columns[4], result.columns[11]);
  for (const std::size_t i : {4U, 11U}) {
    const auto j = static_cast<std::size_t>(result.columns[i]);
    result.row_duals[i] = padded.view(i, j) - result.column_duals[j];
  }
  EXPECT_FALSE(is_unique_optimum(padded.view, result, 1e-7F));
}

TEST(Assignment, CertifiedOptimumSurvivesEveryErrorWithinTheMargin) {
  constexpr float error = 1e-4F;
  std::size_t certified = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::size_t n = 9 + seed % 24;
    Matrix<double> costs = random_costs(n, Kind::real, 2000 + seed);
    const PaddedCosts padded(costs);
    FloatAssignment result;
    solve_assignment(padded.view, result);
    if (!is_unique_optimum(padded.view, result, 2 * static_cast<float>(n) * error)) continue;
    ++certified;
    // The worst case for this assignment: its elements dearer, all others cheaper.
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        costs(i, j) += static_cast<std::int32_t>(j) == result.columns[i] ? error : -error;
      }
    }
    std::vector<std::int32_t> columns(n);
    solve_assignment(costs.view(), columns);
    ASSERT_TRUE(std::equal(columns.begin(), columns.end(), result.columns.begin()));
  }
  EXPECT_GT(certified, 50U);
  EXPECT_LT(certified, 200U) << "the error should be large enough to matter in some cases";
}

}  // namespace
}  // namespace bauta
