// Compiled without contraction: a fused multiply-add rounds once where two operations round twice, and the bits would
// depend on whether the machine has it.
#include "random_batch.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>

#include <Random123/philox.h>

#include "bauta/core/simd.hpp"

namespace bauta {

BAUTA_MULTIVERSION void philox_words(std::array<std::uint32_t, 2> key, std::uint64_t block, std::uint64_t item,
                                     std::size_t counters, std::uint32_t* words) {
  const r123::Philox4x32::key_type k = {{key[0], key[1]}};
  for (std::size_t i = 0; i < counters; ++i) {
    const std::uint64_t n = block + i;
    const r123::Philox4x32::ctr_type counter = {{static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(n >> 32),
                                                 static_cast<std::uint32_t>(item),
                                                 static_cast<std::uint32_t>(item >> 32)}};
    const auto values = r123::Philox4x32()(counter, k);
    for (std::size_t j = 0; j < 4; ++j) words[4 * i + j] = values[j];
  }
}

namespace {

constexpr std::uint64_t one_bits = std::bit_cast<std::uint64_t>(1.0);
constexpr std::uint64_t root_half_bits = std::bit_cast<std::uint64_t>(std::numbers::sqrt2 / 2);

inline std::uint64_t word_at(const std::uint32_t* words, std::size_t i) {
  std::uint64_t word = 0;
  std::memcpy(&word, words + 2 * i, sizeof word);
  return word;
}

/// 52 of the word's bits as a number in [1, 2).
inline double one_to_two(std::uint64_t word) {
  return std::bit_cast<double>((word >> 12) | one_bits);
}

/// log(x) for 2^-52 <= x <= 1: x = 2^e m with m in [sqrt(1/2), sqrt(2)), and log(m) = 2 artanh(s) as a series in
/// s = (m - 1) / (m + 1), |s| < 0.172, whose first term left out is below 1e-17 of the sum.
inline double log_of(double x) {
  const std::uint64_t shifted = std::bit_cast<std::uint64_t>(x) + (one_bits - root_half_bits);
  // The biased exponent as the low bits of 2^52 + exponent: no conversion of integers, which not every machine has.
  constexpr double two_52 = 0x1p52;
  const double e = std::bit_cast<double>((shifted >> 52) | std::bit_cast<std::uint64_t>(two_52)) - (two_52 + 1023.0);
  const double m = std::bit_cast<double>((shifted & 0x000fffffffffffffULL) + root_half_bits);
  const double s = (m - 1) / (m + 1);
  const double z = s * s;
  double sum = 1.0 / 21;
  sum = sum * z + 1.0 / 19;
  sum = sum * z + 1.0 / 17;
  sum = sum * z + 1.0 / 15;
  sum = sum * z + 1.0 / 13;
  sum = sum * z + 1.0 / 11;
  sum = sum * z + 1.0 / 9;
  sum = sum * z + 1.0 / 7;
  sum = sum * z + 1.0 / 5;
  sum = sum * z + 1.0 / 3;
  return e * std::numbers::ln2 + 2 * (s + s * (z * sum));
}

// Taylor series on [-pi/4, pi/4], where the first terms left out are below 1e-16.

inline double sine(double x) {
  const double z = x * x;
  double sum = -1.0 / 1307674368000;
  sum = sum * z + 1.0 / 6227020800;
  sum = sum * z - 1.0 / 39916800;
  sum = sum * z + 1.0 / 362880;
  sum = sum * z - 1.0 / 5040;
  sum = sum * z + 1.0 / 120;
  sum = sum * z - 1.0 / 6;
  return x + x * (z * sum);
}

inline double cosine(double x) {
  const double z = x * x;
  double sum = 1.0 / 20922789888000;
  sum = sum * z - 1.0 / 87178291200;
  sum = sum * z + 1.0 / 479001600;
  sum = sum * z - 1.0 / 3628800;
  sum = sum * z + 1.0 / 40320;
  sum = sum * z - 1.0 / 720;
  sum = sum * z + 1.0 / 24;
  sum = sum * z - 1.0 / 2;
  return 1 + z * sum;
}

}  // namespace

// A word gives the radius, a word the direction: its high bits an angle in the quarter around 0, bit 0 the half plane,
// bit 1 whether the axes change places.
BAUTA_MULTIVERSION void normals_from_words(const std::uint32_t* __restrict words, std::size_t batches,
                                           double* __restrict normals) {
  constexpr std::size_t half = normal_batch / 2;
  for (std::size_t batch = 0; batch < batches; ++batch, words += 2 * normal_batch, normals += normal_batch) {
    for (std::size_t i = 0; i < half; ++i) {
      const double radius = std::sqrt(-2 * log_of(2 - one_to_two(word_at(words, i))));
      const std::uint64_t direction = word_at(words, half + i);
      const double angle = (one_to_two(direction) - 1.5) * (std::numbers::pi / 2);
      const std::uint64_t along = std::bit_cast<std::uint64_t>(radius * cosine(angle)) ^ (direction << 63);
      const std::uint64_t across = std::bit_cast<std::uint64_t>(radius * sine(angle));
      const std::uint64_t exchange = (0 - (direction >> 1 & 1)) & (along ^ across);
      normals[i] = std::bit_cast<double>(along ^ exchange);
      normals[half + i] = std::bit_cast<double>(across ^ exchange);
    }
  }
}

}  // namespace bauta
