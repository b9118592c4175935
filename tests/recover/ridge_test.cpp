#include <gtest/gtest.h>

#include "bauta/learn/preparation.hpp"
#include "fixtures.hpp"
#include "inverse_map.hpp"

namespace bauta {
namespace {

/// What the attacker's and the target's templates become under one technique and key.
struct Pairs {
  Dataset clear;
  Dataset protected_clear;
  Dataset original;
  Dataset target;

  [[nodiscard]] Knowledge knowledge() const { return {.clear = &clear, .protected_clear = &protected_clear}; }
};

Pairs gaussian_pairs(const std::string& technique, std::size_t rows, std::size_t d) {
  Pairs pairs{dataset_of(gaussian_templates(rows, d, 1), "clear"), {}, dataset_of(gaussian_templates(300, d, 2)), {}};
  pairs.protected_clear = protect(technique, pairs.clear);
  pairs.target = protect(technique, pairs.original);
  return pairs;
}

// A rotation is undone by its transpose, whatever the pairs; the rest is float rounding and the least penalty, 1e-8.
TEST(RidgeRecovery, InvertsALinearMap) {
  const Pairs pairs = gaussian_pairs("random-projection:matrix=orthonormal", 200, 24);
  const Dataset recovered = recover("ridge", pairs.target, pairs.knowledge());
  for (std::size_t i = 0; i < recovered.size(); ++i) {
    for (std::size_t j = 0; j < 24; ++j) {
      ASSERT_NEAR(recovered.templates.floats()(i, j), pairs.original.templates.floats()(i, j), 2e-6);
    }
  }
  EXPECT_EQ(recovered.provenance->properties.at("pairs_used"), "200");
  const Dataset shrunk = recover("ridge:penalty=0.5", pairs.target, pairs.knowledge());
  EXPECT_EQ(shrunk.provenance->properties.at("ridge_penalty"), "0.5");
}

/// Mean of |u_1| for u uniform on the unit sphere in d dimensions: Gamma(d/2) / (sqrt(pi) Gamma((d+1)/2)).
double mean_projection(std::size_t d) {
  const double half = static_cast<double>(d) / 2;
  return std::exp(std::lgamma(half) - std::lgamma(half + 0.5)) / std::sqrt(M_PI);
}

// Closed form: signs along l orthonormal vectors b_j of a template x with independent normal features. The best linear
// estimate is a multiple of sum sign(b_j x) b_j, whose cosine to x is sum |b_j x| / (sqrt(l) |x|), on average
// sqrt(l) E|u_1|; for l = d it tends to sqrt(2 / pi). Weights learned from 20000 pairs take off less than 0.002.
TEST(RidgeRecovery, BioHashComesBackAtTheLevelOfItsSigns) {
  for (const std::size_t length : {16, 32}) {
    const std::string technique = "biohash:threshold=zero,entries=gaussian,length=" + std::to_string(length);
    const Pairs pairs = gaussian_pairs(technique, 20000, 32);
    const Dataset recovered = recover("ridge", pairs.target, pairs.knowledge());
    const double expected = std::sqrt(static_cast<double>(length)) * mean_projection(32);
    // Deviation of one cosine below 0.08, of the mean of 300 below 0.005.
    EXPECT_NEAR(mean_cosine(recovered.templates, pairs.original.templates), expected, 0.015) << length;
  }
}

// Codes through their agreement are codes one-hot: the kernel is a share of m codes, so the penalty is m times smaller.
TEST(RidgeRecovery, ManyCodesAreTakenThroughTheirAgreement) {
  const Pairs pairs = gaussian_pairs("iom-grp:m=50,q=50", 400, 16);
  const double penalty = 0.2;
  const InverseMap map =
      InverseMap::fit(pairs.protected_clear.templates, pairs.clear.templates.floats(), {.penalty = penalty});
  const std::size_t levels = code_levels(pairs.protected_clear.templates);
  ASSERT_GT(levels * 50, 2048U);
  const Ridge ridge = Ridge::fit(one_hot_features(pairs.protected_clear.templates, levels).view(),
                                 pairs.clear.templates.floats(), {.penalty = 50 * penalty});
  const Matrix<float> expected = ridge.predict(one_hot_features(pairs.target.templates, levels).view());
  const Matrix<float> got = map.apply(pairs.target.templates);
  for (std::size_t i = 0; i < got.rows(); ++i) {
    for (std::size_t j = 0; j < got.cols(); ++j) ASSERT_NEAR(got(i, j), expected(i, j), 1e-4);
  }
}

// Up to 2048 one-hot features (8 codes of 256 values) all pairs are used, beyond (683 codes of 3) as many as are asked
// for.
TEST(RidgeRecovery, FewCodesAreWrittenOut) {
  const Templates clear = gaussian_templates(10, 4, 1);
  const auto pairs_used = [&](std::size_t cols, std::size_t values) {
    Matrix<std::uint8_t> codes(10, cols);
    for (std::size_t k = 0; k < codes.size(); ++k) codes.data()[k] = static_cast<std::uint8_t>((k * 7 + 1) % values);
    codes(0, 0) = static_cast<std::uint8_t>(values - 1);
    return InverseMap::fit(Templates(std::move(codes)), clear.floats(), {.penalty = 1, .dual_pairs = 5}).pairs();
  };
  EXPECT_EQ(pairs_used(8, 256), 10U);
  EXPECT_EQ(pairs_used(683, 3), 5U);
}

// What a row becomes does not depend on how many there are.
TEST(RidgeRecovery, ManyTargetsAreTakenInBlocks) {
  const Pairs pairs = gaussian_pairs("iom-grp:m=50,q=50", 60, 4);
  const InverseMap map =
      InverseMap::fit(pairs.protected_clear.templates, pairs.clear.templates.floats(), {.penalty = 0.2});
  std::vector<std::size_t> rows(1030);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i * 7 % 300;
  const Matrix<float> once = map.apply(pairs.target.templates);
  const Matrix<float> often = map.apply(pairs.target.templates.select(rows));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < 4; ++j) ASSERT_NEAR(often(i, j), once(rows[i], j), 1e-5) << i;
  }
}

TEST(RidgeRecovery, FewerPairsWhereTheyCostTooMuch) {
  const Pairs pairs = gaussian_pairs("iom-grp:m=50,q=50", 400, 16);
  const Dataset recovered = recover("ridge:pairs=300", pairs.target, pairs.knowledge());
  EXPECT_EQ(recovered.provenance->properties.at("pairs_used"), "300");
  EXPECT_GT(mean_cosine(recovered.templates, pairs.original.templates), 0.4);
}

// Null control: pairs that have nothing to do with each other. 300 cosines in 16 dimensions: deviation 0.0144.
TEST(RidgeRecovery, LearnsNothingFromNothing) {
  Pairs pairs = gaussian_pairs("biohash", 2000, 16);
  pairs.protected_clear.templates = protect("biohash", dataset_of(gaussian_templates(2000, 16, 9))).templates;
  const Dataset recovered = recover("ridge", pairs.target, pairs.knowledge());
  EXPECT_NEAR(mean_cosine(recovered.templates, pairs.original.templates), 0, 0.058);
}

TEST(RidgeRecovery, RefusesWhatItCannotUse) {
  const Pairs pairs = gaussian_pairs("biohash:length=8", 20, 16);
  EXPECT_NE(error_of([&] { recover("ridge", pairs.target); }).find("--protected"), std::string::npos);
  EXPECT_NE(error_of([&] { recover("ridge", pairs.target, {.clear = &pairs.clear}); }).find("--protected"),
            std::string::npos);
  const Dataset other = protect("biohash:length=9", pairs.original);
  EXPECT_NE(error_of([&] { recover("ridge", other, pairs.knowledge()); }).find("9 bits"), std::string::npos);
}

}  // namespace
}  // namespace bauta
