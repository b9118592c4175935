#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "bauta/compare/engine.hpp"
#include "bauta/compare/top_n.hpp"
#include "bauta/core/parallel.hpp"
#include "random_templates.hpp"

namespace bauta {
namespace {

Templates rows_of(const std::vector<std::vector<float>>& rows) {
  Matrix<float> values(rows.size(), rows[0].size());
  for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(rows[i], values.row(i).begin());
  return Templates(std::move(values));
}

Matrix<float> all_scores(const Templates& probes, const Templates& references) {
  const auto comparator = make_comparator("chi-square");
  Matrix<float> scores(probes.rows(), references.rows());
  comparator->tile(*comparator->prepare(probes, Side::probe, "p"), {0, probes.rows()},
                   *comparator->prepare(references, Side::reference, "r"), {0, references.rows()}, scores.view());
  return scores;
}

Templates histograms(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  const Templates drawn = random_templates(rows, cols, seed);
  Matrix<float> values(rows, cols);
  // A third of the bins is empty.
  for (std::size_t i = 0; i < values.size(); ++i) {
    values.data()[i] = i % 3 == seed % 3 ? 0 : std::abs(drawn.floats().data[i]);
  }
  return Templates(std::move(values));
}

// By hand: 2 ((1 - 3)^2 / 4 + (2 - 0)^2 / 2) = 6; the third bin is empty on both sides.
TEST(ChiSquare, HandCalculatedScores) {
  const Templates one = rows_of({{1, 2, 0}}), two = rows_of({{3, 0, 0}, {1, 2, 0}});
  EXPECT_FLOAT_EQ(all_scores(one, two)(0, 0), -6);
  EXPECT_EQ(all_scores(one, two)(0, 1), 0);
}

TEST(ChiSquare, AgreesWithDoubleArithmeticAndIsSymmetric) {
  const Templates a = histograms(5, 1101, 1), b = histograms(4, 1101, 2);
  const Matrix<float> scores = all_scores(a, b), turned = all_scores(b, a);
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < 1101; ++k) {
        const double x = a.floats()(i, k), y = b.floats()(j, k);
        if (x + y > 0) sum += (x - y) * (x - y) / (x + y);
      }
      EXPECT_NEAR(scores(i, j) / (-2 * sum), 1, 1e-5);
      EXPECT_EQ(scores(i, j), turned(j, i));
    }
  }
}

TEST(ChiSquare, TheEngineFindsTheSameForAnyNumberOfThreads) {
  const Templates probes = histograms(150, 40, 3), references = histograms(300, 40, 4);
  const auto comparator = make_comparator("chi-square");
  const auto nearest = [&](int count) {
    set_threads(count);
    TopN best(3, 150, 300, 1);
    TileConsumer* consumers[] = {&best};
    compare_all(*comparator, *comparator->prepare(probes, Side::probe, "p"),
                *comparator->prepare(references, Side::reference, "r"), Pairs::all, consumers);
    std::vector<std::pair<std::size_t, float>> found;
    for (std::size_t i = 0; i < 150; ++i) {
      for (const Neighbour& neighbour : best.best(i)) found.emplace_back(neighbour.reference, neighbour.score);
    }
    return found;
  };
  const auto one = nearest(1);
  EXPECT_EQ(one, nearest(2));
  set_threads(0);
  const Matrix<float> scores = all_scores(probes, references);
  for (std::size_t i = 0; i < 150; ++i) {
    const auto row = scores.row(i);
    EXPECT_EQ(one[3 * i].second, *std::max_element(row.begin(), row.end()));
  }
}

TEST(ChiSquare, WhatIsNegativeIsNoHistogram) {
  const auto comparator = make_comparator("chi-square");
  EXPECT_THROW((void)comparator->prepare(rows_of({{1, 2}, {0.5F, -0.5F}}), Side::probe, "p"), Error);
}

}  // namespace
}  // namespace bauta
