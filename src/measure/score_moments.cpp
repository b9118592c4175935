// Vector kernels for sums over scores. Written on eight lanes that the compiler maps to what the machine has.
#include "score_moments.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>

#include "bauta/core/simd.hpp"

namespace bauta {

namespace {

constexpr std::size_t lanes = 8;
/// Each factor 1 + u is at most 2, so a product of this many stays below the largest double.
constexpr std::size_t factors = 1000;

// GCC and Clang vectors: unlike loops over eight doubles they stay in registers whatever the compiler's mood.
using Lanes = double __attribute__((vector_size(8 * lanes)));
using LaneBits = std::uint64_t __attribute__((vector_size(8 * lanes)));

/// Per lane: linear += max(sign x, 0); grown becomes (1 + grown) * prod(1 + e^-|x|) - 1. `n` is a multiple of `lanes`.
/// A product needs one logarithm in the end instead of one per value; held as product - 1 it is exact for tiny terms
/// too. e^-|x| is 2^n e^r with |r| <= ln(2)/2 and a Taylor polynomial, below 2 ulp; 0 where it would be denormal.
BAUTA_MULTIVERSION void grow(const double* values, std::size_t n, double sign, double* grown_out, double* linear_out) {
  constexpr double round_to_integer = 0x1.8p52;
  constexpr double cut = 708.0;
  Lanes grown, linear;
  std::memcpy(&grown, grown_out, sizeof grown);
  std::memcpy(&linear, linear_out, sizeof linear);
  for (std::size_t i = 0; i < n; i += lanes) {
    Lanes value;
    std::memcpy(&value, values + i, sizeof value);
    value *= sign;
    const Lanes size = value > 0 ? value : -value;
    const Lanes x = size < cut ? -size : Lanes{} - cut;
    const Lanes shifted = x * std::numbers::log2e + round_to_integer;
    const Lanes whole = shifted - round_to_integer;
    const Lanes r = (x - whole * 0x1.62e42fefap-1) - whole * 0x1.cf79abc9e3b39p-40;  // ln 2 in two parts
    Lanes p = r * (1.0 / 479001600) + 1.0 / 39916800;
    p = p * r + 1.0 / 3628800;
    p = p * r + 1.0 / 362880;
    p = p * r + 1.0 / 40320;
    p = p * r + 1.0 / 5040;
    p = p * r + 1.0 / 720;
    p = p * r + 1.0 / 120;
    p = p * r + 1.0 / 24;
    p = p * r + 1.0 / 6;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    // The low bits of `shifted` hold the integer; moved to the exponent's place they scale p by 2^integer.
    const LaneBits scaled = (LaneBits)p + ((LaneBits)shifted << 52);
    const Lanes power = size < cut ? (Lanes)scaled : Lanes{};
    grown = grown + (power + grown * power);
    linear += value > 0 ? value : Lanes{};
  }
  std::memcpy(grown_out, &grown, sizeof grown);
  std::memcpy(linear_out, &linear, sizeof linear);
}

BAUTA_MULTIVERSION void add_up(const double* values, std::size_t n, double* sum_out) {
  Lanes sum{};
  for (std::size_t i = 0; i < n; i += lanes) {
    Lanes value;
    std::memcpy(&value, values + i, sizeof value);
    sum += value;
  }
  std::memcpy(sum_out, &sum, sizeof sum);
}

BAUTA_MULTIVERSION void add_squares(const double* values, std::size_t n, double mean, double* sum_out, double* out) {
  Lanes sum{}, squares{};
  for (std::size_t i = 0; i < n; i += lanes) {
    Lanes value;
    std::memcpy(&value, values + i, sizeof value);
    value -= mean;
    sum += value;
    squares += value * value;
  }
  std::memcpy(sum_out, &sum, sizeof sum);
  std::memcpy(out, &squares, sizeof squares);
}

double total(const std::array<double, lanes>& values) {
  double sum = 0;
  for (double v : values) sum += v;
  return sum;
}

double logistic_cost(std::span<const double> values, double sign) {
  double cost = 0;
  std::array<double, lanes> linear{};
  const std::size_t step = factors * lanes;
  const std::size_t whole = values.size() / lanes * lanes;
  for (std::size_t i = 0; i < whole; i += step) {
    std::array<double, lanes> grown{};
    grow(values.data() + i, std::min(step, whole - i), sign, grown.data(), linear.data());
    for (double g : grown) cost += std::log1p(g);
  }
  for (double v : values.subspan(whole)) {
    const double x = sign * v;
    cost += std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x)));
  }
  return cost + total(linear);
}

}  // namespace

void Moments::merge(const Moments& other) {
  if (other.count == 0) return;
  const double all = count + other.count;
  const double delta = other.mean - mean;
  mean += delta * (other.count / all);
  squares += other.squares + delta * delta * (count * other.count / all);
  count = all;
  cost += other.cost;
}

Moments moments_of(std::span<const double> values, double sign) {
  Moments m;
  if (values.empty()) return m;
  m.count = static_cast<double>(values.size());
  const std::size_t whole = values.size() / lanes * lanes;
  std::array<double, lanes> sum{};
  add_up(values.data(), whole, sum.data());
  double plain = total(sum);
  for (double v : values.subspan(whole)) plain += v;
  const double guess = plain / m.count;
  // A second pass about the first mean removes what rounding left in it.
  std::array<double, lanes> rest{}, squares{};
  add_squares(values.data(), whole, guess, rest.data(), squares.data());
  double left = total(rest);
  double square = total(squares);
  for (double v : values.subspan(whole)) {
    left += v - guess;
    square += (v - guess) * (v - guess);
  }
  m.mean = guess + left / m.count;
  m.squares = std::max(0.0, square - left * left / m.count);
  m.cost = logistic_cost(values, sign);
  return m;
}

}  // namespace bauta
