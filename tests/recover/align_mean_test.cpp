#include <algorithm>

#include <gtest/gtest.h>

#include "fixtures.hpp"

namespace bauta {
namespace {

/// Share of blocks that stand where they stood in the original.
double blocks_in_place(const Dataset& recovered, const Dataset& original, std::size_t block) {
  std::size_t right = 0;
  std::size_t total = 0;
  for (std::size_t i = 0; i < original.size(); ++i) {
    const auto ours = recovered.templates.floats().row(i);
    const auto theirs = original.templates.floats().row(i);
    for (std::size_t j = 0; j < ours.size(); j += block, ++total) {
      right += std::equal(ours.begin() + j, ours.begin() + j + block, theirs.begin() + j) ? 1 : 0;
    }
  }
  return static_cast<double>(right) / static_cast<double>(total);
}

// Means of neighbouring positions are 40 standard deviations apart.
TEST(AlignMean, RestoresEveryOrderOfWellSeparatedBlocks) {
  const auto value = [](std::size_t, std::size_t j, Stream& stream) {
    return 4.0 * static_cast<double>(j / 4) + 0.1 * stream.normal();
  };
  const Dataset clear = dataset_of(templates_of(50, 64, 1, value), "clear");
  const Dataset original = dataset_of(templates_of(200, 64, 2, value));
  const Dataset shuffled = protect("pe-miu:block=4", original);
  EXPECT_LT(blocks_in_place(shuffled, original, 4), 0.2);
  for (const char* cost : {"likelihood", "l2sq"}) {
    const Dataset recovered = recover(std::string("align-mean:cost=") + cost, shuffled, {.clear = &clear});
    EXPECT_TRUE(same_floats(recovered.templates, original.templates)) << cost;
  }
}

// Hand calculation. Position 1 has mean 0 and variance 1 (values -1, 1), position 2 mean 3 and variance 100 (-7, 13).
// Blocks -2 and 1: by distance -2 first costs 4 + 4 = 8, 1 first 1 + 25 = 26; by likelihood -2 first costs 4 + 0.04,
// 1 first 1 + 0.25.
TEST(AlignMean, WeighsDistanceByTheSpreadOfAPosition) {
  Matrix<float> rows(2, 2);
  rows(0, 0) = -1, rows(1, 0) = 1, rows(0, 1) = -7, rows(1, 1) = 13;
  const Dataset clear = dataset_of(Templates(std::move(rows)), "clear");
  Matrix<float> row(2, 2);
  row(0, 0) = -2, row(0, 1) = 1, row(1, 0) = 1, row(1, 1) = -2;
  const Dataset target = dataset_of(Templates(std::move(row)));
  const Dataset near = recover("align-mean:block=1,cost=l2sq", target, {.clear = &clear});
  const Dataset likely = recover("align-mean:block=1", target, {.clear = &clear});
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(near.templates.floats()(i, 0), -2) << i;
    EXPECT_EQ(likely.templates.floats()(i, 0), 1) << i;
  }
}

// Closed form: if positions are exchangeable, what comes out is a uniformly random order, in which one block of n is in
// its place on average, with variance 1 per template.
TEST(AlignMean, IsAtChanceWherePositionsAreExchangeable) {
  const std::size_t rows = 4000;
  const Dataset clear = dataset_of(gaussian_templates(500, 32, 1), "clear");
  const Dataset original = dataset_of(gaussian_templates(rows, 32, 2));
  const Dataset shuffled = protect("pe-miu:block=4", original);
  const double deviation = 1 / (8 * std::sqrt(static_cast<double>(rows)));
  for (const char* cost : {"likelihood", "l2sq"}) {
    const Dataset recovered = recover(std::string("align-mean:cost=") + cost, shuffled, {.clear = &clear});
    EXPECT_NEAR(blocks_in_place(recovered, original, 4), 1.0 / 8, 4 * deviation) << cost;
  }
}

// Two positions with one mean, deviations 1 and 10: the distance to the mean says nothing, the spread nearly all. A
// block of 8 is taken for the other kind with probability P(F(8, 8) > 100) = 3e-7 (scipy 1.10.1).
TEST(AlignMean, LikelihoodSeesDifferencesOfSpread) {
  const auto value = [](std::size_t, std::size_t j, Stream& stream) { return (j < 8 ? 1 : 10) * stream.normal(); };
  const Dataset clear = dataset_of(templates_of(2000, 16, 1, value), "clear");
  const Dataset original = dataset_of(templates_of(1000, 16, 2, value));
  const Dataset shuffled = protect("pe-miu:block=8", original);
  EXPECT_GT(blocks_in_place(recover("align-mean", shuffled, {.clear = &clear}), original, 8), 0.998);
  // The sample mean of the second position is off by about 10 / sqrt(2000), which leaves a little.
  EXPECT_NEAR(blocks_in_place(recover("align-mean:cost=l2sq", shuffled, {.clear = &clear}), original, 8), 0.5, 0.1);
}

TEST(AlignMean, OnlyReordersBlocks) {
  const Dataset clear = dataset_of(gaussian_templates(30, 24, 1), "clear");
  const Dataset shuffled = protect("pe-miu:block=3", dataset_of(gaussian_templates(20, 24, 2)));
  const Dataset recovered = recover("align-mean", shuffled, {.clear = &clear});
  const auto blocks = [](std::span<const float> row) {
    std::vector<std::vector<float>> sorted;
    for (std::size_t j = 0; j < row.size(); j += 3) sorted.emplace_back(row.begin() + j, row.begin() + j + 3);
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  };
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(blocks(recovered.templates.floats().row(i)), blocks(shuffled.templates.floats().row(i)));
  }
}

TEST(AlignMean, BlocksOfOneFeatureAreRecordedToo) {
  const auto value = [](std::size_t, std::size_t j, Stream& stream) {
    return 4.0 * static_cast<double>(j) + 0.1 * stream.normal();
  };
  const Dataset clear = dataset_of(templates_of(20, 6, 1, value), "clear");
  const Dataset original = dataset_of(templates_of(5, 6, 2, value));
  const Dataset recovered = recover("align-mean", protect("pe-miu:block=1", original), {.clear = &clear});
  EXPECT_TRUE(same_floats(recovered.templates, original.templates));
}

TEST(AlignMean, RefusesWhatItCannotUse) {
  const Dataset clear = dataset_of(gaussian_templates(30, 24, 1), "clear");
  const Dataset plain = dataset_of(gaussian_templates(3, 24, 2));
  const Dataset shuffled = protect("pe-miu:block=3", plain);
  EXPECT_NE(error_of([&] { recover("align-mean", shuffled); }).find("--clear"), std::string::npos);
  EXPECT_NE(error_of([&] { recover("align-mean", plain, {.clear = &clear}); }).find("align-mean:block=N"),
            std::string::npos);
  EXPECT_NE(error_of([&] { recover("align-mean:block=7", plain, {.clear = &clear}); }).find("blocks of 7"),
            std::string::npos);
  const Dataset narrow = dataset_of(gaussian_templates(30, 12, 1), "narrow");
  EXPECT_NE(error_of([&] { recover("align-mean", shuffled, {.clear = &narrow}); }).find("24"), std::string::npos);
  const Dataset second = dataset_of(
      templates_of(5, 24, 1, [](auto, std::size_t j, Stream& s) { return j / 3 == 1 ? 1 : s.normal(); }), "second");
  EXPECT_NE(error_of([&] { recover("align-mean", shuffled, {.clear = &second}); }).find("second features 4 to 6"),
            std::string::npos);
  const Dataset flat = dataset_of(Templates(Matrix<float>(5, 24, 1.0F)), "flat");
  EXPECT_NE(error_of([&] { recover("align-mean", shuffled, {.clear = &flat}); }).find("flat features 1 to 3"),
            std::string::npos);
}

}  // namespace
}  // namespace bauta
