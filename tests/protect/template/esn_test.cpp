// ESN keeps the distance to the original, and nothing else.
#include <cmath>

#include <gtest/gtest.h>

#include "../fixtures.hpp"

namespace bauta {
namespace {

double distance(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += (double{a[j]} - b[j]) * (double{a[j]} - b[j]);
  return std::sqrt(sum);
}

TEST(Esn, DistanceToTheOriginalIsExactUpToFloatRounding) {
  for (const double wanted : {0.0, 0.5, 3.0}) {
    for (const std::size_t dim : {std::size_t{1}, std::size_t{2}, std::size_t{512}}) {
      const Templates input = gaussian_templates(40, dim);
      const Templates output = make_protection("esn:distance=" + std::to_string(wanted))->protect(input, 0, {});
      for (std::size_t i = 0; i < input.rows(); ++i) {
        EXPECT_NEAR(distance(input.floats().row(i), output.floats().row(i)), wanted, 1e-5) << dim << " row " << i;
      }
    }
  }
}

// A coordinate of a uniform direction in 4 dimensions has mean 0 and mean square 1/4, and E[p^4] = 3/24 = 1/8.
TEST(Esn, NoiseHasNoPreferredDirection) {
  constexpr std::size_t rows = 40000;
  const Templates output = make_protection("esn:distance=1")->protect(repeated_row({0, 0, 0, 0}, rows), 0, {});
  for (std::size_t j = 0; j < 4; ++j) {
    double mean = 0;
    double square = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      const double p = output.floats()(i, j);
      mean += p / rows;
      square += p * p / rows;
    }
    EXPECT_NEAR(mean, 0, 3.3 * std::sqrt(0.25 / rows));
    EXPECT_NEAR(square, 0.25, 3.3 * std::sqrt((1.0 / 8 - 1.0 / 16) / rows));
  }
}

TEST(Esn, DoesNotDependOnHowTheDataIsCut) {
  const Templates input = gaussian_templates(20, 8);
  const ResolvedProtection resolved = make_protection("esn");
  const Templates whole = resolved->protect(input, 0, {});
  const Templates part = resolved->protect(input.slice(7, 5), 7, {});
  EXPECT_TRUE(same_bits(whole.slice(7, 5), part));
}

TEST(Esn, NegativeDistanceIsRefused) {
  EXPECT_NE(error_of([] { make_protection("esn:distance=-1"); }).find("esn:distance"), std::string::npos);
}

}  // namespace
}  // namespace bauta
