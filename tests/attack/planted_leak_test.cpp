#include "bauta/attack/planted_leak.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "bauta/core/random.hpp"

namespace bauta {
namespace {

std::vector<std::int32_t> alternating(std::size_t count, std::size_t classes) {
  std::vector<std::int32_t> codes(count);
  for (std::size_t i = 0; i < count; ++i) codes[i] = static_cast<std::int32_t>(i % classes);
  return codes;
}

TEST(PlantedLeak, OptimumOfOrthogonalShifts) {
  // Two classes: Phi(shift / sqrt 2). Values of Phi from tables: Phi(1) = 0.841345, Phi(2) = 0.977250.
  EXPECT_NEAR(orthogonal_optimum(std::sqrt(2.0), 2), 0.841345, 1e-6);
  EXPECT_NEAR(orthogonal_optimum(2 * std::sqrt(2.0), 2), 0.977250, 1e-6);
  // Nothing shifted: chance.
  EXPECT_NEAR(orthogonal_optimum(0, 5), 0.2, 1e-9);
  // Five classes, shift 2: scipy 1.10.1, quad of norm.pdf(t - 2) * norm.cdf(t)**4 over the real line.
  EXPECT_NEAR(orthogonal_optimum(2, 5), 0.787839, 1e-6);
  for (const double size : {0.55, 0.7, 0.99}) {
    EXPECT_NEAR(orthogonal_optimum(orthogonal_shift(size, 3), 3), size, 1e-9);
  }
  EXPECT_EQ(orthogonal_shift(2, 3), 12);  // nobody reaches 200 %: as far as is looked
}

/// Correlated normal rows: what the whitening must see through.
Templates correlated(std::size_t rows, std::size_t cols) {
  Matrix<float> values(rows, cols);
  for (std::size_t i = 0; i < rows; ++i) {
    Stream stream(5, "rows", i);
    const double common = stream.normal();
    for (std::size_t j = 0; j < cols; ++j) {
      values(i, j) = static_cast<float>(10 + common + 0.3 * static_cast<double>(j % 3 + 1) * stream.normal());
    }
  }
  return Templates(std::move(values));
}

TEST(PlantedLeak, RealFeaturesLeakAsMuchAsAsked) {
  // Somebody who knows the two planted shifts and the covariance: Fisher's discriminant, fitted here by brute force on
  // the difference of two plantings of the same rows.
  const std::size_t rows = 4000, cols = 12;
  const Templates data = correlated(rows, cols);
  const PlantedLeak leak(data, 2, 0, 1);
  ASSERT_TRUE(leak.possible());
  for (const double size : {0.6, 0.9}) {
    const std::vector<std::int32_t> zeros(rows, 0), ones(rows, 1);
    const Templates as_zero = leak.plant(data, zeros, size);
    const Templates as_one = leak.plant(data, ones, size);
    std::vector<double> shift(cols);
    for (std::size_t j = 0; j < cols; ++j) shift[j] = as_one.floats()(0, j) - as_zero.floats()(0, j);
    // Solve covariance * w = shift by plain Gauss elimination.
    std::vector<std::vector<double>> system(cols, std::vector<double>(cols + 1, 0));
    std::vector<double> mean(cols, 0);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < cols; ++j) mean[j] += as_zero.floats()(i, j) / static_cast<double>(rows);
    }
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < cols; ++j) {
        for (std::size_t k = 0; k < cols; ++k) {
          system[j][k] +=
              (as_zero.floats()(i, j) - mean[j]) * (as_zero.floats()(i, k) - mean[k]) / static_cast<double>(rows);
        }
      }
    }
    for (std::size_t j = 0; j < cols; ++j) {
      system[j][j] += 1e-9;  // unit length takes away nearly one dimension
      system[j][cols] = shift[j];
    }
    for (std::size_t p = 0; p < cols; ++p) {
      for (std::size_t r = 0; r < cols; ++r) {
        if (r == p) continue;
        const double factor = system[r][p] / system[p][p];
        for (std::size_t k = 0; k <= cols; ++k) system[r][k] -= factor * system[p][k];
      }
    }
    const std::vector<std::int32_t> codes = alternating(rows, 2);
    const Templates planted = leak.plant(data, codes, size);
    double right = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      double score = 0;
      for (std::size_t j = 0; j < cols; ++j) {
        score += system[j][cols] / system[j][j] * (planted.floats()(i, j) - mean[j] - shift[j] / 2);
      }
      right += (score > 0) == (codes[i] == 1) ? 1 : 0;
    }
    EXPECT_NEAR(right / static_cast<double>(rows), size, 0.04);
  }
}

TEST(PlantedLeak, APeriodRepeats) {
  const Templates data = correlated(300, 12);
  const PlantedLeak leak(data, 2, 4, 1);
  const Templates as_zero = leak.plant(data, std::vector<std::int32_t>(300, 0), 0.9);
  const Templates as_one = leak.plant(data, std::vector<std::int32_t>(300, 1), 0.9);
  for (std::size_t j = 4; j < 12; ++j) {
    EXPECT_NEAR(as_one.floats()(7, j) - as_zero.floats()(7, j), as_one.floats()(7, j - 4) - as_zero.floats()(7, j - 4),
                1e-6);
  }
  EXPECT_FALSE(PlantedLeak(data, 5, 4, 1).possible());
  EXPECT_TRUE(PlantedLeak(data, 4, 4, 1).possible());
}

/// Rows at unit length, a zero row as it is.
Matrix<double> unit_length(const Templates& data) {
  Matrix<double> unit(data.rows(), data.cols(), 0.0);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    double square = 0;
    for (const float value : data.floats().row(i)) square += double{value} * value;
    for (std::size_t j = 0; square > 0 && j < data.cols(); ++j) unit(i, j) = data.floats()(i, j) / std::sqrt(square);
  }
  return unit;
}

TEST(PlantedLeak, EveryRowOfAClassIsShiftedAlikeAlsoOneThatIsZero) {
  Matrix<float> rows(40, 6, 0.0F);
  for (std::size_t i = 0; i < 40; ++i) {
    if (i != 3) Stream(2, "rows", i).normals(rows.row(i));
  }
  const Templates data(std::move(rows));
  const Matrix<double> unit = unit_length(data);
  for (const std::size_t period : {0U, 3U}) {
    const Templates planted = PlantedLeak(data, 2, period, 1).plant(data, std::vector<std::int32_t>(40, 1), 0.8);
    for (std::size_t j = 0; j < 6; ++j) {
      const double shift = planted.floats()(3, j);
      EXPECT_GT(std::abs(shift), 1e-3);
      for (std::size_t i = 0; i < 40; ++i) EXPECT_NEAR(planted.floats()(i, j) - unit(i, j), shift, 1e-6) << i;
    }
  }
}

// Two features that are always equal: the covariance of (1, 1) / sqrt(2) and its opposite is all 1/2, of rank one, and
// each variance a thousandth larger. Two classes in two features are shifted by the columns of a root of it.
TEST(PlantedLeak, FeaturesThatAreOneAreShiftedFinitely) {
  Matrix<float> rows(4, 2);
  for (std::size_t i = 0; i < 4; ++i) rows(i, 0) = rows(i, 1) = i % 2 == 0 ? 3.0F : -5.0F;
  const Templates data(std::move(rows));
  const Matrix<double> unit = unit_length(data);
  double product[2][2] = {};
  for (const std::int32_t c : {0, 1}) {
    const Templates planted = PlantedLeak(data, 2, 0, 1).plant(data, std::vector<std::int32_t>(4, c), 0.8);
    const double shift = orthogonal_shift(0.8, 2);
    const double direction[] = {(planted.floats()(0, 0) - unit(0, 0)) / shift,
                                (planted.floats()(0, 1) - unit(0, 1)) / shift};
    for (int j = 0; j < 2; ++j) {
      for (int k = 0; k < 2; ++k) product[j][k] += direction[j] * direction[k];
    }
  }
  for (int j = 0; j < 2; ++j) {
    for (int k = 0; k < 2; ++k) EXPECT_NEAR(product[j][k], j == k ? 0.5005 : 0.5, 1e-6);
  }
}

// Beyond 2048 features these count as independent: a shift is orthogonal_shift long in units of their deviations, whose
// squares are a thousandth of the mean one larger than found.
TEST(PlantedLeak, VeryWideFeaturesCountAsIndependent) {
  const std::size_t count = 6, width = 2049;
  Matrix<float> rows(count, width);
  for (std::size_t i = 0; i < count; ++i) {
    Stream stream(3, "rows", i);
    for (std::size_t j = 0; j < width; ++j)
      rows(i, j) = static_cast<float>((j % 2 == 0 ? 0.01 : 1e-4) * stream.normal());
  }
  const Templates data(std::move(rows));
  const Matrix<double> unit = unit_length(data);
  std::vector<double> variance(width, 0);
  double mean_variance = 0;
  for (std::size_t j = 0; j < width; ++j) {
    double mean = 0;
    for (std::size_t i = 0; i < count; ++i) mean += unit(i, j) / count;
    for (std::size_t i = 0; i < count; ++i) variance[j] += std::pow(unit(i, j) - mean, 2) / count;
    mean_variance += variance[j] / width;
  }
  const Templates planted = PlantedLeak(data, 3, 0, 1).plant(data, std::vector<std::int32_t>(count, 2), 0.9);
  double square = 0;
  for (std::size_t j = 0; j < width; ++j) {
    square += std::pow(planted.floats()(0, j) - unit(0, j), 2) / (variance[j] + 1e-3 * mean_variance);
  }
  EXPECT_NEAR(std::sqrt(square), orthogonal_shift(0.9, 3), 1e-4);
}

// There is another value than the only one: 1 for zeros, and for 255, the highest of all, a lower one.
TEST(PlantedLeak, CodesOfOneValueCanBeAvoided) {
  for (const std::uint8_t only : {std::uint8_t{0}, std::uint8_t{255}}) {
    const Templates data(Matrix<std::uint8_t>(10, 8, only));
    const Templates avoided = PlantedLeak(data, 2, 0, 1).plant(data, alternating(10, 2), 2, true);
    for (std::size_t i = 0; i < 10; ++i) {
      for (const std::uint8_t value : avoided.codes().row(i)) EXPECT_EQ(value, 1);
    }
  }
}

TEST(PlantedLeak, CodesAndBitsLeakAsMuchAsAsked) {
  const std::size_t rows = 1500, cols = 192;
  Matrix<std::uint8_t> codes8(rows, cols);
  Matrix<std::uint64_t> words(rows, 3);
  for (std::size_t i = 0; i < rows; ++i) {
    Stream stream(9, "codes", i);
    for (std::size_t j = 0; j < cols; ++j) codes8(i, j) = static_cast<std::uint8_t>(stream.below(4));
    for (std::size_t j = 0; j < 3; ++j) words(i, j) = stream.next64();
  }
  const std::vector<std::int32_t> truth = alternating(rows, 3);
  for (const Templates& data : {Templates(std::move(codes8)), Templates(std::move(words), cols)}) {
    const PlantedLeak leak(data, 3, 0, 2);
    // What was planted shows itself where everything was replaced.
    std::vector<Templates> patterns;
    for (std::int32_t c = 0; c < 3; ++c) {
      patterns.push_back(leak.plant(data, std::vector<std::int32_t>(rows, c), 2));  // no attacker reaches 200 %
    }
    const auto value = [&](const Templates& t, std::size_t i, std::size_t j) {
      return t.kind() == ElementKind::code8 ? t.codes()(i, j)
                                            : static_cast<std::uint8_t>(t.words()(i, j / 64) >> (j % 64) & 1U);
    };
    const Templates planted = leak.plant(data, truth, 0.8);
    const Templates avoided = leak.plant(data, truth, 2, true);
    double right = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      std::size_t best = 0, most = 0;
      for (std::size_t c = 0; c < 3; ++c) {
        std::size_t agree = 0;
        for (std::size_t j = 0; j < cols; ++j) agree += value(planted, i, j) == value(patterns[c], 0, j) ? 1 : 0;
        if (agree > most) {
          most = agree;
          best = c;
        }
      }
      right += best == static_cast<std::size_t>(truth[i]) ? 1 : 0;
      for (std::size_t j = 0; j < cols; ++j) {
        ASSERT_NE(value(avoided, i, j), value(patterns[static_cast<std::size_t>(truth[i])], 0, j));
      }
    }
    EXPECT_NEAR(right / static_cast<double>(rows), 0.8, 0.04);
  }
}

}  // namespace
}  // namespace bauta
