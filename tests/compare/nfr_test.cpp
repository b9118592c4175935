#include <cmath>

#include <gtest/gtest.h>

#include "bauta/compare/comparator.hpp"
#include "bauta/core/random.hpp"

namespace bauta {
namespace {

Templates random_codes(std::size_t rows, std::size_t cols, std::size_t values, std::uint64_t seed) {
  Matrix<std::uint8_t> codes(rows, cols);
  Stream stream(seed, "test codes");
  for (std::uint8_t& code : std::span(codes.data(), codes.size()))
    code = static_cast<std::uint8_t>(stream.below(values));
  return Templates(std::move(codes));
}

/// Every code replaced by another one, uniformly.
Templates negative(const Templates& positive, std::size_t values, std::uint64_t seed) {
  Matrix<std::uint8_t> codes(positive.rows(), positive.cols());
  Stream stream(seed, "test negative");
  for (std::size_t i = 0; i < codes.rows(); ++i) {
    for (std::size_t j = 0; j < codes.cols(); ++j) {
      codes(i, j) = static_cast<std::uint8_t>((positive.codes()(i, j) + 1 + stream.below(values - 1)) % values);
    }
  }
  return Templates(std::move(codes));
}

Matrix<float> scores_of(std::size_t bins, const Templates& probes, const Templates& references) {
  const auto comparator = make_comparator("nfr:bins=" + std::to_string(bins));
  const auto p = comparator->prepare(probes, Side::probe, "p");
  const auto r = comparator->prepare(references, Side::reference, "r");
  Matrix<float> scores(probes.rows(), references.rows());
  comparator->tile(*p, {0, probes.rows()}, *r, {0, references.rows()}, scores.view());
  return scores;
}

TEST(NfrComparator, CountsAsBruteForceDoes) {
  for (const std::size_t bins : {2UL, 3UL, 4UL, 5UL, 8UL, 16UL, 17UL, 256UL}) {
    for (const std::size_t cols : {1UL, 63UL, 64UL, 65UL, 300UL}) {
      const Templates a = random_codes(7, cols, bins, 1);
      const Templates b = random_codes(9, cols, bins, 2);
      const Matrix<float> scores = scores_of(bins, a, b);
      for (std::size_t i = 0; i < 7; ++i) {
        for (std::size_t j = 0; j < 9; ++j) {
          std::size_t equal = 0;
          for (std::size_t f = 0; f < cols; ++f) equal += a.codes()(i, f) == b.codes()(j, f);
          ASSERT_EQ(scores(i, j), static_cast<float>(cols - equal) / static_cast<float>(cols)) << bins << ' ' << cols;
        }
      }
    }
  }
}

TEST(NfrComparator, TheSameSampleScoresExactlyOne) {
  for (const std::size_t bins : {2UL, 3UL, 4UL, 16UL}) {
    const Templates positive = random_codes(20, 4099, bins, 3);
    const Matrix<float> scores = scores_of(bins, positive, negative(positive, bins, 1));
    for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(scores(i, i), 1);
  }
}

// Independent codes: an equal code has the chance 1/k, so the mean score of n comparisons is 1 - 1/k within
// 3.3 sqrt((1/k)(1 - 1/k) / (F n)).
TEST(NfrComparator, StrangersScoreOneLessTheChanceOfACode) {
  for (const std::size_t bins : {2UL, 4UL, 8UL}) {
    const std::size_t features = 4096;
    const Templates positive = random_codes(30, features, bins, 4);
    const Templates other = negative(random_codes(30, features, bins, 5), bins, 2);
    const Matrix<float> scores = scores_of(bins, positive, other);
    double mean = 0;
    for (std::size_t i = 0; i < 30; ++i) mean += scores(i, i) / 30;
    const double k = static_cast<double>(bins);
    EXPECT_NEAR(mean, 1 - 1 / k, 3.3 * std::sqrt((1 / k) * (1 - 1 / k) / (30.0 * features)));
  }
}

// Codes that agree with probability a: the stored value is hit only where they do not, with chance 1 / (k - 1).
TEST(NfrComparator, PlantedAgreementGivesTheExpectedScore) {
  const std::size_t bins = 4;
  const std::size_t features = 4096;
  const std::size_t rows = 40;
  for (const double agreement : {0.3, 0.6, 0.9}) {
    const Templates enrolled = random_codes(rows, features, bins, 6);
    const Templates different = negative(enrolled, bins, 3);
    Matrix<std::uint8_t> presented(rows, features);
    Stream stream(7, "test agreement");
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < features; ++j) {
        presented(i, j) = stream.uniform() < agreement ? enrolled.codes()(i, j) : different.codes()(i, j);
      }
    }
    const Matrix<float> scores = scores_of(bins, Templates(std::move(presented)), negative(enrolled, bins, 4));
    double mean = 0;
    for (std::size_t i = 0; i < rows; ++i) mean += scores(i, i) / rows;
    const double hit = (1 - agreement) / (bins - 1);
    EXPECT_NEAR(mean, 1 - hit, 3.3 * std::sqrt(hit * (1 - hit) / static_cast<double>(rows * features))) << agreement;
  }
}

TEST(NfrComparator, OtherKindsAndUnknownCodesAreRefused) {
  const auto comparator = make_comparator("nfr");
  EXPECT_THROW((void)comparator->prepare(Templates(Matrix<float>(1, 4, 0.0F)), Side::probe, "x"), Error);
  EXPECT_THROW((void)comparator->prepare(Templates(Matrix<std::uint64_t>(1, 1, 0), 4), Side::probe, "x"), Error);
  EXPECT_THROW((void)comparator->prepare(Templates(Matrix<std::uint8_t>(1, 1, 4)), Side::probe, "x"), Error);
  try {
    (void)comparator->prepare(random_codes(50, 64, 5, 1), Side::probe, "some file");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.where, "some file row 1");
    EXPECT_NE(error.finding.find("code 4"), std::string::npos) << error.finding;
  }
}

}  // namespace
}  // namespace bauta
