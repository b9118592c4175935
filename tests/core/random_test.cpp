#include "bauta/core/random.hpp"

#include <array>
#include <cmath>
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

// Sample moments of n = 200,000 draws lie within 5 standard errors of the closed form: mean 0 +- 1/sqrt(n), variance 1
// +- sqrt(2/n).
TEST(Stream, NormalHasUnitMoments) {
  Stream stream(3, "normal");
  constexpr int n = 200000;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < n; ++i) {
    const double x = stream.normal();
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / n, 0, 5 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 1, 5 * std::sqrt(2.0 / n));
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
