// Exact linear assignment of n rows to n columns at minimum total cost: a double solver for everything, and fast float
// solvers for small n that also tell how far the next best assignment is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "bauta/core/matrix.hpp"

namespace bauta {

/// Writes the column of each row and returns the total cost. `costs` is square and finite, `columns` has its size.
/// Among several optima the choice is fixed by the costs alone.
double solve_assignment(MatrixView<const double> costs, std::span<std::int32_t> columns);

inline constexpr std::size_t assignment_lanes = 16;
/// Largest n of the float solver; one machine word per row keeps its certificate cheap.
inline constexpr std::size_t float_assignment_limit = 64;
/// Largest n of the batch solver, which visits all 2^n column subsets.
inline constexpr std::size_t batch_assignment_limit = 8;

/// Elements in a row of float costs: n rounded up to whole vectors.
inline std::size_t padded_columns(std::size_t n) {
  return (n + assignment_lanes - 1) / assignment_lanes * assignment_lanes;
}

/// The first n elements are valid. Reduced costs costs(i, j) - row_duals[i] - column_duals[j] are not negative, and
/// zero on the assignment, up to rounding.
struct FloatAssignment {
  std::array<std::int32_t, float_assignment_limit> columns;
  alignas(64) std::array<float, float_assignment_limit> row_duals;
  alignas(64) std::array<float, float_assignment_limit> column_duals;
  float total;
};

/// `costs`: n rows, n columns, a stride of padded_columns(n), and +infinity from column n to the stride.
void solve_assignment(MatrixView<const float> costs, FloatAssignment& result);

/// Whether every other assignment costs at least `margin` more than this one, in exact arithmetic on `costs`. `false`
/// may be over-cautious; the caller then solves in double.
bool is_unique_optimum(MatrixView<const float> costs, const FloatAssignment& assignment, float margin);

/// Sixteen problems of one size.
struct BatchAssignment {
  std::array<std::array<std::int32_t, batch_assignment_limit>, assignment_lanes> columns;  ///< [lane][row]
  std::array<float, assignment_lanes> totals;
  std::array<float, assignment_lanes> gaps;  ///< total cost of the second best assignment less that of the best
};

/// `costs[(i * n + j) * 16 + lane]`, finite, n <= batch_assignment_limit.
void solve_assignment_batch(const float* costs, std::size_t n, BatchAssignment& result);

}  // namespace bauta
