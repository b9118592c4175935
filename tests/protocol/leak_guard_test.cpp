#include "bauta/protocol/leak_guard.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "small_dataset.hpp"

namespace bauta {
namespace {

TEST(LeakGuard, NamesSharedIdentities) {
  try {
    require_disjoint(small_dataset("one", {"a", "b"}, {"F", "M"}, 0),
                     small_dataset("two", {"c", "b"}, {"F", "M"}, 100));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.where, "one and two");
    EXPECT_EQ(error.finding, "1 identities stand in both: b");
  }
}

TEST(LeakGuard, FindsACopiedTemplateUnderAnotherName) {
  const Dataset one = small_dataset("one", {"a", "b"}, {"F", "M"}, 0);   // rows (0,1), (2,3)
  const Dataset two = small_dataset("two", {"c", "d"}, {"F", "M"}, -2);  // rows (-2,-1), (0,1)
  try {
    require_disjoint(one, two);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.where, "one row 1 and two row 2");
  }
}

TEST(LeakGuard, PassesDisjointData) {
  EXPECT_NO_THROW(require_disjoint(small_dataset("one", {"a"}, {"F"}, 0), small_dataset("two", {"b"}, {"F"}, 100)));
}

TEST(LeakGuard, NamesAllPartsThatShareSomebody) {
  const Dataset train = small_dataset("x", {"a", "b", "c"}, {"F", "M", "F"}, 0);
  const Dataset dev = small_dataset("x", {"d", "b"}, {"F", "M"}, 100);
  const Dataset test = small_dataset("x", {"c", "e", "b"}, {"F", "M", "M"}, 200);
  const NamedPart parts[] = {{"train", &train}, {"dev", &dev}, {"test", &test}};
  try {
    require_disjoint(parts);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.where, "train, dev, test");
    EXPECT_EQ(error.finding, "2 identities stand in more than one: b (train, dev, test), c (train, test)");
  }
  const NamedPart two[] = {{"train", &train}, {"later", &test}};
  try {
    require_disjoint(two);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.where, "train and later");
    EXPECT_EQ(error.finding, "2 identities stand in both: b, c");
  }
}

TEST(LeakGuard, CountsCopiesOverAllParts) {
  const Dataset one = small_dataset("x", {"a", "b"}, {"F", "M"}, 0);    // rows (0,1), (2,3)
  const Dataset two = small_dataset("x", {"c"}, {"F"}, 50);             // row (50,51)
  const Dataset three = small_dataset("x", {"d", "e"}, {"F", "M"}, 0);  // both rows of `one`
  const NamedPart parts[] = {{"one", &one}, {"two", &two}, {"three", &three}};
  try {
    require_disjoint(parts);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.where, "one row 1 and three row 1");
    EXPECT_EQ(error.finding, "the same template stands in both, under two names; 1 more such samples");
  }
  EXPECT_NO_THROW(require_disjoint(std::span(parts).first(2)));
}

Dataset rows_of(const std::vector<std::string>& identities, const std::vector<float>& values, std::size_t cols) {
  Dataset dataset = small_dataset("x", identities, std::vector<std::string>(identities.size(), "F"), 0);
  Matrix<float> rows(identities.size(), cols);
  std::copy(values.begin(), values.end(), rows.data());
  dataset.templates = Templates(std::move(rows));
  return dataset;
}

// By hand: (1, 0) and (1, t) have cosine 1 / sqrt(1 + t^2), so distance t^2 / 2 to first order: 2e-4 for t = 0.02,
// 1.8e-3 for t = 0.06.
TEST(NearDuplicates, BetweenTwoDataSets) {
  const Dataset a = rows_of({"a", "b", "c", "d"}, {1, 0, 0, 1, -1, 0, 0, 0}, 2);  // the last has no direction
  const Dataset b = rows_of({"a", "y"}, {1, 0.02F, -1, 0.06F}, 2);
  const auto found = near_duplicates(a, b);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].row_a, 0U);
  EXPECT_EQ(found[0].row_b, 0U);
  EXPECT_NEAR(found[0].distance, 2e-4, 1e-6);
  EXPECT_TRUE(found[0].same_subject);
  EXPECT_FALSE(found[0].identical);
  const auto wider = near_duplicates(a, b, 2e-3);
  ASSERT_EQ(wider.size(), 2U);
  EXPECT_EQ(wider[1].row_a, 2U);
  EXPECT_EQ(wider[1].row_b, 1U);
  EXPECT_NEAR(wider[1].distance, 1.8e-3, 1e-5);
  EXPECT_FALSE(wider[1].same_subject);
  EXPECT_TRUE(near_duplicates(a, rows_of({"z"}, {1, 0, 0}, 3)).empty());  // not of the same kind
}

TEST(NearDuplicates, WithinADataSetNoRowIsItsOwn) {
  const auto found = near_duplicates(rows_of({"a", "b", "c", "d"}, {1, 0, 0, 1, 2, 0, 0, -1}, 2));
  ASSERT_EQ(found.size(), 2U);  // (1,0) and (2,0): the same direction, other values
  EXPECT_EQ(found[0].row_a, 0U);
  EXPECT_EQ(found[0].row_b, 2U);
  EXPECT_EQ(found[1].row_a, 2U);
  EXPECT_EQ(found[1].row_b, 0U);
  EXPECT_FALSE(found[0].identical);
  EXPECT_TRUE(near_duplicates(rows_of({"a", "b"}, {1, 0, 1, 0}, 2))[0].identical);
}

TEST(NearDuplicates, LeavesOutFailedSamples) {
  Dataset a = rows_of({"a", "b"}, {1, 0, 1, 0}, 2);
  a.labels.add_column("failed", {"0", "1"});
  EXPECT_TRUE(near_duplicates(a).empty());
}

}  // namespace
}  // namespace bauta
