// Differences of rates over people, by hand.
#include "bauta/measure/people_contrast.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "bauta/core/random.hpp"

namespace bauta {
namespace {

using Cell = std::vector<PersonHits>;

TEST(PeopleContrast, IsTheWeighedSumOfRates) {
  const Cell a = {{0, 2, 2}, {1, 1, 2}}, b = {{0, 1, 2}, {1, 0, 2}};
  // 3/4 - 1/4. Everybody differs by 1/2 in every draw: half the width is Wilson's bound of no event in 2 people,
  // 1.96^2 / (2 + 1.96^2).
  const auto plain = people_contrast(std::vector<WeighedRate>{{a, 1}, {b, -1}});
  ASSERT_TRUE(plain);
  EXPECT_DOUBLE_EQ(plain->value, 0.5);
  EXPECT_EQ(plain->people, 2U);
  EXPECT_NEAR(plain->ci.low, 0.5 - 0.65762, 1e-4);
  EXPECT_NEAR(plain->ci.high, 0.5 + 0.65762, 1e-4);
  EXPECT_FALSE(differs(*plain));
  // (3/4 - 1/2) / (1/2) - (1/4 - 1/5) / (4/5)
  EXPECT_DOUBLE_EQ(people_contrast(std::vector<WeighedRate>{{a, 1, 0.5}, {b, -1, 0.2}})->value, 0.5 - 0.0625);
  EXPECT_FALSE(people_contrast(std::vector<WeighedRate>{{a, 1}, {{}, -1}}));
  EXPECT_FALSE(people_contrast({}));
}

TEST(PeopleContrast, WhoOccursTwiceIsComparedWithThemselves) {
  // People differ much from each other, and everybody gains 0.1 or 0.3: the deviation of a mean of 50 is 0.1 / sqrt 50.
  Cell before, after;
  for (std::uint32_t person = 0; person < 50; ++person) {
    const double hits = person % 5 * 10;
    before.push_back({person, hits, 100});
    after.push_back({person, hits + (person / 5 % 2 == 0 ? 10 : 30), 100});
  }
  const auto paired = people_contrast(std::vector<WeighedRate>{{after, 1}, {before, -1}});
  EXPECT_NEAR(paired->value, 0.2, 1e-12);
  EXPECT_NEAR(paired->error, 0.1 / std::sqrt(50), 0.0015);
  EXPECT_TRUE(differs(*paired, 1000));
  // The same numbers of other people: 0.1414 = deviation of 0 .. 0.4, and 0.1732 with the gains.
  for (PersonHits& one : after) one.person += 50;
  const auto apart = people_contrast(std::vector<WeighedRate>{{after, 1}, {before, -1}});
  EXPECT_NEAR(apart->error, std::sqrt((0.02 + 0.03) / 50), 0.004);
  EXPECT_EQ(apart->people, 100U);
}

TEST(PeopleContrast, CoversNoDifference) {
  int covered = 0, different = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Stream stream(seed, "people");
    Cell a, b;
    for (std::uint32_t person = 0; person < 30; ++person) {
      const double skill = stream.uniform();
      const auto hits = [&] { return static_cast<double>((stream.uniform() < skill) + (stream.uniform() < skill)); };
      a.push_back({person, hits(), 2});
      if (person >= 10) b.push_back({person, hits(), 2});
    }
    const auto contrast = people_contrast(std::vector<WeighedRate>{{a, 1}, {b, -1}}, {300, seed});
    covered += contrast->ci.low <= 0 && 0 <= contrast->ci.high;
    different += differs(*contrast, 10);
  }
  EXPECT_GE(covered, 88);   // of 100; 95 are expected, with a deviation of 2.2
  EXPECT_LE(different, 5);  // 0.5 are expected
}

}  // namespace
}  // namespace bauta
