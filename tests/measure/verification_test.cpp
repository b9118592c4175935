// Known answers, invariances and degenerate inputs of measure_verification.
#include "bauta/measure/verification.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"
#include "score_vectors.hpp"

namespace bauta {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

VerificationResult measure(const std::vector<double>& mated, const std::vector<double>& non_mated,
                           std::vector<double> fmr = {0.1, 0.05}) {
  VerificationOptions options;
  options.fmr = std::move(fmr);
  return measure_verification<double>(ScoreVectors<double>(mated, non_mated), options);
}

bool remarks_on(const VerificationResult& result, std::string_view text) {
  for (const std::string& remark : result.remarks) {
    if (remark.find(text) != std::string::npos) return true;
  }
  return false;
}

std::vector<double> spread(std::size_t n, std::size_t factor, std::size_t start, std::size_t modulus, double scale,
                           double offset) {
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) {
    values.push_back(static_cast<double>((i * factor + start) % modulus) / scale - offset);
  }
  return values;
}

// Expected values: numpy 1.24.2, scipy 1.10.1, scikit-learn 1.2.1 on the same 60 mated and 90 non-mated numbers
// (roc_auc_score; root of the interpolated roc_curve; IsotonicRegression on pooled ties, with the labels 1,0 before and
// behind for the worst case; scipy.integrate.quad of default minus actual empirical cross-entropy over the prior;
// DeLong, Newcombe's method 5 and Wilson curves written out in numpy).
TEST(Verification, AgreesWithScientificPython) {
  const auto mated = spread(60, 37, 11, 101, 50.0, 0), non_mated = spread(90, 53, 7, 97, 60.0, 0.2);
  const auto result = measure(mated, non_mated);
  EXPECT_NEAR(result.auc, 0.70203703703703701, 1e-15);
  EXPECT_NEAR(result.eer, 0.383333333333, 1e-11);
  EXPECT_NEAR(*result.d_prime, 0.79855429330719563, 1e-13);
  EXPECT_NEAR(result.cllr, 1.0081631113434675, 1e-13);
  EXPECT_NEAR(result.min_cllr, 0.77117023667887319, 1e-13);
  EXPECT_NEAR(result.zebra.expected_bits, 0.164427326365, 1e-10);
  EXPECT_NEAR(result.zebra.worst_case_log10, 1.45484486000851, 1e-12);
  EXPECT_EQ(result.zebra.tag, "B");
  EXPECT_NEAR(result.d_sys, 0.29519774011299427, 1e-14);  // numpy, bins of six scores each
  EXPECT_NEAR(result.fnmr_at_fmr[0].fnmr, 0.6, 1e-15);
  EXPECT_NEAR(result.fnmr_at_fmr[1].fnmr, 0.65, 1e-15);
  EXPECT_NEAR(result.auc_ci->low, 0.610245493925638, 1e-12);   // Newcombe
  EXPECT_NEAR(result.auc_ci->high, 0.788378524179958, 1e-12);  // DeLong
  EXPECT_NEAR(result.eer_ci->low, 0.279018914857202, 1e-12);
  EXPECT_NEAR(result.eer_ci->high, 0.509824041759001, 1e-12);
  EXPECT_TRUE(remarks_on(result, "independent"));
}

TEST(Verification, AllScoresEqual) {
  const auto result = measure({2, 2, 2}, {2, 2, 2, 2, 2});
  EXPECT_EQ(result.eer, 0.5);
  EXPECT_EQ(result.rocch_eer, 0.5);
  EXPECT_EQ(result.eer_bracket.low, 0);
  EXPECT_EQ(result.eer_bracket.high, 1);
  EXPECT_EQ(result.auc, 0.5);
  EXPECT_FALSE(result.d_prime.has_value());
  EXPECT_EQ(result.d_sys, 0);
  EXPECT_EQ(result.d_sys_null, 0);
  EXPECT_NEAR(result.min_cllr, 1, 1e-15);
  EXPECT_EQ(result.zebra.expected_bits, 0);
  EXPECT_EQ(result.fnmr_at_fmr[0].fnmr, 1);  // the only point with FMR <= 0.1 is (0, 1)
  ASSERT_EQ(result.det.size(), 2U);
  EXPECT_EQ(result.det[0].fmr, 1);
  EXPECT_EQ(result.det[1].fnmr, 1);
  EXPECT_EQ(result.histogram.mated, (std::vector<std::uint64_t>{3}));
}

TEST(Verification, OneScoreOfEachKind) {
  EXPECT_EQ(measure({1}, {0}).eer, 0);
  EXPECT_EQ(measure({1}, {0}).auc, 1);
  EXPECT_EQ(measure({0}, {1}).eer, 1);
  EXPECT_EQ(measure({0}, {1}).auc, 0);
  EXPECT_TRUE(remarks_on(measure({0}, {1}), "below 0.5"));
  EXPECT_FALSE(remarks_on(measure({1}, {0}), "below 0.5"));
  EXPECT_TRUE(remarks_on(measure({1}, {0}), "D_sys is unknown: 1 mated comparisons are too few"));
  EXPECT_FALSE(measure({1}, {0}).d_sys_known);
}

// One mated score has no variance to be seen. Newcombe's method 5 in numpy 1.24.2: 14 / 15 of 30, [0.37216, 0.99626].
TEST(Verification, FewScoresAreNotCertain) {
  std::vector<double> non_mated;
  for (int i = 0; i < 30; ++i) non_mated.push_back(i);
  const auto result = measure({27.5}, non_mated);
  EXPECT_NEAR(result.auc, 28.0 / 30, 1e-15);
  EXPECT_NEAR(result.auc_ci->low, 0.3721645788710481, 1e-12);
  EXPECT_NEAR(result.auc_ci->high, 1, 1e-12);  // DeLong, cut
}

// techniques.md 5.6 and 5.7: fully separable scores give D_sys 1, 1/ln 4 bits and a worst case of log10(N + 1).
TEST(Verification, SeparableThousands) {
  const auto result = measure(spread(1000, 1, 0, 1000, 1000.0, -2), spread(1000, 1, 0, 1000, 1000.0, 0));
  EXPECT_EQ(result.eer, 0);
  EXPECT_EQ(result.eer_threshold, 2);
  EXPECT_EQ(result.rocch_eer, 0);
  EXPECT_EQ(result.auc, 1);
  EXPECT_NEAR(result.auc_ci->low, wilson(1000, 1000).low, 1e-15);  // no score out of order
  EXPECT_NEAR(result.d_sys, 1, 1e-15);
  EXPECT_NEAR(result.zebra.expected_bits, 1 / std::log(4.0), 1e-15);
  EXPECT_NEAR(result.zebra.worst_case_log10, std::log10(1001.0), 1e-12);
  EXPECT_EQ(result.zebra.tag, "C");
  EXPECT_EQ(result.min_cllr, 0);
  EXPECT_EQ(result.fnmr_at_fmr[0].fnmr, 0);
  EXPECT_TRUE(remarks_on(result, "rule of 3"));
}

TEST(Verification, IdenticalListsDiscloseNothing) {
  const auto scores = spread(500, 7, 3, 211, 10.0, 0);
  const auto result = measure(scores, scores);
  EXPECT_NEAR(result.eer, 0.5, 1e-12);
  EXPECT_EQ(result.auc, 0.5);
  EXPECT_EQ(*result.d_prime, 0);
  EXPECT_EQ(result.d_sys, 0);
  EXPECT_NEAR(result.min_cllr, 1, 1e-15);
  EXPECT_EQ(result.zebra.expected_bits, 0);
  EXPECT_EQ(result.zebra.worst_case_log10, 0);
  EXPECT_EQ(result.zebra.tag, "0");
}

// Distances taken for similarities: every mated score is below every other. Wilson's for 300 errors in 300 trials is
// [300 / (300 + 1.95996^2), 1].
TEST(Verification, AnErrorRateOfOneHasAnIntervalThatHoldsIt) {
  const auto result = measure(spread(300, 1, 0, 300, 300.0, 0), spread(3000, 1, 0, 3000, 3000.0, -2));
  EXPECT_EQ(result.eer, 1);
  ASSERT_TRUE(result.eer_ci);
  EXPECT_NEAR(result.eer_ci->low, 300 / (300 + 3.8414588), 1e-7);
  EXPECT_NEAR(result.eer_ci->high, 1, 1e-12);
}

// One score far away took D_sys from 1 to 0.0002 where bins were equal parts of the range. Separable scores, 300 and
// 3,000: a non-mated outlier above all shifts a place by one, so that of the 300 highest one is not mated, in the first
// of 15 pieces of 20: 1 - (1/300 + small) by numpy 0.9960.
TEST(Verification, OneScoreDoesNotRuleLinkability) {
  auto mated = spread(300, 1, 0, 300, 300.0, -10), non_mated = spread(3000, 7, 0, 3001, 3001.0, 0);
  EXPECT_NEAR(measure(mated, non_mated).d_sys, 1, 1e-12);
  EXPECT_NEAR(measure(mated, non_mated).maximal_linkability, 1, 1e-12);
  non_mated[5] = 1e6;
  EXPECT_GT(measure(mated, non_mated).d_sys, 0.99);
  EXPECT_GT(measure(mated, non_mated).maximal_linkability, 0.98);
  mated[7] = -1e9;
  EXPECT_GT(measure(mated, non_mated).d_sys, 0.985);
  // One more of two that were far apart already changes as little.
  mated[8] = -1e300;
  EXPECT_GT(measure(mated, non_mated).d_sys, 0.98);
}

// D_sys is a functional of likelihood ratios, which no strictly increasing map of the scores changes.
TEST(Verification, LinkabilityIsTheSameOnAnyScale) {
  auto mated = spread(400, 37, 11, 1009, 300.0, 0), non_mated = spread(4000, 53, 7, 4099, 2000.0, 1);
  const auto before = measure(mated, non_mated);
  for (auto* scores : {&mated, &non_mated}) {
    for (double& score : *scores) score = std::exp(3 * score) - 7;
  }
  const auto after = measure(mated, non_mated);
  EXPECT_GT(before.d_sys, 0.1);
  EXPECT_EQ(after.d_sys, before.d_sys);
  EXPECT_EQ(after.d_sys_null, before.d_sys_null);
  EXPECT_EQ(after.maximal_linkability, before.maximal_linkability);
}

// Normal scores d = 2 apart, 2,000 and 20,000: the integral of p(s | mated) D(s) is 0.6165 (trapezoid rule, numpy
// 1.24.2). The null level of 2,000 mated is near 0.05, but where scores differ the bias is far smaller.
TEST(Verification, LinkabilityOfNormalScores) {
  Stream stream(5, "normal scores");
  std::vector<double> mated, non_mated;
  for (int i = 0; i < 2000; ++i) mated.push_back(stream.normal() + 2);
  for (int i = 0; i < 20000; ++i) non_mated.push_back(stream.normal());
  EXPECT_NEAR(measure(mated, non_mated).d_sys, 0.6165, 0.02);
}

// Two samples of 1000 of one distribution, 100 bins of 20 scores: numpy 1.24.2, 400 repetitions, mean 0.1128, standard
// deviation 0.0106; the null level from exchanged labels must say the same.
TEST(Verification, NullLevelOfLinkability) {
  Stream stream(11, "null level");
  std::vector<double> mated, non_mated;
  for (int i = 0; i < 1000; ++i) {
    mated.push_back(stream.normal());
    non_mated.push_back(stream.normal());
  }
  const auto result = measure(mated, non_mated);
  EXPECT_NEAR(result.d_sys_null, 0.1128, 0.004);
  EXPECT_NEAR(result.d_sys, result.d_sys_null, 0.04);
  EXPECT_GT(result.d_sys_null_high, result.d_sys_null);
  EXPECT_LT(result.d_sys_null_high, result.d_sys_null + 0.04);
}

TEST(Verification, InvariantUnderIncreasingMaps) {
  // Multiples of 1/64, so that neither map merges or splits scores by rounding.
  const auto mated = spread(60, 37, 11, 101, 64.0, 0), non_mated = spread(90, 53, 7, 97, 64.0, 0.25);
  const auto mapped = [](std::vector<double> values, auto map) {
    for (double& v : values) v = map(v);
    return values;
  };
  const auto expected = measure(mated, non_mated);
  const auto map = [](double v) { return std::exp(3 * v) - 1000; };
  const auto result = measure(mapped(mated, map), mapped(non_mated, map));
  EXPECT_EQ(result.eer, expected.eer);
  EXPECT_EQ(result.rocch_eer, expected.rocch_eer);
  EXPECT_EQ(result.auc, expected.auc);
  EXPECT_EQ(result.auc_ci->low, expected.auc_ci->low);
  EXPECT_EQ(result.min_cllr, expected.min_cllr);
  EXPECT_EQ(result.zebra.expected_bits, expected.zebra.expected_bits);
  EXPECT_EQ(result.zebra.worst_case_log10, expected.zebra.worst_case_log10);
  EXPECT_EQ(result.fnmr_at_fmr[0].fnmr, expected.fnmr_at_fmr[0].fnmr);

  const auto shift = [](double v) { return v + 1024; };
  const auto shifted = measure(mapped(mated, shift), mapped(non_mated, shift));
  EXPECT_EQ(shifted.eer, expected.eer);
  EXPECT_NEAR(*shifted.d_prime, *expected.d_prime, 1e-9);
}

TEST(Verification, SwappedRolesAndSignsMirrorTheCurve) {
  const auto mated = spread(60, 37, 11, 101, 50.0, 0), non_mated = spread(90, 53, 7, 97, 60.0, 0.2);
  const auto negated = [](std::vector<double> values) {
    for (double& v : values) v = -v;
    return values;
  };
  const auto forward = measure(mated, non_mated), mirrored = measure(negated(non_mated), negated(mated));
  EXPECT_NEAR(mirrored.eer, forward.eer, 1e-12);
  EXPECT_NEAR(mirrored.rocch_eer, forward.rocch_eer, 1e-12);
  EXPECT_NEAR(mirrored.auc, forward.auc, 1e-15);
  EXPECT_NEAR(*mirrored.d_prime, *forward.d_prime, 1e-12);
  EXPECT_NEAR(mirrored.cllr, forward.cllr, 1e-12);
  EXPECT_NEAR(mirrored.min_cllr, forward.min_cllr, 1e-12);
  const auto inverted = measure(negated(mated), negated(non_mated));
  EXPECT_NEAR(inverted.auc, 1 - forward.auc, 1e-15);
}

TEST(Verification, InfiniteScoresAreOrdinaryRanks) {
  const auto result = measure({1, infinity, infinity}, {-infinity, 0, 0.5});
  EXPECT_EQ(result.eer, 0);
  EXPECT_EQ(result.auc, 1);
  EXPECT_FALSE(result.d_prime.has_value());
  EXPECT_TRUE(std::isfinite(result.cllr));  // infinitely sure, and right
  // Hand calculation: mated ln(1 + e^-1), non-mated ln 2 and ln(1 + e^.5), the others cost nothing.
  const double expected =
      0.5 / std::log(2.0) * (std::log1p(std::exp(-1.0)) / 3 + (std::log(2.0) + std::log1p(std::exp(0.5))) / 3);
  EXPECT_NEAR(result.cllr, expected, 1e-14);
  EXPECT_EQ(measure({-infinity, 1}, {0, 1}).cllr, infinity);
  const auto only_infinite = measure(std::vector<double>(30, infinity), std::vector<double>(30, -infinity));
  EXPECT_EQ(only_infinite.eer, 0);
  EXPECT_EQ(only_infinite.d_sys, 1);
}

TEST(Verification, NegativeZeroTiesWithZero) {
  EXPECT_EQ(measure({-0.0}, {0.0}).auc, 0.5);
  EXPECT_EQ(measure({0.0}, {-0.0}).auc, 0.5);
}

TEST(Verification, ThresholdReachesItsRates) {
  // Hand calculation: FMR 0.25 allows one of four non-mated scores, so the threshold is the next score above 3.
  const auto result = measure({2.5, 3.5, 4.5}, {1, 2, 3, 4}, {0.25, 0.2, 0.75});
  EXPECT_EQ(result.fnmr_at_fmr[0].threshold, 3.5);
  EXPECT_NEAR(result.fnmr_at_fmr[0].fnmr, 1.0 / 3, 1e-15);
  EXPECT_EQ(result.fnmr_at_fmr[0].actual_fmr, 0.25);
  EXPECT_TRUE(result.fnmr_at_fmr[0].resolvable);
  EXPECT_EQ(result.fnmr_at_fmr[1].threshold, 4.5);
  EXPECT_NEAR(result.fnmr_at_fmr[1].fnmr, 2.0 / 3, 1e-15);
  EXPECT_EQ(result.fnmr_at_fmr[1].actual_fmr, 0);
  EXPECT_FALSE(result.fnmr_at_fmr[1].resolvable);
  EXPECT_EQ(result.fnmr_at_fmr[2].threshold, 2);
  EXPECT_EQ(result.fnmr_at_fmr[2].fnmr, 0);
  EXPECT_TRUE(remarks_on(result, "cannot be resolved"));
}

TEST(Verification, RefusesWhatCannotBeMeasured) {
  EXPECT_THROW(measure({}, {1, 2}), Error);
  EXPECT_THROW(measure({1, 2}, {}), Error);
  EXPECT_THROW(measure({}, {}), Error);
  EXPECT_THROW(measure({1}, {std::nan("")}), Error);
  EXPECT_THROW(measure({1}, {0}, {1.5}), Error);
  EXPECT_THROW(measure({1}, {0}, {std::nan("")}), Error);
  try {
    measure({}, {1, 2});
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::input);
    EXPECT_NE(error.finding.find("0 mated and 2 non-mated"), std::string::npos);
    EXPECT_FALSE(error.hint.empty());
  }
}

TEST(Verification, NoIntervalsWithoutBootstrap) {
  VerificationOptions options;
  options.bootstrap = 0;
  const auto result = measure_verification<double>(ScoreVectors<double>({1, 2}, {0, 1}), options);
  EXPECT_FALSE(result.eer_ci || result.auc_ci || result.fnmr_at_fmr[0].ci);
  EXPECT_TRUE(remarks_on(result, "bootstrap is 0"));
}

// 0, 1, ..., 100: rank floor(q * 100) is the score itself. One non-mated score is all of its quantiles.
TEST(Verification, QuantilesAreTheScoresOfTheirRanks) {
  std::vector<float> mated(101);
  for (std::size_t i = 0; i < mated.size(); ++i) mated[i] = static_cast<float>(100 - i);
  for (const std::uint64_t memory : {std::uint64_t{64}, std::uint64_t{1} << 20}) {
    VerificationOptions options;
    options.memory = memory;
    const VerificationResult result = measure_verification(ScoreVectors<float>(mated, {7}), options);
    EXPECT_EQ(result.mated_quantiles, (std::array<double, 5>{2, 25, 50, 75, 97}));
    EXPECT_EQ(result.non_mated_quantiles, (std::array<double, 5>{7, 7, 7, 7, 7}));
  }
}

// A hundred equal bins from the lowest finite score to the highest; a score on an edge belongs to the bin above it, the
// highest to the last.
TEST(Verification, HistogramByHand) {
  const auto result = measure({0, 1, 0.5}, {0.255, 0.5, 0.999, 0, -infinity});
  ASSERT_EQ(result.histogram.edges.size(), 101U);
  EXPECT_EQ(result.histogram.edges[0], 0);
  EXPECT_NEAR(result.histogram.edges[37], 0.37, 1e-15);
  EXPECT_EQ(result.histogram.edges[100], 1);
  std::vector<std::uint64_t> mated(100, 0), non_mated(100, 0);
  mated[0] = mated[50] = mated[99] = 1;
  non_mated[0] = 2;
  non_mated[25] = non_mated[50] = non_mated[99] = 1;
  EXPECT_EQ(result.histogram.mated, mated);
  EXPECT_EQ(result.histogram.non_mated, non_mated);

  const auto one = measure({2, infinity}, {2, -infinity}).histogram;  // one finite score in the middle of [1.5, 2.5]
  EXPECT_EQ(one.edges.front(), 1.5);
  EXPECT_EQ(one.edges.back(), 2.5);
  EXPECT_EQ(one.mated[50] + one.mated[99], 2U);
  EXPECT_EQ(one.non_mated[50] + one.non_mated[0], 2U);
  const auto none = measure({infinity}, {-infinity}).histogram;
  EXPECT_EQ(none.edges.front(), -1);
  EXPECT_EQ(none.edges.back(), 1);
  const auto wide = measure({1.6e308}, {-1.6e308}).histogram;  // wider than the largest number
  EXPECT_EQ(wide.edges.front(), -1.6e308);
  EXPECT_NEAR(wide.edges[50] / 1.6e308, 0, 1e-12);
  EXPECT_NEAR(wide.edges[75] / 1.6e308, 0.5, 1e-12);
  EXPECT_EQ(wide.edges.back(), 1.6e308);
}

// FMR 0.1 allows 30 of 300 non-mated scores 1 .. 300, so the threshold is 271.
TEST(Verification, RulesOfThreeAndThirty) {
  const auto with_errors = [](std::size_t errors, double fmr) {
    std::vector<double> mated(100, 280.5), non_mated;
    for (std::size_t i = 0; i < errors; ++i) mated[i] = 0.5;
    for (int i = 1; i <= 300; ++i) non_mated.push_back(i);
    return measure(mated, non_mated, {fmr});
  };
  EXPECT_FALSE(remarks_on(with_errors(30, 0.1), "rule of"));
  EXPECT_TRUE(remarks_on(with_errors(29, 0.1), "rests on 29 errors"));
  EXPECT_TRUE(remarks_on(with_errors(0, 0.1), "no error in 100 mated comparisons"));
  EXPECT_TRUE(remarks_on(with_errors(0, 0.1), "below 3 %"));
  EXPECT_FALSE(remarks_on(with_errors(0, 0.1), "rests on"));
  EXPECT_TRUE(remarks_on(with_errors(30, 0.098), "rests on 29 false matches"));
  EXPECT_FALSE(remarks_on(with_errors(30, 0.001), "false matches"));  // not resolved at all
  EXPECT_TRUE(remarks_on(with_errors(30, 0.001), "0.1 % cannot be resolved by 300"));
  EXPECT_TRUE(remarks_on(with_errors(30, 0.001), "already 0.333 %"));
  EXPECT_TRUE(remarks_on(measure({0, 0}, {1, -1, 1}), "AUC 0.3333 is below 0.5"));
  EXPECT_TRUE(remarks_on(measure({0, 0}, {1, -1, 1}), "as much as 0.6667"));
  EXPECT_FALSE(remarks_on(measure({0, 0}, {0, 0, 0}), "one bin only"));  // nothing to bin
  EXPECT_TRUE(remarks_on(measure({-infinity}, {1}), "Cllr is infinite"));
  EXPECT_TRUE(remarks_on(measure({1, 1}, {0, 0}), "no spread"));
}

// Wilson's for 30 errors of 100; nothing where the rate is not resolved.
TEST(Verification, IntervalOfFnmrAtFmrWithoutSubjects) {
  std::vector<double> mated(100, 400), non_mated;
  for (std::size_t i = 0; i < 30; ++i) mated[i] = 0.5;
  for (int i = 1; i <= 300; ++i) non_mated.push_back(i);
  const auto points = measure(mated, non_mated, {0.1, 0.001}).fnmr_at_fmr;
  EXPECT_NEAR(points[0].ci->low, wilson(30, 100).low, 1e-15);
  EXPECT_NEAR(points[0].ci->high, wilson(30, 100).high, 1e-15);
  EXPECT_FALSE(points[1].ci);
}

TEST(Verification, DetPointsAreFewAndCoverBothTails) {
  Stream stream(2, "det");
  std::vector<float> mated, non_mated;
  for (int i = 0; i < 30000; ++i) mated.push_back(static_cast<float>(stream.normal() + 2));
  for (int i = 0; i < 90000; ++i) non_mated.push_back(static_cast<float>(stream.normal()));
  VerificationOptions options;
  options.bootstrap = 0;
  const auto result = measure_verification<float>(ScoreVectors<float>(mated, non_mated), options);
  EXPECT_LE(result.det.size(), 400U);
  EXPECT_GE(result.det.size(), 300U);
  double lowest_fmr = 1, lowest_fnmr = 1;
  for (std::size_t i = 0; i < result.det.size(); ++i) {
    if (result.det[i].fmr > 0) lowest_fmr = std::min(lowest_fmr, result.det[i].fmr);
    if (result.det[i].fnmr > 0) lowest_fnmr = std::min(lowest_fnmr, result.det[i].fnmr);
    if (i == 0) continue;
    EXPECT_GT(result.det[i].threshold, result.det[i - 1].threshold);
    EXPECT_LE(result.det[i].fmr, result.det[i - 1].fmr);
    EXPECT_GE(result.det[i].fnmr, result.det[i - 1].fnmr);
  }
  EXPECT_LT(lowest_fmr, 2.0 / 90000);
  EXPECT_LT(lowest_fnmr, 2.0 / 30000);
  std::uint64_t sum = 0;
  for (std::uint64_t n : result.histogram.non_mated) sum += n;
  EXPECT_EQ(sum, 90000U);
  EXPECT_EQ(result.histogram.edges.size(), 101U);
}

}  // namespace
}  // namespace bauta
