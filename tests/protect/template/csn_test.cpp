// CSN keeps the cosine to the original, and nothing else.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "../fixtures.hpp"

namespace bauta {
namespace {

TEST(Csn, CosineToTheOriginalIsExactUpToFloatRounding) {
  for (const double s : {-1.0, -0.3, 0.0, 0.8, 1.0}) {
    for (const std::size_t dim : {std::size_t{2}, std::size_t{3}, std::size_t{512}}) {
      const Templates input = gaussian_templates(40, dim);
      const ResolvedProtection resolved = make_protection("csn:s=" + std::to_string(s));
      const Templates output = resolved->protect(input, 0, {});
      for (std::size_t i = 0; i < input.rows(); ++i) {
        EXPECT_NEAR(cosine(input.floats().row(i), output.floats().row(i)), s, 1e-6) << dim << " row " << i;
      }
    }
  }
}

TEST(Csn, LengthsAreUniformIntegersFromOneToHundred) {
  constexpr std::size_t rows = 50000;
  const Templates output = make_protection("csn")->protect(gaussian_templates(rows, 3), 0, {});
  std::vector<double> counts(101);
  for (std::size_t i = 0; i < rows; ++i) {
    const double length = std::sqrt(dot_product(output.floats().row(i), output.floats().row(i)));
    const double whole = std::round(length);
    ASSERT_NEAR(length, whole, 1e-4);
    ASSERT_TRUE(whole >= 1 && whole <= 100) << whole;
    ++counts[static_cast<std::size_t>(whole)];
  }
  double chi_square = 0;
  for (std::size_t length = 1; length <= 100; ++length) chi_square += std::pow(counts[length] - 500, 2) / 500;
  EXPECT_LT(chi_square, 148.23);  // scipy 1.10.1: chi2.isf(0.001, 99)
}

// What the length says about the noise: nothing, and whoever averages has to know that.
TEST(Csn, TellsAnAttackerThatLengthsSayNothing) {
  const KnownMask known = make_protection("csn:s=0.3")->known_mask({});
  ASSERT_TRUE(known.noise.has_value());
  EXPECT_EQ(known.noise->share, 0.3);
  EXPECT_TRUE(known.noise->random_length);
}

TEST(Csn, NoiseHasNoPreferredDirection) {
  constexpr std::size_t rows = 40000;
  const std::vector<float> v = {1, 0, 0, 0};
  const Templates output = make_protection("csn:s=0.6")->protect(repeated_row(v, rows), 0, {});
  // The part across v is a uniform unit vector in 3 dimensions: mean 0, mean square 1/3 in each coordinate.
  for (std::size_t j = 1; j < 4; ++j) {
    double mean = 0;
    double square = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      const std::span<const float> row = output.floats().row(i);
      const double p = row[j] / std::sqrt(dot_product(row, row)) / 0.8;
      mean += p / rows;
      square += p * p / rows;
    }
    EXPECT_NEAR(mean, 0, 3.3 * std::sqrt(1.0 / 3 / rows));
    // E[p^4] = 1/5 for one coordinate of a uniform unit vector in 3 dimensions, so the variance of p^2 is 1/5 - 1/9.
    EXPECT_NEAR(square, 1.0 / 3, 3.3 * std::sqrt((1.0 / 5 - 1.0 / 9) / rows));
  }
}

TEST(Csn, CosineOfTwoNoisyTemplatesIsTheOldOneTimesTheSquareOfS) {
  constexpr std::size_t rows = 20000;
  const std::vector<float> a = {1, 0, 0, 0, 0, 0, 0, 0};
  const std::vector<float> b = {0.6F, 0.8F, 0, 0, 0, 0, 0, 0};
  const ResolvedProtection resolved = make_protection("csn");
  const Templates first = resolved->protect(repeated_row(a, rows), 0, {});
  const Templates second = resolved->protect(repeated_row(b, rows), rows, {});
  double mean = 0;
  double square = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const double found = cosine(first.floats().row(i), second.floats().row(i));
    mean += found / rows;
    square += found * found / rows;
  }
  EXPECT_NEAR(mean, 0.64 * 0.6, 3.3 * std::sqrt((square - mean * mean) / rows));
}

TEST(Csn, OneDimensionAndZeroTemplatesAreRefused) {
  const Dataset narrow = dataset_of(gaussian_templates(3, 1), 1);
  EXPECT_NE(error_of([&] { protect_dataset(make_protection("csn"), narrow, {}); }).find("1 feature"),
            std::string::npos);
  Matrix<float> values(3, 4, 1.0F);
  std::fill_n(values.row(2).data(), 4, 0.0F);
  const Dataset zero = dataset_of(Templates(std::move(values)), 1);
  EXPECT_NE(error_of([&] { protect_dataset(make_protection("csn"), zero, {}); }).find("row 3"), std::string::npos);
}

}  // namespace
}  // namespace bauta
