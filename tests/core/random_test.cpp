#include "bauta/core/random.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include "bauta/core/secret_key.hpp"

namespace bauta {
namespace {

TEST(Stream, IsNamedBySeedPurposeAndItem) {
  Stream a(1, "x", 7);
  Stream same(1, "x", 7);
  EXPECT_EQ(a.next64(), same.next64());
  std::set<std::uint64_t> firsts;
  firsts.insert(Stream(1, "x", 7).next64());
  firsts.insert(Stream(2, "x", 7).next64());
  firsts.insert(Stream(1, "y", 7).next64());
  firsts.insert(Stream(1, "x", 8).next64());
  EXPECT_EQ(firsts.size(), 4U);
}

constexpr std::size_t many = 1 << 20;

std::vector<double> many_normals(bool secret) {
  Stream stream = secret ? Stream(SecretKey::from_seed(1, "k"), "normal") : Stream(3, "normal");
  std::vector<double> values(many);
  stream.normals(std::span(values));
  return values;
}

class Normals : public ::testing::TestWithParam<bool> {};

// Closed forms: mean 0, variance 1, third moment 0, fourth 3; the moments of order k of n draws have the variance
// (E x^2k - (E x^k)^2) / n with E x^4 = 3, E x^6 = 15, E x^8 = 105.
TEST_P(Normals, HaveTheMomentsOfTheNormalDistribution) {
  std::array<double, 5> moments{};
  for (const double x : many_normals(GetParam())) {
    double power = 1;
    for (double& moment : moments) moment += power / many, power *= x;
  }
  const double n = many;
  EXPECT_NEAR(moments[1], 0, 3.9 / std::sqrt(n));
  EXPECT_NEAR(moments[2], 1, 3.9 * std::sqrt(2 / n));
  EXPECT_NEAR(moments[3], 0, 3.9 * std::sqrt(15 / n));
  EXPECT_NEAR(moments[4], 3, 3.9 * std::sqrt(96 / n));
}

// Kolmogorov-Smirnov: sqrt(n) times the largest distance to the distribution function exceeds 2.2 with probability
// 2 exp(-2 2.2^2) = 1e-4.
TEST_P(Normals, HaveTheNormalDistributionFunction) {
  std::vector<double> values = many_normals(GetParam());
  std::sort(values.begin(), values.end());
  double distance = 0;
  for (std::size_t i = 0; i < many; ++i) {
    const double p = 0.5 * std::erfc(-values[i] / std::sqrt(2.0));
    distance = std::max({distance, p - static_cast<double>(i) / many, static_cast<double>(i + 1) / many - p});
  }
  EXPECT_LT(distance * std::sqrt(many), 2.2);
}

// P(|x| > 3) = 2.6998e-3 and P(|x| > 4) = 6.3342e-5 (tables of the normal distribution); counts are binomial.
TEST_P(Normals, HaveTheTailsOfTheNormalDistribution) {
  const std::vector<double> values = many_normals(GetParam());
  for (const auto& [limit, probability] : {std::pair{3.0, 2.699796e-3}, {4.0, 6.334248e-5}}) {
    for (const double sign : {-1.0, 1.0}) {
      const auto beyond =
          std::count_if(values.begin(), values.end(), [&, most = limit](double x) { return sign * x > most; });
      const double expected = many * probability / 2;
      EXPECT_NEAR(static_cast<double>(beyond), expected, 3.9 * std::sqrt(expected)) << sign * limit;
    }
  }
}

// Neighbours, the two halves of a batch, and neighbouring batches; also their squares, because the two normals of a
// pair share a radius. Products of independent values have mean 0 and variance 1, of centred squares variance 4.
TEST_P(Normals, AreUncorrelatedAtEveryDistance) {
  const std::vector<double> values = many_normals(GetParam());
  for (const std::size_t lag : {1, 2, 4, 7, 8, 9, 15, 16, 17, 32, 64, 256}) {
    double products = 0;
    double squares = 0;
    for (std::size_t i = 0; i + lag < many; ++i) {
      products += values[i] * values[i + lag];
      squares += (values[i] * values[i] - 1) * (values[i + lag] * values[i + lag] - 1);
    }
    const double n = many - static_cast<double>(lag);
    EXPECT_NEAR(products / n, 0, 3.9 / std::sqrt(n)) << lag;
    EXPECT_NEAR(squares / n, 0, 3.9 * 2 / std::sqrt(n)) << lag;
  }
}

TEST_P(Normals, StreamsOfNeighbouringItemsAreUncorrelated) {
  double products = 0;
  constexpr std::size_t width = 64;
  constexpr std::size_t items = 4096;
  std::vector<double> before(width);
  std::vector<double> values(width);
  const SecretKey key = SecretKey::from_seed(1, "k");
  for (std::size_t item = 0; item <= items; ++item) {
    (GetParam() ? Stream(key, "n", item) : Stream(1, "n", item)).normals(std::span(values));
    for (std::size_t j = 0; j < width; ++j) products += item == 0 ? 0 : values[j] * before[j];
    values.swap(before);
  }
  EXPECT_NEAR(products / (items * width), 0, 3.9 / std::sqrt(items * width));
}

TEST_P(Normals, AreTheSameSequenceHoweverTheyAreDrawn) {
  const auto stream = [&] { return GetParam() ? Stream(SecretKey::from_seed(1, "k"), "s") : Stream(1, "s"); };
  Stream one = stream();
  std::vector<double> expected(1000);
  for (double& value : expected) value = one.normal();
  const std::uint64_t after = one.next64();
  for (const std::size_t part : {1, 3, 16, 17, 250, 1000}) {
    Stream parts = stream();
    std::vector<double> values(1000);
    for (std::size_t begin = 0; begin < 1000; begin += part) {
      const std::size_t size = std::min<std::size_t>(part, 1000 - begin);
      if (begin / part % 2 == 0) {
        parts.normals(std::span(values).subspan(begin, size));
      } else {
        for (std::size_t i = 0; i < size; ++i) values[begin + i] = parts.normal();
      }
    }
    EXPECT_EQ(values, expected) << part;
    EXPECT_EQ(parts.next64(), after) << part;
  }
  std::vector<float> floats(1000);
  Stream(stream()).normals(std::span(floats));
  for (std::size_t i = 0; i < 1000; ++i) EXPECT_EQ(floats[i], static_cast<float>(expected[i]));
}

INSTANTIATE_TEST_SUITE_P(Both, Normals, ::testing::Bool(),
                         [](const auto& secret) { return secret.param ? "Secret" : "Seeded"; });

// Box-Muller again from the words of a second stream, with the C library's functions: the first half of a batch of 16
// words gives radii, the second directions.
TEST(Stream, NormalsAreThoseOfTheLibrarysFunctions) {
  Stream stream(9, "normal");
  Stream words(9, "normal");
  double largest = 0;
  for (int batch = 0; batch < 2000; ++batch) {
    std::array<std::uint64_t, 16> w{};
    for (auto& word : w) word = words.next64();
    std::array<double, 16> expected{};
    for (std::size_t i = 0; i < 8; ++i) {
      const double u = 1 - std::ldexp(static_cast<double>(w[i] >> 12), -52);
      const double angle = (std::ldexp(static_cast<double>(w[8 + i] >> 12), -52) - 0.5) * (std::numbers::pi / 2);
      const double radius = std::sqrt(-2 * std::log(u));
      expected[i] = radius * std::cos(angle) * ((w[8 + i] & 1) != 0 ? -1 : 1);
      expected[8 + i] = radius * std::sin(angle);
      if ((w[8 + i] & 2) != 0) std::swap(expected[i], expected[8 + i]);
    }
    for (const double value : expected) {
      const double drawn = stream.normal();
      largest = std::max(largest, std::abs(drawn - value) / std::max(std::abs(value), 1e-3));
    }
  }
  EXPECT_LT(largest, 2e-15);
}

// Recorded from g++ 12 and clang 14 for x86-64, v3 and v4 at several optimisation levels, which all agree.
TEST(Stream, NormalsHaveTheSameBitsOnEveryMachine) {
  Stream stream(1, "normal");
  std::uint64_t sum = 0;
  for (int i = 0; i < 100000; ++i) sum = sum * 6364136223846793005ULL + std::bit_cast<std::uint64_t>(stream.normal());
  EXPECT_EQ(sum, 0xf3cafc72a4d75b58ULL);
}

// Chi-square of 6 equally likely results, 5 degrees of freedom: 25.7 is exceeded with probability 1e-4.
TEST(Stream, BelowIsUniform) {
  for (const bool secret : {false, true}) {
    Stream stream = secret ? Stream(SecretKey::from_seed(1, "k"), "die") : Stream(1, "die");
    std::array<int, 6> counts{};
    constexpr int n = 60000;
    for (int i = 0; i < n; ++i) ++counts[stream.below(6)];
    double chi = 0;
    for (const int count : counts) chi += (count - n / 6.0) * (count - n / 6.0) / (n / 6.0);
    EXPECT_LT(chi, 25.7);
  }
}

TEST(Stream, UniformStaysBelowOne) {
  Stream stream(1, "u");
  for (int i = 0; i < 10000; ++i) {
    const double u = stream.uniform();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
  }
}

TEST(Stream, PermutationHoldsEveryIndexOnce) {
  const auto order = Stream(5, "p").permutation(100);
  EXPECT_EQ(std::set<std::size_t>(order.begin(), order.end()).size(), 100U);
}

TEST(Randomness, OperatingSystemNeverRepeats) {
  const Randomness one = Randomness::operating_system();
  const Randomness two = Randomness::operating_system();
  EXPECT_NE(one.stream("x").next64(), two.stream("x").next64());
  EXPECT_FALSE(one.reproducible());
  EXPECT_EQ(Randomness::seeded(4).stream("x", 1).next64(), Stream(4, "x", 1).next64());
}

TEST(Randomness, TheSaltSeparatesDrawsButNotKeys) {
  const Randomness one = Randomness::seeded(1, "data one");
  const Randomness two = Randomness::seeded(1, "data two");
  EXPECT_NE(one.stream("x").next64(), two.stream("x").next64());
  EXPECT_EQ(Stream(one.key("k"), "x").next64(), Stream(two.key("k"), "x").next64());
}

}  // namespace
}  // namespace bauta
