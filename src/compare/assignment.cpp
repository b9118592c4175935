// The double assignment solver, and the choice of the float solvers' instruction set when the program starts.
#include "bauta/compare/assignment.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace bauta {

namespace {

struct FloatSolvers {
  void (*solve)(MatrixView<const float> costs, FloatAssignment& result);
  bool (*certify)(MatrixView<const float> costs, const FloatAssignment& assignment, float margin);
  void (*solve_batch)(const float* costs, std::size_t n, BatchAssignment& result);
};

/// The subsets of n columns by size; those of one size begin at first[size].
template <unsigned n>
struct SubsetOrder {
  static constexpr auto sets = [] {
    std::array<std::uint16_t, 1U << n> order{};
    std::iota(order.begin(), order.end(), std::uint16_t{0});
    std::sort(order.begin(), order.end(),
              [](unsigned a, unsigned b) { return std::pair(std::popcount(a), a) < std::pair(std::popcount(b), b); });
    return order;
  }();
  static constexpr auto first = [] {
    std::array<unsigned, n + 2> begin{};
    for (const unsigned set : sets) ++begin[static_cast<unsigned>(std::popcount(set)) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    return begin;
  }();
  static constexpr unsigned count(unsigned size) { return first[size + 1] - first[size]; }
};

namespace portable {
#define LANES 4
#include "assignment_lanes.inc"
#undef LANES
}  // namespace portable

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC target("avx2,fma,bmi,bmi2,popcnt")
namespace haswell {
#define LANES 8
#include "assignment_lanes.inc"
#undef LANES
}  // namespace haswell
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512vl,fma,bmi,bmi2,popcnt")
namespace avx512 {
#define LANES 16
#include "assignment_lanes.inc"
#undef LANES
}  // namespace avx512
#pragma GCC pop_options
#endif

const FloatSolvers& float_solvers() {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
  static const FloatSolvers& chosen =
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") ? avx512::solvers
      : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")        ? haswell::solvers
                                                                               : portable::solvers;
  return chosen;
#else
  return portable::solvers;
#endif
}

void check_float_costs(MatrixView<const float> costs) {
  BAUTA_ASSERT(costs.rows == costs.cols && costs.rows >= 1 && costs.rows <= float_assignment_limit);
  BAUTA_ASSERT(costs.stride == padded_columns(costs.cols));
}

}  // namespace

double solve_assignment(MatrixView<const double> costs, std::span<std::int32_t> columns) {
  const std::size_t n = costs.rows;
  BAUTA_ASSERT(costs.cols == n && columns.size() == n);
  constexpr std::int32_t none = -1;
  std::vector<double> row_dual(n), column_dual(n), distance(n);
  std::vector<std::int32_t> row_of(n, none), previous(n), open(n);
  std::fill(columns.begin(), columns.end(), none);

  // One shortest augmenting path per row; columns still open stand at the front of `open`.
  for (std::size_t start = 0; start < n; ++start) {
    std::iota(open.begin(), open.end(), 0);
    std::fill(distance.begin(), distance.end(), std::numeric_limits<double>::infinity());
    std::size_t open_count = n;
    std::size_t i = start;
    double reached = 0;
    std::int32_t sink = none;
    while (sink == none) {
      std::size_t best = 0;
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t k = 0; k < open_count; ++k) {
        const auto j = static_cast<std::size_t>(open[k]);
        const double through = reached + costs(i, j) - row_dual[i] - column_dual[j];
        if (through < distance[j]) {
          distance[j] = through;
          previous[j] = static_cast<std::int32_t>(i);
        }
        // A free column ends the search, so it wins among equals.
        if (distance[j] < least || (distance[j] == least && row_of[j] == none)) {
          least = distance[j];
          best = k;
        }
      }
      BAUTA_ASSERT(std::isfinite(least));
      reached = least;
      const std::int32_t j = open[best];
      std::swap(open[best], open[--open_count]);
      if (row_of[static_cast<std::size_t>(j)] == none) {
        sink = j;
      } else {
        i = static_cast<std::size_t>(row_of[static_cast<std::size_t>(j)]);
      }
    }
    row_dual[start] += reached;
    for (std::size_t k = open_count; k < n; ++k) {
      const auto j = static_cast<std::size_t>(open[k]);
      if (row_of[j] == none) continue;
      row_dual[static_cast<std::size_t>(row_of[j])] += reached - distance[j];
      column_dual[j] -= reached - distance[j];
    }
    for (std::int32_t j = sink; j != none;) {
      const std::int32_t row = previous[static_cast<std::size_t>(j)];
      row_of[static_cast<std::size_t>(j)] = row;
      std::swap(j, columns[static_cast<std::size_t>(row)]);
      if (static_cast<std::size_t>(row) == start) break;
    }
  }

  double total = 0;
  for (std::size_t i = 0; i < n; ++i) total += costs(i, static_cast<std::size_t>(columns[i]));
  return total;
}

void solve_assignment(MatrixView<const float> costs, FloatAssignment& result) {
  check_float_costs(costs);
  float_solvers().solve(costs, result);
}

bool is_unique_optimum(MatrixView<const float> costs, const FloatAssignment& assignment, float margin) {
  check_float_costs(costs);
  return float_solvers().certify(costs, assignment, margin);
}

void solve_assignment_batch(const float* costs, std::size_t n, BatchAssignment& result) {
  BAUTA_ASSERT(n >= 1 && n <= batch_assignment_limit);
  float_solvers().solve_batch(costs, n, result);
}

}  // namespace bauta
