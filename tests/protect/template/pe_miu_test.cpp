// PE-MIU shuffles blocks uniformly and changes no value.
#include <algorithm>
#include <array>
#include <map>

#include <gtest/gtest.h>

#include "../fixtures.hpp"

namespace bauta {
namespace {

TEST(PeMiu, KeepsTheMultisetOfBlocks) {
  const Templates input = gaussian_templates(50, 24);
  const ResolvedProtection resolved = make_protection("pe-miu:block=4");
  const Templates output = resolved->protect(input, 0, {});
  const auto blocks = [](std::span<const float> row) {
    std::vector<std::vector<float>> parts;
    for (std::size_t j = 0; j < row.size(); j += 4) parts.emplace_back(row.begin() + j, row.begin() + j + 4);
    std::sort(parts.begin(), parts.end());
    return parts;
  };
  std::size_t moved = 0;
  for (std::size_t i = 0; i < input.rows(); ++i) {
    EXPECT_EQ(blocks(input.floats().row(i)), blocks(output.floats().row(i)));
    moved += !same_bits(input.slice(i, 1), output.slice(i, 1));
  }
  EXPECT_GE(moved, 47u);  // a permutation of 6 blocks is the identity once in 720
}

TEST(PeMiu, PermutationsAreUniformAndFreshForEachTemplate) {
  constexpr std::size_t rows = 24000;
  const ResolvedProtection resolved = make_protection("pe-miu:block=2");
  const Templates output = resolved->protect(repeated_row({0, 0, 1, 1, 2, 2, 3, 3}, rows), 0, {});
  std::map<std::array<float, 4>, double> counts;
  std::size_t repeats = 0;
  std::array<float, 4> last{};
  for (std::size_t i = 0; i < rows; ++i) {
    const std::span<const float> row = output.floats().row(i);
    const std::array<float, 4> order = {row[0], row[2], row[4], row[6]};
    ++counts[order];
    repeats += order == last;
    last = order;
  }
  ASSERT_EQ(counts.size(), 24u);
  double chi_square = 0;
  for (const auto& [order, count] : counts) chi_square += (count - 1000) * (count - 1000) / 1000;
  EXPECT_LT(chi_square, 49.728);  // scipy 1.10.1: chi2.isf(0.001, 23)
  // Neighbours agree by chance alone: 1000 +- 3.3 * sqrt(24000 * 23 / 576).
  EXPECT_NEAR(static_cast<double>(repeats), 1000, 103);
}

TEST(PeMiu, TwoDataSetsUnderOneSeedAreShuffledDifferently) {
  const Templates input = gaussian_templates(4, 64);
  const ResolvedProtection resolved = make_protection("pe-miu:block=2");
  const Templates a = resolved->protect(input, 0, {.randomness = Randomness::seeded(3, "attacker")});
  const Templates b = resolved->protect(input, 0, {.randomness = Randomness::seeded(3, "target")});
  EXPECT_FALSE(same_bits(a, b));
}

TEST(PeMiu, ABlockThatDoesNotDivideTheDimensionIsRefusedWithBothNumbers) {
  const Dataset dataset = dataset_of(gaussian_templates(2, 20), 1);
  const std::string error = error_of([&] { protect_dataset(make_protection("pe-miu:block=16"), dataset, {}); });
  EXPECT_NE(error.find("20"), std::string::npos);
  EXPECT_NE(error.find("16"), std::string::npos);
}

TEST(PeMiu, OneBlockIsTheTemplateItself) {
  const Templates input = gaussian_templates(5, 16);
  EXPECT_TRUE(same_bits(make_protection("pe-miu")->protect(input, 0, {}), input));
}

}  // namespace
}  // namespace bauta
