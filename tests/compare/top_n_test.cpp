#include "bauta/compare/top_n.hpp"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "bauta/core/parallel.hpp"
#include "random_templates.hpp"

namespace bauta {
namespace {

void run(TopN& top, const Templates& probes, const Templates& references) {
  const auto comparator = make_comparator("dot");
  const auto p = comparator->prepare(probes, Side::probe, "p");
  const auto r = comparator->prepare(references, Side::reference, "r");
  TileConsumer* const consumers[] = {&top};
  compare_all(*comparator, *p, *r, Pairs::all, consumers);
}

float score(const Templates& a, std::size_t i, const Templates& b, std::size_t j) {
  float sum = 0;
  for (std::size_t k = 0; k < a.cols(); ++k) sum += a.floats()(i, k) * b.floats()(j, k);
  return sum;
}

TEST(TopN, EqualsAFullSort) {
  const Templates probes = random_templates(300, 8, 1);
  const Templates references = random_templates(5000, 8, 2);
  TopN top(37, probes.rows(), references.rows(), 1);
  run(top, probes, references);
  for (std::size_t i = 0; i < probes.rows(); i += 29) {
    std::vector<float> all;
    for (std::size_t j = 0; j < references.rows(); ++j) all.push_back(score(probes, i, references, j));
    std::sort(all.rbegin(), all.rend());
    const auto best = top.best(i);
    for (std::size_t k = 0; k < 37; ++k) {
      EXPECT_NEAR(best[k].score, all[k], 1e-5);
      EXPECT_NEAR(best[k].score, score(probes, i, references, best[k].reference), 1e-5);
    }
  }
}

// Of equal scores those of least key: the finaliser of SplitMix64 (Steele, Lea and Flood 2014) of the seed and the
// numbers of probe and reference, computed in Python 3.11.
TEST(TopN, TiesGoByTheirKeys) {
  TopN top(3, 4, 9, 5);
  run(top, Templates(Matrix<float>(4, 1, 1.0F)), Templates(Matrix<float>(9, 1, 1.0F)));
  const std::vector<std::vector<std::uint32_t>> expected = {{1, 3, 6}, {3, 8, 0}, {5, 6, 8}, {0, 4, 5}};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(top.best(i)[k].reference, expected[i][k]) << i << ' ' << k;
  }
}

// More equals than are held at a time: those of least key all the same.
TEST(TopN, NoneOfManyEqualsIsForgotten) {
  for (const std::size_t n : {1U, 3U, 40U}) {
    TopN top(n, 5, 700, 2), expected(n, 5, 700, 2);
    run(top, Templates(Matrix<float>(5, 1, 1.0F)), Templates(Matrix<float>(700, 1, 1.0F)));
    for (std::size_t i = 0; i < 5; ++i) {
      std::vector<Neighbour> all;
      for (std::uint32_t j = 0; j < 700; ++j) all.push_back({1.0F, j});
      expected.keep(i, all);
      for (std::size_t k = 0; k < n; ++k) EXPECT_EQ(top.best(i)[k].reference, expected.best(i)[k].reference) << n;
    }
  }
}

TEST(TopN, PerClassEqualsAFullSortOfTheClass) {
  const Templates probes = random_templates(20, 8, 3);
  const Templates references = random_templates(3000, 8, 4);
  std::vector<std::int32_t> classes(references.rows());
  for (std::size_t j = 0; j < classes.size(); ++j) classes[j] = static_cast<std::int32_t>(j % 4) - 1;  // -1 is left out
  TopN top(10, probes.rows(), references.rows(), 1, {classes, 3});
  run(top, probes, references);
  for (std::size_t i = 0; i < probes.rows(); ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      std::vector<float> all;
      for (std::size_t j = c + 1; j < references.rows(); j += 4) all.push_back(score(probes, i, references, j));
      std::sort(all.rbegin(), all.rend());
      for (std::size_t k = 0; k < 10; ++k) EXPECT_NEAR(top.best(i, c)[k].score, all[k], 1e-5);
    }
  }
}

TEST(TopN, IsCappedAtTheSmallestClass) {
  const TopN top(10, 1, 5, 1, {{0, 0, 0, 1, 1}, 2});
  EXPECT_EQ(top.n_used(), 2U);
  EXPECT_EQ(TopN(10, 1, 1, 1, {}, true).n_used(), 0U);  // nobody is left besides oneself
  EXPECT_EQ(TopN(10, 1, 0, 1, {}, true).n_used(), 0U);
}

TEST(TopN, LeavesOutTheSameRow) {
  const Templates rows = random_templates(50, 4, 5);
  TopN top(49, 50, 50, 1, {}, true);
  run(top, rows, rows);
  EXPECT_EQ(top.n_used(), 49U);
  for (std::size_t i = 0; i < 50; ++i) {
    for (const Neighbour& neighbour : top.best(i)) EXPECT_NE(neighbour.reference, i);
  }
}

// All scores equal: over many probes every reference is chosen equally often, wherever it stands in the input.
// 4,000 probes choose 1 of 8: expectation 500, standard deviation 20.9; 5 deviations are allowed.
TEST(TopN, TiesDoNotFollowInputOrder) {
  const Templates probes(Matrix<float>(4000, 2, 1.0F));
  const Templates references(Matrix<float>(8, 2, 1.0F));
  TopN top(1, 4000, 8, 7);
  run(top, probes, references);
  std::map<std::uint32_t, int> chosen;
  for (std::size_t i = 0; i < 4000; ++i) ++chosen[top.best(i)[0].reference];
  for (std::uint32_t j = 0; j < 8; ++j) EXPECT_NEAR(chosen[j], 500, 105) << j;
}

TEST(TopN, SameBitsForAnyThreadCount) {
  const Templates probes = random_templates(700, 16, 6);
  const Templates references = random_templates(5000, 16, 7);
  set_threads(1);
  TopN one(20, 700, 5000, 1);
  run(one, probes, references);
  set_threads(2);
  TopN two(20, 700, 5000, 1);
  run(two, probes, references);
  set_threads(0);
  for (std::size_t i = 0; i < 700; ++i) {
    for (std::size_t k = 0; k < 20; ++k) {
      ASSERT_EQ(one.best(i)[k].reference, two.best(i)[k].reference);
      ASSERT_EQ(one.best(i)[k].score, two.best(i)[k].score);
    }
  }
}

}  // namespace
}  // namespace bauta
