// Isotonic calibration and ZEBRA. Values named in techniques.md 5.7 are marked; others are hand calculations.
#include "isotonic.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "bauta/core/random.hpp"
#include "bauta/measure/verification.hpp"
#include "score_vectors.hpp"

namespace bauta {
namespace {

using Fit = IsotonicFit<std::uint64_t>;

TEST(Isotonic, PoolsViolators) {
  Fit fit;
  fit.add(0, 2);
  fit.add(1, 1);
  fit.add(1, 3);  // share falls from 1/2 to 1/4: pooled to 2/6
  fit.add(2, 1);
  fit.add(1, 0);
  ASSERT_EQ(fit.blocks().size(), 4U);
  EXPECT_EQ(fit.blocks()[0].non_mated, 2U);
  EXPECT_EQ(fit.blocks()[1].mated, 2U);
  EXPECT_EQ(fit.blocks()[1].non_mated, 4U);
  EXPECT_EQ(fit.blocks()[2].mated, 2U);
  EXPECT_EQ(fit.blocks()[3].non_mated, 0U);
}

TEST(Isotonic, CountsBeyondTheProductOf64Bits) {
  Fit fit;
  const std::uint64_t big = std::uint64_t{1} << 40;
  fit.add(big, big + 1);
  fit.add(big + 1, big);  // a larger share by less than a double can tell: must stay apart
  EXPECT_EQ(fit.blocks().size(), 2U);
}

TEST(Isotonic, MinimalCostOfTwoBlocks) {
  // Hand calculation: blocks (1, 3) and (3, 1): likelihood ratios 1/3 and 3, so
  // min Cllr = (1/4) log2(1 + 3) + (3/4) log2(1 + 1/3); the hull's corner is (1/4, 1/4).
  Fit fit;
  fit.add(1, 3);
  fit.add(3, 1);
  const auto result = calibrated_information<std::uint64_t>(fit.blocks());
  EXPECT_NEAR(result.min_cllr, 0.25 * 2 + 0.75 * std::log2(4.0 / 3), 1e-14);
  EXPECT_NEAR(result.rocch_eer, 0.25, 1e-15);
}

/// Mated scores calibrated to l, non-mated to -l.
double symmetric_bits(double l) {
  return 2 * zebra_information(l) * std::numbers::log2e;
}

TEST(Zebra, PublishedValues) {
  // techniques.md 5.7: l = +-0.5 -> 0.211511, +-2 -> 0.566226, full separation -> 1 / ln 4.
  EXPECT_NEAR(symmetric_bits(0.5), 0.211511, 1e-6);
  EXPECT_NEAR(symmetric_bits(2), 0.566226, 1e-6);
  EXPECT_NEAR(symmetric_bits(std::numeric_limits<double>::infinity()), 1 / std::log(4.0), 1e-15);
}

TEST(Zebra, InformationNearZeroAndAtInfinity) {
  EXPECT_EQ(zebra_information(0), 0);
  EXPECT_EQ(zebra_information(std::numeric_limits<double>::infinity()), 0.25);
  EXPECT_NEAR(zebra_information(800), 0.25, 1e-15);
  // Series and closed form meet where one takes over from the other.
  for (double a : {0.02, -0.02}) {
    EXPECT_NEAR(zebra_information(a * (1 - 1e-9)), zebra_information(a * (1 + 1e-9)), 1e-11);
  }
  // Closed form in extended precision.
  for (long double a : {0.001L, 0.0199L, -0.015L, 0.3L, -5.0L, 12.0L}) {
    const long double b = std::expm1(a);
    EXPECT_NEAR(zebra_information(static_cast<double>(a)), static_cast<double>(0.25L + (a - b) / (2 * b * b)), 1e-12);
  }
}

TEST(Zebra, Tags) {
  EXPECT_EQ(zebra_tag(0), "0");
  EXPECT_EQ(zebra_tag(0.5), "A");
  EXPECT_EQ(zebra_tag(1), "B");
  EXPECT_EQ(zebra_tag(2), "C");
  EXPECT_EQ(zebra_tag(3.99), "C");
  EXPECT_EQ(zebra_tag(4), "D");
  EXPECT_EQ(zebra_tag(5), "E");
  EXPECT_EQ(zebra_tag(6), "F");
}

TEST(Zebra, LaplaceLabelsAloneAreNoTrial) {
  // One mated below one non-mated score: all six labels pool to one half, so nobody can be recognised.
  Fit fit;
  fit.add(1, 0, false);
  fit.add(0, 1, false);
  fit.add(1, 0);
  fit.add(0, 1);
  fit.add(1, 0, false);
  fit.add(0, 1, false);
  EXPECT_EQ(worst_case_log10(fit.blocks(), 1, 1), 0);
  // Leading labels keep a block of their own (share 1/2) when all trials lie above it; it must not count.
  Fit lone;
  lone.add(1, 0, false);
  lone.add(0, 1, false);
  lone.add(9, 1);
  EXPECT_NEAR(worst_case_log10(lone.blocks(), 9, 9), std::log10(9.0), 1e-14);
  EXPECT_EQ(lone.blocks().size(), 2U);
  EXPECT_FALSE(lone.blocks()[0].compared);
}

// All scores are one value. Labels at one end pool with the trials, those at the other keep a block of their own that
// must not count. By hand: blocks {1 + 1, 1 + 10} | {1, 1}, so 2/11 of the labels at odds 1 : 10, and its mirror image.
TEST(Zebra, LabelsOfNeitherEndAreTrials) {
  const std::vector<float> one = {5}, ten(10, 5.F);
  const VerificationOptions options;
  const auto few = measure_verification<float>(ScoreVectors<float>(one, ten), options);
  EXPECT_NEAR(few.zebra.worst_case_log10, std::log10(20.0 / 11), 1e-14);
  const auto many = measure_verification<float>(ScoreVectors<float>(ten, one), options);
  EXPECT_NEAR(many.zebra.worst_case_log10, std::log10(20.0 / 11), 1e-14);
}

}  // namespace
}  // namespace bauta
