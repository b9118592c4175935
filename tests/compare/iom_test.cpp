// Equal codes are counted right whatever their number and size, and scored as the paper's two formulas say.
#include <gtest/gtest.h>

#include "bauta/compare/comparator.hpp"
#include "bauta/core/random.hpp"
#include "random_templates.hpp"

namespace bauta {
namespace {

Templates random_codes(std::size_t rows, std::size_t cols, std::uint64_t kinds, std::uint64_t seed) {
  Matrix<std::uint8_t> codes(rows, cols);
  Stream stream(seed, "test codes");
  for (std::size_t i = 0; i < codes.size(); ++i) codes.data()[i] = static_cast<std::uint8_t>(stream.below(kinds));
  return Templates(std::move(codes));
}

Matrix<float> scores_of(const char* name, const Templates& probes, const Templates& references) {
  const auto comparator = make_comparator(name);
  const auto p = comparator->prepare(probes, Side::probe, "probes");
  const auto r = comparator->prepare(references, Side::reference, "references");
  Matrix<float> scores(probes.rows(), references.rows());
  comparator->tile(*p, {0, probes.rows()}, *r, {0, references.rows()}, scores.view());
  return scores;
}

// Hand calculation: (0, 3, 255, 1) and (0, 2, 255, 0) agree in c = 2 of m = 4 places: 2/4 and 2/(8 - 2).
TEST(IomComparator, HandCalculatedScores) {
  Matrix<std::uint8_t> codes(2, 4);
  const std::uint8_t rows[2][4] = {{0, 3, 255, 1}, {0, 2, 255, 0}};
  for (std::size_t i = 0; i < 2; ++i) std::copy_n(rows[i], 4, codes.row(i).begin());
  const Templates both(std::move(codes));
  EXPECT_EQ(scores_of("iom", both, both)(0, 1), 0.5F);
  EXPECT_EQ(scores_of("iom", both, both)(1, 1), 1.0F);
  EXPECT_EQ(scores_of("iom:score=jaccard", both, both)(0, 1), 1.0F / 3);
  EXPECT_EQ(scores_of("iom:score=jaccard", both, both)(1, 1), 1.0F);
}

// Against a count one by one. Widths around the sizes of words and groups; sides that need different numbers of planes,
// down to none.
TEST(IomComparator, CountsEqualCodesOfAnyWidthAndSize) {
  for (const std::size_t width : {1, 63, 64, 65, 300, 511, 512, 513, 1100}) {
    for (const auto& [probe_kinds, reference_kinds] : {std::pair{2, 2}, {50, 50}, {256, 256}, {3, 200}, {9, 1}}) {
      const Templates probes = random_codes(5, width, static_cast<std::uint64_t>(probe_kinds), 1);
      const Templates references = random_codes(7, width, static_cast<std::uint64_t>(reference_kinds), 2);
      const Matrix<float> scores = scores_of("iom", probes, references);
      for (std::size_t i = 0; i < 5; ++i) {
        for (std::size_t j = 0; j < 7; ++j) {
          int equal = 0;
          for (std::size_t k = 0; k < width; ++k) equal += probes.codes()(i, k) == references.codes()(j, k);
          ASSERT_EQ(scores(i, j), static_cast<float>(equal) / static_cast<float>(width)) << width << ' ' << probe_kinds;
        }
      }
    }
  }
}

TEST(IomComparator, TilesBeginAnywhere) {
  const Templates codes = random_codes(10, 130, 6, 3);
  const auto comparator = make_comparator("iom");
  const auto prepared = comparator->prepare(codes, Side::reference, "codes");
  const Matrix<float> all = scores_of("iom", codes, codes);
  Matrix<float> part(3, 4);
  comparator->tile(*prepared, {5, 8}, *prepared, {2, 6}, part.view());
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 4; ++j) EXPECT_EQ(part(i, j), all(5 + i, 2 + j));
  }
}

TEST(IomComparator, RefusesWhatIsNoCode) {
  EXPECT_THROW(scores_of("iom", random_templates(2, 4, 1), random_templates(2, 4, 2)), Error);
}

}  // namespace
}  // namespace bauta
