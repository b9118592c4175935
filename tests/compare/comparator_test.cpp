#include "bauta/compare/comparator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "gemm.hpp"
#include "random_templates.hpp"

namespace bauta {
namespace {

Matrix<float> all_scores(const std::string& name, const Templates& probes, const Templates& references) {
  const auto comparator = make_comparator(name);
  const auto p = comparator->prepare(probes, Side::probe, "p");
  const auto r = comparator->prepare(references, Side::reference, "r");
  Matrix<float> scores(probes.rows(), references.rows());
  comparator->tile(*p, {0, probes.rows()}, *r, {0, references.rows()}, scores.view());
  return scores;
}

// Hand calculation: (3,4) and (4,3) have lengths 5 and product 24; (0,2) has product 8 with the first.
TEST(Comparator, HandCalculatedScores) {
  Matrix<float> one(1, 2);
  one(0, 0) = 3, one(0, 1) = 4;
  Matrix<float> two(2, 2);
  two(0, 0) = 4, two(0, 1) = 3, two(1, 0) = 0, two(1, 1) = 2;
  const Templates probe(std::move(one));
  const Templates references(std::move(two));
  EXPECT_NEAR(all_scores("cosine", probe, references)(0, 0), 24.0 / 25, 1e-6);
  EXPECT_NEAR(all_scores("cosine", probe, references)(0, 1), 0.8, 1e-6);
  EXPECT_NEAR(all_scores("dot", probe, references)(0, 1), 8, 1e-6);
  EXPECT_NEAR(all_scores("euclidean", probe, references)(0, 0), -std::sqrt(2.0), 1e-6);
  EXPECT_NEAR(all_scores("euclidean", probe, references)(0, 1), -std::sqrt(13.0), 1e-6);
}

TEST(Comparator, AgreesWithDoubleArithmetic) {
  const Templates a = random_templates(17, 33, 1);
  const Templates b = random_templates(9, 33, 2);
  const Matrix<float> cosine = all_scores("cosine", a, b);
  const Matrix<float> euclidean = all_scores("euclidean", a, b);
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < b.rows(); ++j) {
      double dot = 0, aa = 0, bb = 0, d = 0;
      for (std::size_t k = 0; k < 33; ++k) {
        const double x = a.floats()(i, k), y = b.floats()(j, k);
        dot += x * y, aa += x * x, bb += y * y, d += (x - y) * (x - y);
      }
      EXPECT_NEAR(cosine(i, j), dot / std::sqrt(aa * bb), 1e-6);
      EXPECT_NEAR(euclidean(i, j), -std::sqrt(d), 1e-5);
    }
  }
}

// |p|^2 + |r|^2 - 2<p,r> would lose a distance of 1e-4 between rows of length 100 entirely.
TEST(Comparator, EuclideanKeepsTinyDistances) {
  Matrix<float> one(1, 2);
  one(0, 0) = 100, one(0, 1) = 0;
  Matrix<float> two(2, 2);
  two(0, 0) = 100, two(0, 1) = 1e-4F, two(1, 0) = 100, two(1, 1) = 0;
  const Matrix<float> scores = all_scores("euclidean", Templates(std::move(one)), Templates(std::move(two)));
  EXPECT_NEAR(scores(0, 0), -1e-4, 1e-9);
  EXPECT_EQ(scores(0, 1), 0.0F);
}

TEST(Comparator, HammingCountsDifferingBits) {
  Matrix<std::uint64_t> words(3, 2, 0);
  words(1, 0) = 0b1011, words(2, 1) = 1;
  const Templates bits(std::move(words), 70);
  const Matrix<float> scores = all_scores("hamming", bits, bits);
  EXPECT_EQ(scores(0, 0), 0.0F);
  EXPECT_NEAR(scores(0, 1), -3.0 / 70, 1e-7);
  EXPECT_NEAR(scores(1, 2), -4.0 / 70, 1e-7);
  EXPECT_THROW(all_scores("hamming", random_templates(2, 4, 1), random_templates(2, 4, 2)), Error);
  EXPECT_THROW(all_scores("cosine", bits, bits), Error);
}

TEST(Comparator, RefusesRowsWithoutDirectionOrNumber) {
  Matrix<float> rows(2, 3, 1.0F);
  rows(1, 0) = rows(1, 1) = rows(1, 2) = 0;
  const Templates zero(std::move(rows));
  EXPECT_THROW(all_scores("cosine", zero, zero), Error);
  EXPECT_NO_THROW(all_scores("dot", zero, zero));
  // A length of 1e-20 has a square below the smallest normal float, 1.2e-38; one of 1e-18 has not.
  const Templates lost(Matrix<float>(1, 1, 1e-20F)), small(Matrix<float>(1, 1, 1e-18F));
  EXPECT_THROW(all_scores("cosine", lost, lost), Error);
  EXPECT_NEAR(all_scores("cosine", small, small)(0, 0), 1, 1e-6);
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    Matrix<float> values(1, 1, bad);
    const Templates broken(std::move(values));
    for (const char* name : {"cosine", "dot", "euclidean"})
      EXPECT_THROW(all_scores(name, broken, broken), Error) << name;
  }
}

// Squares of templates that are all shorter than 1e-17 lose digits; a short one among others is as good as zero, which
// is somewhere.
TEST(Comparator, LengthsThatCountMustNotVanish) {
  for (const char* name : {"dot", "euclidean"}) {
    const Templates vanishing(Matrix<float>(2, 3, 1e-23F)), short_ones(Matrix<float>(2, 3, 1e-16F));
    EXPECT_THROW(all_scores(name, vanishing, vanishing), Error) << name;
    EXPECT_NO_THROW(all_scores(name, short_ones, short_ones)) << name;
    Matrix<float> mixed(2, 3, 1.0F);
    std::ranges::fill(mixed.row(1), 1e-30F);
    const Templates one_short(std::move(mixed));
    EXPECT_NO_THROW(all_scores(name, one_short, one_short)) << name;
  }
}

// A mask may make many people the same: whoever ranks them by rounding errors ranks them by their places.
TEST(Comparator, EqualTemplatesHaveEqualScores) {
  const Templates one = random_templates(3, 67, 4), probes = random_templates(5, 67, 5);
  Matrix<float> rows(61, 67);
  for (std::size_t i = 0; i < rows.rows(); ++i) std::ranges::copy(one.floats().row(i % 3), rows.row(i).begin());
  const Templates references(std::move(rows));
  for (const char* name : {"cosine", "dot", "euclidean"}) {
    const Matrix<float> scores = all_scores(name, probes, references), back = all_scores(name, references, probes);
    const Matrix<float> own = all_scores(name, references, references);
    for (std::size_t j = 0; j < references.rows(); ++j) {
      for (std::size_t i = 0; i < probes.rows(); ++i) {
        EXPECT_EQ(scores(i, j), scores(i, j % 3)) << name;
        EXPECT_EQ(back(j, i), back(j % 3, i)) << name;
      }
      for (std::size_t i = 0; i < references.rows(); ++i) EXPECT_EQ(own(i, j), own(i % 3, j % 3)) << name;
    }
  }
}

// Two equal rows among others, or alone, wherever a tile begins and ends, on either side.
TEST(Comparator, EqualTemplatesAreComparedInDouble) {
  const Templates others = random_templates(40, 67, 6);
  for (const std::size_t count : {9U, 2U}) {
    const Templates drawn = random_templates(count, 67, 7);
    Matrix<float> rows(count, 67);
    for (std::size_t i = 0; i < count; ++i) {
      std::ranges::copy(drawn.floats().row(i + 2 == count ? count - 1 : i), rows.row(i).begin());
    }
    const Templates twins(std::move(rows));  // the last two
    const auto comparator = make_comparator("dot");
    const auto a = comparator->prepare(twins, Side::probe, "twins"), b = comparator->prepare(others, Side::probe, "b");
    for (const RowRange range :
         {RowRange{0, count}, RowRange{count - 2, count}, RowRange{count - 2, count - 1}, RowRange{count - 1, count}}) {
      Matrix<float> there(range.size(), 40), back(40, range.size());
      comparator->tile(*a, range, *b, {0, 40}, there.view());
      comparator->tile(*b, {0, 40}, *a, range, back.view());
      for (std::size_t row = std::max(range.begin, count - 2); row < range.end; ++row) {
        for (std::size_t j = 0; j < 40; ++j) {
          const float exact = exact_score(PairForm::product, twins.floats().row(row), others.floats().row(j));
          EXPECT_EQ(there(row - range.begin, j), exact) << row;
          EXPECT_EQ(back(j, row - range.begin), exact) << row;
        }
      }
    }
  }
}

// What stands around a tile belongs to others; its own scores are those of the whole.
TEST(Comparator, TilesWriteNothingBesideTheirScores) {
  const std::size_t rows = 45;  // batches of every comparator and a part of one
  Matrix<float> shares(rows, 64);
  Matrix<std::uint8_t> codes(rows, 64);
  Matrix<std::uint64_t> words(rows, 1);
  Stream stream(3, "tiles");
  for (std::size_t k = 0; k < codes.size(); ++k) {
    codes.data()[k] = static_cast<std::uint8_t>(stream.below(4));
    shares.data()[k] = static_cast<float>(stream.uniform());
  }
  for (std::size_t i = 0; i < rows; ++i) words(i, 0) = stream.below(std::uint64_t{1} << 60);
  const Templates real(std::move(shares)), named(std::move(codes)), bits(std::move(words), 64);
  for (const Entry<Comparator>& entry : comparators()) {
    const std::string& name = entry.declaration.name;
    const Templates& all = name == "hamming" ? bits : name == "iom" || name == "nfr" ? named : real;
    const Matrix<float> whole = all_scores(name, all, all);
    const auto comparator = make_comparator(name);
    const auto p = comparator->prepare(all, Side::probe, "p"), r = comparator->prepare(all, Side::reference, "r");
    const float untouched = 1e9F;
    Matrix<float> around(10, 60, untouched);
    const RowRange probes{5, 12}, references{3, 41};
    comparator->tile(*p, probes, *r, references, {&around(1, 2), probes.size(), references.size(), 60});
    for (std::size_t i = 0; i < 10; ++i) {
      for (std::size_t j = 0; j < 60; ++j) {
        const bool inside = i >= 1 && i < 8 && j >= 2 && j < 40;
        EXPECT_NEAR(around(i, j), inside ? whole(i + 4, j + 1) : untouched, 1e-5) << name << " " << i << " " << j;
      }
    }
  }
}

TEST(Comparator, UnknownNameSuggests) {
  try {
    (void)make_comparator("cosin");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.hint, "did you mean 'cosine'?");
  }
}

}  // namespace
}  // namespace bauta
