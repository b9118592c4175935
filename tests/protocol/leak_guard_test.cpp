#include "bauta/protocol/leak_guard.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/core/templates.hpp"
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

TEST(LeakGuard, NamesFiveAtMost) {
  const auto finding = [](const std::vector<std::string>& names) {
    const std::vector<std::string> gender(names.size(), "F");
    try {
      require_disjoint(small_dataset("one", names, gender, 0), small_dataset("two", names, gender, 100));
    } catch (const Error& error) {
      return error.finding;
    }
    return std::string();
  };
  EXPECT_EQ(finding({"a", "b", "c", "d", "e"}), "5 identities stand in both: a, b, c, d, e");
  EXPECT_EQ(finding({"a", "b", "c", "d", "e", "f"}), "6 identities stand in both: a, b, c, d, e, ...");
}

TEST(LeakGuard, WhatIsNoLeak) {
  // Twice in one part; without a name in both.
  Dataset one = small_dataset("one", {"a", "a", "", "c"}, {"F", "F", "M", "M"}, 0);
  Dataset two = small_dataset("two", {"b", ""}, {"F", "M"}, 100);
  EXPECT_NO_THROW(require_disjoint(one, two));
  Matrix<float> copies(4, 2, 1.0F);
  one.templates = Templates(std::move(copies));
  EXPECT_NO_THROW(require_disjoint(one, two));
  // Failed samples are all alike.
  two.templates = Templates(Matrix<float>(2, 2, 1.0F));
  EXPECT_THROW(require_disjoint(one, two), Error);
  two.labels.add_column("failed", {"1", "1"});
  EXPECT_NO_THROW(require_disjoint(one, two));
  // And so may codes be.
  one.templates = Templates(Matrix<std::uint8_t>(4, 2, 0));
  two.templates = Templates(Matrix<std::uint8_t>(2, 2, 0));
  two.labels.replace_column("failed", {"", ""});
  EXPECT_NO_THROW(require_disjoint(one, two));
}

TEST(LeakGuard, CountsCopies) {
  const Dataset one = small_dataset("one", {"a", "b", "c"}, {"F", "M", "F"}, 0);
  const auto finding = [&](const Dataset& two) {
    try {
      require_disjoint(one, two);
    } catch (const Error& error) {
      return error.finding;
    }
    return std::string();
  };
  EXPECT_EQ(finding(small_dataset("two", {"d"}, {"F"}, 2)), "the same template stands in both, under two names");
  EXPECT_EQ(finding(small_dataset("two", {"d", "e", "f"}, {"F", "M", "F"}, 0)),
            "the same template stands in both, under two names; 2 more such samples");
}

Dataset rows_of(const std::vector<std::string>& identities, const std::vector<float>& values, std::size_t cols) {
  Dataset dataset = small_dataset("x", identities, std::vector<std::string>(identities.size(), "F"), 0);
  Matrix<float> rows(identities.size(), cols);
  std::copy(values.begin(), values.end(), rows.data());
  dataset.templates = Templates(std::move(rows));
  return dataset;
}

// A mask that blanks everything makes people equal, within a part and between parts; what was copied is found as long as
// it tells people apart.
TEST(LeakGuard, AMaskMayMakePeopleEqual) {
  Dataset one = rows_of({"a", "b"}, {5, 5, 5, 5}, 2), two = rows_of({"c", "d"}, {5, 5, 1, 2}, 2);
  EXPECT_THROW(require_disjoint(one, two), Error);
  one.provenance = two.provenance = Provenance{"blank", "", {}};
  EXPECT_NO_THROW(require_disjoint(one, two));
  Dataset same = rows_of({"a", "a"}, {5, 5, 5, 5}, 2);
  same.provenance = one.provenance;
  EXPECT_THROW(require_disjoint(same, two), Error);
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

TEST(NearDuplicates, OfFewSamplesOrNone) {
  const Dataset one = rows_of({"a"}, {1, 0}, 2), two = rows_of({"b", "c"}, {1, 0, 0, 1}, 2);
  EXPECT_TRUE(near_duplicates(one).empty());
  for (const auto& found :
       {near_duplicates(one, one, 0.0), near_duplicates(one, two, 0.0), near_duplicates(two, one)}) {
    ASSERT_EQ(found.size(), 1U);  // a distance of 0 is not above 0
    EXPECT_EQ(found[0].row_a + found[0].row_b, 0U);
    EXPECT_EQ(found[0].distance, 0.0);
  }
  const Dataset zero = rows_of({"d"}, {0, 0}, 2);
  EXPECT_TRUE(near_duplicates(one, zero).empty());
  EXPECT_TRUE(near_duplicates(zero, one).empty());
  Dataset none = one;
  none.templates = Templates();
  EXPECT_TRUE(near_duplicates(none, one).empty());
  Dataset codes = two;
  codes.templates = Templates(Matrix<std::uint8_t>(2, 2, 0));
  EXPECT_TRUE(near_duplicates(codes).empty());
}

TEST(NearDuplicates, NobodyIsTheSameSubjectWithoutAName) {
  const auto same = [](const Dataset& a, const Dataset& b) { return near_duplicates(a, b).at(0).same_subject; };
  const Dataset named = rows_of({"a"}, {1, 0}, 2), blank = rows_of({""}, {1, 0}, 2);
  Dataset unnamed = named;
  unnamed.identity_column.clear();
  EXPECT_TRUE(same(named, named));
  EXPECT_FALSE(same(blank, blank));
  EXPECT_FALSE(same(named, unnamed));
  EXPECT_FALSE(same(unnamed, named));
  EXPECT_FALSE(same(unnamed, unnamed));
}

}  // namespace
}  // namespace bauta
