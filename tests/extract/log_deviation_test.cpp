#include <cmath>

#include <gtest/gtest.h>

#include "bauta/core/random.hpp"
#include "bauta/extract/extractor.hpp"

namespace bauta {
namespace {

using Floats = std::vector<float>;

Floats features(const std::string& extractor, const Motion& motion) {
  return make_extractor(extractor)->extract(motion).value();
}

// x is 0 and 6 in turn (deviation 3), y 1 and -7 (4), z always 5: a millionth of the largest.
TEST(LogDeviation, LogarithmsOfDeviations) {
  const Motion motion{4, 1, {0, 1, 5, 6, -7, 5, 0, 1, 5, 6, -7, 5}, 0, {}};
  const Floats logs = features("log-deviation", motion);
  ASSERT_EQ(logs.size(), 3U);
  EXPECT_NEAR(logs[0], std::log(3.0), 1e-6);
  EXPECT_NEAR(logs[1], std::log(4.0), 1e-6);
  EXPECT_NEAR(logs[2], std::log(4e-6), 1e-5);
  const Floats relative = features("log-deviation:relative=yes", motion);
  EXPECT_NEAR(relative[0] + relative[1] + relative[2], 0, 1e-5);
  EXPECT_NEAR(relative[1] - relative[0], std::log(4.0 / 3), 1e-6);
}

// Noise of c deviations makes of each deviation s the deviation s sqrt(1 + c^2): a constant is added, and nothing else
// but what 10,000 draws leave (a relative 1 / sqrt(2 * 10,000), five times over).
TEST(LogDeviation, NoiseInProportionAddsAConstant) {
  constexpr std::size_t frames = 10000;
  constexpr double scale = 100;
  Motion clear{frames, 2, {}, 0, {}}, noisy{frames, 2, {}, 0, {}};
  Stream stream(1, "log deviation test");
  for (std::size_t t = 0; t < frames; ++t) {
    for (std::size_t j = 0; j < 6; ++j) {
      const double amplitude = 1 + static_cast<double>(j * j);
      const double value = amplitude * std::sin(2 * 3.14159265358979 * static_cast<double>(t) / 100) + 50;
      clear.positions.push_back(static_cast<float>(value));
      noisy.positions.push_back(static_cast<float>(value + scale * amplitude / std::sqrt(2.0) * stream.normal()));
    }
  }
  const Floats before = features("log-deviation", clear), after = features("log-deviation", noisy);
  for (std::size_t j = 0; j < 6; ++j) {
    EXPECT_NEAR(after[j] - before[j], 0.5 * std::log(1 + scale * scale), 5 / std::sqrt(2.0 * frames));
  }
  const Floats one = features("log-deviation:relative=yes", clear), two = features("log-deviation:relative=yes", noisy);
  for (std::size_t j = 0; j < 6; ++j) EXPECT_NEAR(one[j], two[j], 5 / std::sqrt(2.0 * frames));
}

TEST(LogDeviation, NothingMovesNothingIsSaid) {
  EXPECT_FALSE(make_extractor("log-deviation")->extract(Motion{1, 1, {1, 2, 3}, 0, {}}));
  EXPECT_FALSE(make_extractor("log-deviation")->extract(Motion{2, 1, {1, 2, 3, 1, 2, 3}, 0, {}}));
  EXPECT_THROW((void)make_extractor("log-deviation")->extract(Image{1, 1, 1, {7}}), Error);
}

}  // namespace
}  // namespace bauta
