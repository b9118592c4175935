// Compiled without contraction, as in core/random_batch.cpp.
#include "noise.hpp"

#include <cstddef>

#include "bauta/core/simd.hpp"

namespace bauta {
namespace {

// Sums run in so many lanes whatever the width of a register, and the lanes are added up in one order.
constexpr std::size_t lanes = 16;

BAUTA_MULTIVERSION double dot(const double* a, const double* b, std::size_t n) {
  double sums[lanes] = {};
  std::size_t j = 0;
  for (; j + lanes <= n; j += lanes) {
    for (std::size_t l = 0; l < lanes; ++l) sums[l] += a[j + l] * b[j + l];
  }
  for (std::size_t l = 0; j + l < n; ++l) sums[l] += a[j + l] * b[j + l];
  double total = 0;
  for (const double sum : sums) total += sum;
  return total;
}

BAUTA_MULTIVERSION void combine(double a, const double* x, double b, const double* y, std::size_t n, double* to) {
  for (std::size_t j = 0; j < n; ++j) to[j] = a * x[j] + b * y[j];
}

BAUTA_MULTIVERSION void combine(double a, const double* x, double b, const double* y, std::size_t n, float* to) {
  for (std::size_t j = 0; j < n; ++j) to[j] = static_cast<float>(a * x[j] + b * y[j]);
}

}  // namespace

double dot(std::span<const double> a, std::span<const double> b) {
  return dot(a.data(), b.data(), a.size());
}

void combine(double a, std::span<const double> x, double b, std::span<const double> y, std::span<double> to) {
  combine(a, x.data(), b, y.data(), to.size(), to.data());
}

void combine(double a, std::span<const double> x, double b, std::span<const double> y, std::span<float> to) {
  combine(a, x.data(), b, y.data(), to.size(), to.data());
}

}  // namespace bauta
