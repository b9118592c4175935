// Linkage against values that tests/attack/references.py computes from the definitions alone.
#include <cmath>

#include <gtest/gtest.h>

#include "bauta/attack/linkage.hpp"

namespace bauta {
namespace {

Templates rows_of(const std::vector<std::pair<float, float>>& rows) {
  Matrix<float> values(rows.size(), 2);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    values(i, 0) = rows[i].first;
    values(i, 1) = rows[i].second;
  }
  return Templates(std::move(values));
}

/// Classes of four, two and one; the second feature is pulled back and doubled.
struct Known {
  Templates originals = rows_of({{0, 1}, {2, 0}, {4, 5}, {1, 3}, {10, 2}, {16, -1}, {5, 9}});
  Templates anonymised = rows_of({{6.25F, 6.5F}, {5.5F, 4.5F}, {7.5F, 2.25F}, {7, 12.5F}});
  std::vector<std::int32_t> classes = {0, 0, 0, 0, 1, 1, 2};
  std::vector<std::size_t> truth = {2, 0, 5, 6};
  Blend blend{.size = 4, .own = 2, .pull = {0, 0.5}, .scale = {1, 2}, .retained = {1}, .retained_for = {}};
};

void expect_standings(const std::vector<Standing>& found, const std::vector<Standing>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].above, expected[i].above) << i;
    EXPECT_EQ(found[i].tied, 1U) << i;
    EXPECT_EQ(found[i].candidates, expected[i].candidates) << i;
    EXPECT_NEAR(found[i].posterior, expected[i].posterior, 2e-6) << i;
    EXPECT_NEAR(found[i].divergence, expected[i].divergence, 5e-6) << i;
  }
}

TEST(KnownLinkage, LikelihoodOfEveryCandidate) {
  const Known known;
  expect_standings(
      link_by_likelihood(known.blend, {known.anonymised, known.originals, known.classes, known.truth}, "test"),
      {{1, 1, 4, 0.0852665, 1.0932761},
       {0, 1, 4, 0.7936545, 0.7345323},
       {0, 1, 2, 0.5300841, 0.0018112},
       {0, 1, 1, 1, 0}});
}

TEST(KnownLinkage, OriginalsThatAreASampleOfThePopulation) {
  const Known known;
  const std::vector<std::size_t> population = {9, 5, 3};
  expect_standings(
      link_by_likelihood(known.blend, {known.anonymised, known.originals, known.classes, known.truth, population},
                         "test"),
      {{1, 1, 4, 0.0549595, 1.1715948},
       {0, 1, 4, 0.7489002, 0.6487270},
       {0, 1, 2, 0.6300468, 0.0342164},
       {0, 1, 1, 1, 0}});
}

// The mean of those of other classes counts, also where there is one of them.
TEST(KnownLinkage, OneStrangerInAllSets) {
  const Known known;
  const Templates originals = rows_of({{0, 1}, {2, 0}, {4, 5}, {16, -1}});
  const Templates records = rows_of({{8.875F, 0.75F}, {9.125F, 0.75F}});
  const std::vector<std::int32_t> classes = {0, 0, 0, 1};
  const std::vector<std::size_t> truth = {0, 0};
  expect_standings(link_by_likelihood(known.blend, {records, originals, classes, truth}, "test"),
                   {{1, 1, 3, 0.3345894, 0.4612310}, {1, 1, 3, 0.0216153, 0.9943515}});
}

// By hand: originals 0, 2 and 6 of one class, in sets of two. The means around 0 are 1 and 3, around 2 they are 1 and
// 4, around 6 they are 3 and 4: 2, 2.5 and 3.5 on average. The one companion, drawn from all, has the variance 56/9 of
// the originals, a quarter of which is that of the mean.
TEST(KnownLinkage, WithoutOtherClassesTheCompanionsVaryAlone) {
  Matrix<float> rows(3, 1), records(2, 1);
  rows(0, 0) = 0, rows(1, 0) = 2, rows(2, 0) = 6;
  records(0, 0) = 3.25F, records(1, 0) = 1;
  const Templates originals(std::move(rows)), anonymised(std::move(records));
  const Blend blend{.size = 2, .own = 2, .pull = {0}, .scale = {1}, .retained = {}, .retained_for = {}};
  const std::vector<std::int32_t> classes = {0, 0, 0};
  const std::vector<std::size_t> truth = {1, 0};
  const auto found = link_by_likelihood(blend, {anonymised, originals, classes, truth}, "test");
  ASSERT_EQ(found.size(), 2U);
  const auto weight = [](double record, double mean) { return std::exp(-std::pow(record - mean, 2) / (2 * 14.0 / 9)); };
  for (std::size_t i = 0; i < 2; ++i) {
    const double record = i == 0 ? 3.25 : 1;
    const double weights[] = {weight(record, 2), weight(record, 2.5), weight(record, 3.5)};
    EXPECT_NEAR(found[i].posterior, weights[truth[i]] / (weights[0] + weights[1] + weights[2]), 1e-6);
    EXPECT_EQ(found[i].above, i == 0 ? 1U : 0U);  // 3.25 is nearer to 3.5, 1 is nearest to 2
    EXPECT_EQ(found[i].candidates, 3U);
  }
}

// Without `truth`, record i is original i's: each of the originals, not mixed at all, is its own likeliest.
TEST(KnownLinkage, TheSameRowIsTheRightOneUnlessToldOtherwise) {
  const Known known;
  const Blend nothing{.size = 1, .own = 1, .pull = {0, 0}, .scale = {1, 1}, .retained = {0, 1}, .retained_for = {}};
  const BlendedRecords records{known.originals, known.originals, known.classes};
  for (const auto& standings :
       {link_by_likelihood(nothing, records, "test"), link_by_retained(nothing, records, "test")}) {
    ASSERT_EQ(standings.size(), 7U);
    for (const Standing& standing : standings) {
      EXPECT_EQ(standing.above, 0U);
      EXPECT_EQ(standing.tied, 1U);
    }
  }
  // Nothing is hidden, and the attacker is sure of it.
  EXPECT_NEAR(link_by_likelihood(nothing, records, "test")[4].posterior, 1, 1e-12);
}

TEST(KnownLinkage, RetainedFeaturesInUnitsOfTheirDeviation) {
  Known known;
  const double posterior[] = {0.3051004, 0.1131345, 0.0946411, 0.5827676};
  const std::uint32_t above[] = {0, 3, 5, 0};
  // A feature that is the same in all originals tells nothing, whatever the records have there.
  for (const bool constant : {false, true}) {
    if (constant) {
      known.originals = rows_of({{7, 1}, {7, 0}, {7, 5}, {7, 3}, {7, 2}, {7, -1}, {7, 9}});
      known.blend.retained = {0, 1};
    }
    const auto found =
        link_by_retained(known.blend, {known.anonymised, known.originals, known.classes, known.truth}, "test");
    ASSERT_EQ(found.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(found[i].above, above[i]) << i;
      EXPECT_EQ(found[i].candidates, 7U);
      EXPECT_NEAR(found[i].posterior, posterior[i], 2e-6) << i;
    }
  }
}

// References 0, 0, 1, 1, 2, 2 ... in a scattered order, more than two tiles of them: of the right one v, all that are
// larger stand above, and its double is tied. Softmax: exp(v / temperature) over their sum.
TEST(KnownLinkage, StandingsOverManyTiles) {
  const auto comparator = make_comparator("dot");
  const std::size_t half = comparator->reference_tile() + 3, count = 2 * half;
  const std::size_t probes = comparator->probe_tile() + 5;
  const auto value = [&](std::size_t j) { return (j * 3 % count) / 2; };
  Matrix<float> references(count, 1);
  const auto temperature = static_cast<double>(half);
  double sum = 0;
  for (std::size_t j = 0; j < count; ++j) {
    references(j, 0) = static_cast<float>(value(j));
    sum += std::exp(static_cast<double>(value(j)) / temperature);
  }
  ASSERT_NE(count % 3, 0U);  // so that 3 j takes every value
  std::vector<std::size_t> truth(probes);
  for (std::size_t i = 0; i < probes; ++i) truth[i] = i * 13 % count;
  const auto found = link_records(*comparator, Templates(Matrix<float>(probes, 1, 1.0F)),
                                  Templates(std::move(references)), truth, {ScoreWeight::softmax, temperature}, "test");
  for (std::size_t i = 0; i < probes; ++i) {
    const std::size_t own = value(truth[i]);
    ASSERT_EQ(found[i].above, count - 2 - 2 * own) << i;
    ASSERT_EQ(found[i].tied, 2U) << i;
    ASSERT_EQ(found[i].candidates, count);
    ASSERT_NEAR(found[i].posterior, std::exp(static_cast<double>(own) / temperature) / sum, 1e-9) << i;
  }
}

}  // namespace
}  // namespace bauta
