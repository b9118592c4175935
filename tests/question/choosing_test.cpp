// Who is named by whom when people are chosen, by hand.
#include "bauta/question/choosing.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "people.hpp"

namespace bauta {
namespace {

TEST(Choosing, EachSampleIsNamedByWhatWasLearnedFromOthers) {
  // By cosine, c at (1, 0.5) is nearer to a at (1, 0.1) (0.93) than to the other c (0.8), and likewise the other is
  // nearer to b. Whoever was named by the sample itself would always be right. d and e have one usable sample.
  Dataset data = people(
      {"a", "a", "a", "b", "b", "b", "c", "c", "d", "e", "e"},
      {{1, 0}, {1, 0.1F}, {1, -0.1F}, {0, 1}, {0.1F, 1}, {-0.1F, 1}, {1, 0.5F}, {0.5F, 1}, {-1, -1}, {-1, 0}, {0, 0}});
  data.labels.add_column("failed", {"0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "1"});
  const std::vector<double> hits = cross_validated_hits(data, {"a", "b", "c", "d", "e", "nobody"}, "nearest", 1);
  EXPECT_DOUBLE_EQ(hits[0], 1);
  EXPECT_DOUBLE_EQ(hits[1], 1);
  EXPECT_DOUBLE_EQ(hits[2], 0);
  for (const std::size_t person : {3, 4, 5}) EXPECT_TRUE(std::isnan(hits[person]));
}

TEST(Choosing, LooksAtWhatAttackersHold) {
  const Setting setting;
  const Choosing choosing{"nearest", {}};
  const auto views = [&](const char* by, SelectedOn on, const char* technique) {
    return looked_at({.by = by, .count = 3, .selected_on = on}, choosing, setting, technique);
  };
  EXPECT_TRUE(views("random", SelectedOn::masked, "csn").empty());
  EXPECT_TRUE(views("metadata", SelectedOn::masked, "csn").empty());
  const auto masked = views("center", SelectedOn::masked, "csn");
  ASSERT_EQ(masked.size(), 1U);
  EXPECT_EQ(masked[0].role, Role::enrol);
  EXPECT_EQ(masked[0].form.technique, "csn");
  EXPECT_TRUE(views("center", SelectedOn::clear, "csn")[0].form.clear());
  EXPECT_TRUE(views("center", SelectedOn::masked, "none")[0].form.clear());
  const auto test = views("classification", SelectedOn::test, "csn");
  ASSERT_EQ(test.size(), 2U);
  EXPECT_EQ(test[1].role, Role::probe);
  EXPECT_EQ(test[1].form.technique, "csn");
}

}  // namespace
}  // namespace bauta
