// Subject-level bootstrap against a draw-by-draw weighted oracle; coverage on a population with known truth.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"
#include "bauta/measure/unlinkability.hpp"
#include "bauta/measure/verification.hpp"
#include "draw_weights.hpp"
#include "oracle.hpp"
#include "score_vectors.hpp"

namespace bauta {
namespace {

struct Comparisons {
  std::vector<float> scores;
  std::vector<std::uint32_t> probes, references;
};

/// Every pair of samples; `grid` 0 is continuous.
Comparisons compare_all(std::uint32_t subjects, std::uint32_t samples, double grid, std::uint64_t item) {
  Stream stream(9, "comparisons", item);
  Comparisons c;
  for (std::uint32_t a = 0; a < subjects * samples; ++a) {
    for (std::uint32_t b = 0; b < a; ++b) {
      const double v = stream.normal() + (a / samples == b / samples ? 1.3 : 0);
      c.scores.push_back(static_cast<float>(grid == 0 ? v : std::round(v * grid) / grid));
      c.probes.push_back(a / samples);
      c.references.push_back(b / samples);
    }
  }
  return c;
}

// So many scores that those between two mated ones are taken together, and so little memory that they are cut.
TEST(SubjectBootstrap, MemoryMovesNoDigit) {
  const Comparisons c = compare_all(240, 3, 0, 5);
  const ScoreVectors<float> source(c.scores, c.probes, c.references, 240);
  VerificationOptions options;
  options.bootstrap = 65;
  options.memory = std::uint64_t{1} << 30;
  const VerificationResult all = measure_verification<float>(source, options);
  ASSERT_GE(all.non_mated, std::uint64_t{3} << 16);  // runs of three
  ASSERT_TRUE(all.d_prime_ci && all.cllr_ci);
  for (const std::uint64_t memory : {std::uint64_t{1} << 18, std::uint64_t{3} << 19}) {
    options.memory = memory;
    const VerificationResult result = measure_verification<float>(source, options);
    EXPECT_EQ(result.d_prime_ci->low, all.d_prime_ci->low) << memory;
    EXPECT_EQ(result.d_prime_ci->high, all.d_prime_ci->high) << memory;
    EXPECT_EQ(result.cllr_ci->low, all.cllr_ci->low) << memory;
    EXPECT_EQ(result.cllr_ci->high, all.cllr_ci->high) << memory;
  }
}

/// `Score` double and many subject ids exercise the wider records.
template <class Score>
void expect_oracle_intervals(const Comparisons& c, std::uint32_t subjects, std::uint64_t memory) {
  VerificationOptions options;
  options.fmr = {0.3, 0.1};
  options.bootstrap = 130;  // two full blocks of draws and a part
  options.seed = 4;
  options.memory = memory;
  const ScoreVectors<Score> source(std::vector<Score>(c.scores.begin(), c.scores.end()), c.probes, c.references,
                                   subjects);
  const auto result = measure_verification<Score>(source, options);

  const auto high = std::max_element(c.scores.begin(), c.scores.end());
  std::vector<double> eer, rocch, auc, d_prime, cllr, fnmr;
  std::size_t skipped = 0;
  ASSERT_EQ(result.eer_draws.size(), options.bootstrap);
  for (std::size_t draw = 0; draw < options.bootstrap; ++draw) {
    Stream stream(options.seed, "bootstrap", draw);
    std::vector<double> weight(subjects);
    for (std::uint32_t i = 0; i < subjects; ++i) ++weight[stream.below(subjects)];
    oracle::Scores mated, non;
    for (std::size_t i = 0; i < c.scores.size(); ++i) {
      const double a = weight[c.probes[i]], b = weight[c.references[i]];
      if (c.probes[i] == c.references[i]) {
        mated.add(c.scores[i], a);
      } else {
        non.add(c.scores[i], a * b);
      }
    }
    if (mated.total() == 0 || non.total() == 0) {
      ++skipped;
      EXPECT_TRUE(std::isnan(result.eer_draws[draw]) && std::isnan(result.auc_draws[draw]) &&
                  std::isnan(result.fnmr_at_fmr[1].draws[draw]));
      continue;
    }
    const auto r = oracle::measure(mated, non, *high + 1.0, {});
    eer.push_back(r.eer);
    rocch.push_back(r.rocch_eer);
    auc.push_back(r.auc);
    d_prime.push_back(r.d_prime);
    cllr.push_back(r.cllr);
    fnmr.push_back(oracle::fnmr_at(r.curve, 0.1 + 1e-12));
    EXPECT_NEAR(result.eer_draws[draw], r.eer, 1e-10);
    EXPECT_NEAR(result.auc_draws[draw], r.auc, 1e-10);
    EXPECT_NEAR(result.fnmr_at_fmr[1].draws[draw], fnmr.back(), 1e-10);
  }
  const auto expect = [](const std::optional<Interval>& got, const std::optional<Interval>& expected,
                         double tolerance = 1e-10) {
    ASSERT_EQ(got.has_value(), expected.has_value());
    if (!got) return;
    EXPECT_NEAR(got->low, expected->low, tolerance);
    EXPECT_NEAR(got->high, expected->high, tolerance);
  };
  const auto mated = static_cast<double>(result.mated);
  expect(result.eer_ci, drawn_rate_interval(result.eer, eer, 4 * mated, subjects));
  expect(result.rocch_eer_ci, drawn_rate_interval(result.rocch_eer, rocch, 4 * mated, subjects));
  expect(result.auc_ci, drawn_rate_interval(result.auc, auc, 4 * mated, subjects));
  expect(result.fnmr_at_fmr[1].ci, drawn_rate_interval(result.fnmr_at_fmr[1].fnmr, fnmr, mated, subjects));
  expect(result.d_prime_ci, widened_percentiles(d_prime, subjects));
  expect(result.cllr_ci, widened_percentiles(cllr, subjects));
  const bool said = std::any_of(result.remarks.begin(), result.remarks.end(),
                                [](const std::string& r) { return r.find("were left out") != std::string::npos; });
  EXPECT_EQ(said, skipped > 0);
}

TEST(SubjectBootstrap, EveryDrawIsExact) {
  expect_oracle_intervals<float>(compare_all(6, 3, 0, 1), 6, 1 << 30);
  expect_oracle_intervals<double>(compare_all(6, 3, 0, 1), 6, 1 << 30);
}

TEST(SubjectBootstrap, EveryDrawIsExactWithTies) {
  expect_oracle_intervals<float>(compare_all(7, 3, 1, 2), 7, 1 << 30);
  expect_oracle_intervals<double>(compare_all(7, 3, 2, 3), 7, 1 << 30);
}

TEST(SubjectBootstrap, EveryDrawIsExactWhenOneValueExceedsTheMemory) {
  expect_oracle_intervals<float>(compare_all(7, 3, 1, 2), 7, 16);
  expect_oracle_intervals<double>(compare_all(7, 3, 0.5, 3), 7, 100);
}

TEST(SubjectBootstrap, DrawsWithoutAClassAreLeftOutAndCounted) {
  // Two subjects: half of the draws hold one subject twice and no non-mated pair.
  expect_oracle_intervals<float>(compare_all(2, 4, 2, 5), 2, 1 << 30);
}

TEST(SubjectBootstrap, ManySubjectsUseWideRecords) {
  // Ids beyond 16 bits; only the first ten have comparisons.
  auto c = compare_all(10, 2, 0, 6);
  for (auto& s : c.probes) s = 69990 + s;
  for (auto& s : c.references) s = 69990 + s;
  VerificationOptions options;
  options.bootstrap = 40;
  const auto wide = measure_verification<float>(ScoreVectors<float>(c.scores, c.probes, c.references, 70000), options);
  const auto wider = measure_verification<double>(
      ScoreVectors<double>(std::vector<double>(c.scores.begin(), c.scores.end()), c.probes, c.references, 70000),
      options);
  ASSERT_TRUE(wide.eer_ci && wider.eer_ci);
  EXPECT_EQ(wide.eer_ci->low, wider.eer_ci->low);
  EXPECT_EQ(wide.auc_ci->high, wider.auc_ci->high);
  EXPECT_LT(wide.auc_ci->low, wide.auc_ci->high);
}

TEST(SubjectBootstrap, TotalsOfManyPairsDoNotOverflow) {
  // 300,000 comparisons of the most drawn subjects: weights must add up beyond 16 bits in every kernel.
  const DrawWeights weights(3, 64, 1);
  std::vector<PackedRecord> records(300000, PackedRecord::make(0, 0, 1));
  DrawTotals totals(weights);
  for (std::size_t i = 0; i < records.size(); ++i) totals.add(0, 0, 1);
  std::vector<double> mated, non_mated, sums(draw_lanes);
  totals.finish(mated, non_mated);
  add_pair_weights(records.data(), records.size(), weights.block(0), weights.largest(), sums.data());
  for (std::size_t d = 0; d < 64; ++d) {
    const double expected = 300000.0 * weights.block(0)[d] * weights.block(0)[draw_lanes + d];
    EXPECT_EQ(non_mated[d], expected);
    EXPECT_EQ(sums[d], expected);
    EXPECT_EQ(mated[d], 0);
  }
}

// Twelve people whose scores lie apart: no error was seen, and no resampling sees one. Wilson's interval of 0 of 12
// ends at 0.2425 (z^2 / (12 + z^2)).
TEST(SubjectBootstrap, NoErrorSeenIsNotNoUncertainty) {
  auto c = compare_all(12, 3, 0, 7);
  for (std::size_t i = 0; i < c.scores.size(); ++i) c.scores[i] += c.probes[i] == c.references[i] ? 100.F : 0.F;
  VerificationOptions options;
  options.fmr = {0.1, 0.0001};
  const auto result = measure_verification<float>(ScoreVectors<float>(c.scores, c.probes, c.references, 12), options);
  ASSERT_EQ(result.eer, 0);
  for (const double draw : result.eer_draws) EXPECT_EQ(draw, 0);  // whoever the resampling leaves out
  for (const auto& ci : {result.eer_ci, result.rocch_eer_ci, result.fnmr_at_fmr[0].ci}) {
    ASSERT_TRUE(ci);
    EXPECT_EQ(ci->low, 0);
    EXPECT_NEAR(ci->high, 0.2425, 1e-4);
  }
  EXPECT_NEAR(result.auc_ci->low, 1 - 0.2425, 1e-4);
  EXPECT_EQ(result.auc_ci->high, 1);
  EXPECT_FALSE(result.fnmr_at_fmr[1].ci);  // 594 non-mated comparisons do not resolve 0.01 %
  EXPECT_TRUE(result.d_prime_ci && result.cllr_ci);
}

// Of one person 60 samples, of four people two each: 1,770 of 1,774 mated comparisons are one person's, and are worth
// 1,774^2 / (1,770^2 + 4) = 1.0045 people. Nobody knows how others would fare.
TEST(SubjectBootstrap, OnePersonIsNotMany) {
  const std::vector<std::uint32_t> of_sample = [] {
    std::vector<std::uint32_t> people(60, 0);
    for (std::uint32_t person = 1; person < 5; ++person) people.insert(people.end(), 2, person);
    return people;
  }();
  Stream stream(5, "one person");
  Comparisons c;
  for (std::size_t a = 0; a < of_sample.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      c.scores.push_back(static_cast<float>(stream.normal() + (of_sample[a] == of_sample[b] ? 1.3 : 0)));
      c.probes.push_back(of_sample[a]);
      c.references.push_back(of_sample[b]);
    }
  }
  const auto result =
      measure_verification<float>(ScoreVectors<float>(c.scores, c.probes, c.references, 5), VerificationOptions{});
  const double p = result.eer, n = 1774.0 * 1774 / (1770.0 * 1770 + 4), z2 = 1.959963984540054 * 1.959963984540054;
  const double centre = (p + z2 / (2 * n)) / (1 + z2 / n);
  const double half = std::sqrt(z2 * p * (1 - p) / n + z2 * z2 / (4 * n * n)) / (1 + z2 / n);
  EXPECT_NEAR(result.eer_ci->low, centre - half, 1e-9);
  EXPECT_NEAR(result.eer_ci->high, centre + half, 1e-9);
  EXPECT_FALSE(result.d_prime_ci);
}

// Sums about the middle of the scores keep the digits of d' where scores lie far from zero.
TEST(SubjectBootstrap, IntervalOfDPrimeFarFromZero) {
  const auto c = compare_all(8, 3, 64, 8);
  const auto measured = [&](double offset) {
    std::vector<double> scores(c.scores.begin(), c.scores.end());
    for (double& score : scores) score += offset;
    VerificationOptions options;
    options.bootstrap = 64;
    return measure_verification<double>(ScoreVectors<double>(scores, c.probes, c.references, 8), options).d_prime_ci;
  };
  const auto near = measured(0), far = measured(1 << 28);
  EXPECT_NEAR(far->low, near->low, 1e-6);
  EXPECT_NEAR(far->high, near->high, 1e-6);
}

// A subject effect of known size: score = subject effect of both sides + noise. The 95 % interval of AUC must cover the
// truth about as often as it says, while treating comparisons as independent must not. Truth: 900 subjects once.
TEST(SubjectBootstrap, CoversTheTruthOfAGaussianPopulation) {
  const auto population = [](std::uint32_t subjects, std::uint64_t item) {
    Stream stream(21, "population", item);
    std::vector<double> effect(subjects);
    for (double& e : effect) e = stream.normal();
    Comparisons c;
    for (std::uint32_t a = 0; a < subjects; ++a) {
      for (std::uint32_t b = 0; b <= a; ++b) {
        for (int k = 0; k < (a == b ? 12 : 1); ++k) {
          c.scores.push_back(static_cast<float>(effect[a] + effect[b] + stream.normal() + (a == b ? 1.5 : 0)));
          c.probes.push_back(a);
          c.references.push_back(b);
        }
      }
    }
    return c;
  };
  VerificationOptions options;
  options.permutations = 0;
  options.bootstrap = 0;
  const auto large = population(900, 0);
  const double truth =
      measure_verification<float>(ScoreVectors<float>(large.scores, large.probes, large.references, 900), options).auc;
  options.bootstrap = 200;
  int covered = 0, covered_as_independent = 0;
  const int repetitions = 120;
  for (int r = 0; r < repetitions; ++r) {
    const auto c = population(30, 1 + static_cast<std::uint64_t>(r));
    const auto by_subject =
        measure_verification<float>(ScoreVectors<float>(c.scores, c.probes, c.references, 30), options).auc_ci;
    covered += by_subject->low <= truth && truth <= by_subject->high;
    std::vector<float> mated, non_mated;
    for (std::size_t i = 0; i < c.scores.size(); ++i) {
      (c.probes[i] == c.references[i] ? mated : non_mated).push_back(c.scores[i]);
    }
    const auto independent = measure_verification<float>(ScoreVectors<float>(mated, non_mated), options).auc_ci;
    covered_as_independent += independent->low <= truth && truth <= independent->high;
  }
  EXPECT_GE(covered, repetitions * 85 / 100);
  EXPECT_LT(covered_as_independent, covered);
}

}  // namespace
}  // namespace bauta
