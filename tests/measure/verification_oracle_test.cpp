// Random score sets with heavy ties against the oracle; and the same bits for every memory budget and thread count.
#include <gtest/gtest.h>

#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"
#include "bauta/measure/unlinkability.hpp"
#include "bauta/measure/verification.hpp"
#include "oracle.hpp"
#include "score_vectors.hpp"

namespace bauta {
namespace {

constexpr std::uint64_t all_in_memory = std::uint64_t{1} << 30;

template <class Score>
struct Case {
  std::vector<Score> mated, non_mated;
};

/// `grid` distinct steps between scores (0: continuous), shifted classes, now and then a class of one score.
template <class Score>
Case<Score> random_case(std::uint64_t item, std::size_t largest) {
  Stream stream(3, "oracle case", item);
  Case<Score> result;
  const std::size_t m = item % 7 == 0 ? 1 : 1 + stream.below(largest),
                    n = item % 5 == 0 ? 1 : 1 + stream.below(largest);
  const double grid = item % 3 == 0 ? 0 : 1 + static_cast<double>(stream.below(8));
  const double shift = static_cast<double>(stream.below(4)) - 1;
  const auto score = [&](double mean) {
    const double v = mean + stream.normal();
    return static_cast<Score>(grid == 0 ? v : std::round(v * grid) / grid);
  };
  for (std::size_t i = 0; i < m; ++i) result.mated.push_back(score(shift));
  for (std::size_t i = 0; i < n; ++i) result.non_mated.push_back(score(0));
  return result;
}

template <class T>
class VerificationOracle : public testing::Test {};
using ScoreTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(VerificationOracle, ScoreTypes);

TYPED_TEST(VerificationOracle, AgreesWithTheDefinitions) {
  for (std::uint64_t item = 0; item < 100; ++item) {
    SCOPED_TRACE(item);
    const auto scores = random_case<TypeParam>(item, 40);
    oracle::Scores mated, non;
    for (auto v : scores.mated) mated.add(static_cast<double>(v));
    for (auto v : scores.non_mated) non.add(static_cast<double>(v));
    auto all = mated.value;
    all.insert(all.end(), non.value.begin(), non.value.end());
    const auto high = std::max_element(all.begin(), all.end());
    const auto above =
        static_cast<double>(std::nextafter(static_cast<TypeParam>(*high), std::numeric_limits<TypeParam>::infinity()));
    const std::size_t bins = linkability_bins(std::min(scores.mated.size(), scores.non_mated.size()));
    const auto expected =
        oracle::measure(mated, non, above, oracle::bin_begins(all, mated.value.size(), non.value.size(), bins));

    VerificationOptions options;
    options.fmr = {1, 0.5, 0.1, 0.05, 0.01, 0};
    options.memory = item % 2 == 0 ? all_in_memory : 64;
    const auto result =
        measure_verification<TypeParam>(ScoreVectors<TypeParam>(scores.mated, scores.non_mated), options);
    EXPECT_EQ(result.mated, scores.mated.size());
    EXPECT_EQ(result.non_mated, scores.non_mated.size());
    EXPECT_NEAR(result.eer, expected.eer, 1e-12);
    EXPECT_NEAR(result.eer_bracket.low, expected.bracket_low, 1e-12);
    EXPECT_NEAR(result.eer_bracket.high, expected.bracket_high, 1e-12);
    EXPECT_EQ(result.eer_threshold, expected.eer_threshold);
    EXPECT_NEAR(result.rocch_eer, expected.rocch_eer, 1e-12);
    EXPECT_NEAR(result.auc, expected.auc, 1e-12);
    ASSERT_EQ(result.d_prime.has_value(), std::isfinite(expected.d_prime));
    if (result.d_prime) {
      EXPECT_NEAR(*result.d_prime, expected.d_prime, 1e-9 * std::fabs(expected.d_prime) + 1e-12);
    }
    EXPECT_NEAR(result.cllr, expected.cllr, 1e-12);
    EXPECT_NEAR(result.min_cllr, expected.min_cllr, 1e-12);
    EXPECT_NEAR(result.zebra.expected_bits, expected.bits, 1e-7);  // the oracle's closed form cancels near 0
    EXPECT_NEAR(result.d_sys, expected.d_sys, 1e-12);
    for (const OperatingPoint& point : result.fnmr_at_fmr) {
      const auto at = std::find_if(expected.curve.begin(), expected.curve.end(),
                                   [&](const oracle::Point& p) { return p.fmr <= point.fmr; });
      EXPECT_EQ(point.threshold, at->threshold);
      EXPECT_NEAR(point.fnmr, at->fnmr, 1e-12);
      EXPECT_NEAR(point.actual_fmr, at->fmr, 1e-12);
      EXPECT_NEAR(static_cast<double>(point.false_matches), at->fmr * non.total(), 1e-9);
      EXPECT_NEAR(static_cast<double>(point.false_non_matches), at->fnmr * mated.total(), 1e-9);
      EXPECT_EQ(point.resolvable, point.fmr >= 1 / non.total());
    }
    for (const CurvePoint& point : result.det) {
      const auto at = std::find_if(expected.curve.begin(), expected.curve.end(),
                                   [&](const oracle::Point& p) { return p.threshold == point.threshold; });
      ASSERT_NE(at, expected.curve.end());
      EXPECT_NEAR(point.fmr, at->fmr, 1e-12);
      EXPECT_NEAR(point.fnmr, at->fnmr, 1e-12);
    }
    EXPECT_EQ(result.det.front().fmr, 1);
    EXPECT_EQ(result.det.back().fnmr, 1);
    EXPECT_EQ(result.det.size(), expected.curve.size());  // a small set is drawn in full
  }
}

void expect_same(const std::optional<Interval>& a, const std::optional<Interval>& b) {
  ASSERT_EQ(a.has_value(), b.has_value());
  if (!a) return;
  EXPECT_EQ(a->low, b->low);
  EXPECT_EQ(a->high, b->high);
}

void expect_same(const VerificationResult& a, const VerificationResult& b) {
  EXPECT_EQ(a.mated, b.mated);
  EXPECT_EQ(a.non_mated, b.non_mated);
  EXPECT_EQ(a.eer, b.eer);
  EXPECT_EQ(a.eer_bracket.low, b.eer_bracket.low);
  EXPECT_EQ(a.eer_bracket.high, b.eer_bracket.high);
  EXPECT_EQ(a.eer_threshold, b.eer_threshold);
  EXPECT_EQ(a.rocch_eer, b.rocch_eer);
  EXPECT_EQ(a.auc, b.auc);
  EXPECT_EQ(a.d_prime, b.d_prime);
  EXPECT_EQ(a.d_sys, b.d_sys);
  EXPECT_EQ(a.d_sys_null, b.d_sys_null);
  EXPECT_EQ(a.d_sys_null_high, b.d_sys_null_high);
  EXPECT_EQ(a.cllr, b.cllr);
  EXPECT_EQ(a.min_cllr, b.min_cllr);
  EXPECT_EQ(a.zebra.expected_bits, b.zebra.expected_bits);
  EXPECT_EQ(a.zebra.worst_case_log10, b.zebra.worst_case_log10);
  EXPECT_EQ(a.histogram.edges, b.histogram.edges);
  EXPECT_EQ(a.histogram.mated, b.histogram.mated);
  EXPECT_EQ(a.histogram.non_mated, b.histogram.non_mated);
  EXPECT_EQ(a.remarks, b.remarks);
  expect_same(a.eer_ci, b.eer_ci);
  expect_same(a.rocch_eer_ci, b.rocch_eer_ci);
  expect_same(a.auc_ci, b.auc_ci);
  expect_same(a.d_prime_ci, b.d_prime_ci);
  expect_same(a.cllr_ci, b.cllr_ci);
  ASSERT_EQ(a.fnmr_at_fmr.size(), b.fnmr_at_fmr.size());
  for (std::size_t i = 0; i < a.fnmr_at_fmr.size(); ++i) {
    EXPECT_EQ(a.fnmr_at_fmr[i].fnmr, b.fnmr_at_fmr[i].fnmr);
    EXPECT_EQ(a.fnmr_at_fmr[i].threshold, b.fnmr_at_fmr[i].threshold);
    EXPECT_EQ(a.fnmr_at_fmr[i].false_matches, b.fnmr_at_fmr[i].false_matches);
    expect_same(a.fnmr_at_fmr[i].ci, b.fnmr_at_fmr[i].ci);
  }
  ASSERT_EQ(a.det.size(), b.det.size());
  for (std::size_t i = 0; i < a.det.size(); ++i) {
    EXPECT_EQ(a.det[i].threshold, b.det[i].threshold);
    EXPECT_EQ(a.det[i].fmr, b.det[i].fmr);
    EXPECT_EQ(a.det[i].fnmr, b.det[i].fnmr);
  }
}

/// All pairs of samples of some subjects; grid 0 is continuous, otherwise scores have few distinct values.
template <class Score>
ScoreVectors<Score> subject_scores(std::size_t subjects, std::size_t samples, double grid, std::uint64_t item) {
  Stream stream(5, "subject scores", item);
  std::vector<Score> scores;
  std::vector<std::uint32_t> probes, references;
  for (std::uint32_t a = 0; a < subjects * samples; ++a) {
    for (std::uint32_t b = 0; b < a; ++b) {
      const auto first = static_cast<std::uint32_t>(a / samples), second = static_cast<std::uint32_t>(b / samples);
      const double v = stream.normal() + (first == second ? 1.5 : 0);
      scores.push_back(static_cast<Score>(grid == 0 ? v : std::round(v * grid) / grid));
      probes.push_back(first);
      references.push_back(second);
    }
  }
  return {std::move(scores), std::move(probes), std::move(references), subjects};
}

TYPED_TEST(VerificationOracle, NeitherMemoryNorThreadsChangeABit) {
  for (double grid : {0.0, 2.0, 64.0}) {
    SCOPED_TRACE(grid);
    const auto source = subject_scores<TypeParam>(40, 4, grid, 1);  // 12720 comparisons
    for (std::size_t bootstrap : {std::size_t{0}, std::size_t{70}}) {
      VerificationOptions options;
      options.bootstrap = bootstrap;
      set_threads(1);
      const auto expected = measure_verification<TypeParam>(source, options);
      EXPECT_EQ(expected.eer_ci.has_value(), bootstrap > 0);
      for (std::uint64_t memory : {all_in_memory, std::uint64_t{20000}, std::uint64_t{3000}}) {
        for (int workers : {1, 2, 3}) {
          if (memory < 20000 && grid == 0 && workers != 2) continue;  // hundreds of scans
          SCOPED_TRACE(std::to_string(memory) + " bytes, " + std::to_string(workers) + " threads");
          options.memory = memory;
          set_threads(workers);
          expect_same(measure_verification<TypeParam>(source, options), expected);
        }
      }
    }
  }
  set_threads(0);
}

}  // namespace
}  // namespace bauta
