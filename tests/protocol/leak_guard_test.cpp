#include "bauta/protocol/leak_guard.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/core/templates.hpp"
#include "bauta/data/media_source.hpp"
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

// A mask that blanks everything makes people equal, within a part and between parts; what was copied is found as long
// as it tells people apart.
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

TEST(LeakGuard, ANegativeZeroIsAZero) {
  const Dataset one = rows_of({"a"}, {0, 1}, 2), two = rows_of({"b"}, {-0.0F, 1}, 2);
  EXPECT_THROW(require_disjoint(one, two), Error);
}

TEST(AlikeNames, DifferInCaseOrLeadingZerosAlone) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(alike_names(Names{"P0001", "P0001", "P0002", ""}, Names{"p0001", "P0002", ""}),
            (AlikeNames{{"P0001", "p0001"}}));
  EXPECT_EQ(alike_names(Names{"1", "10"}, Names{"0001", "010", "100"}), (AlikeNames{{"0001", "1"}, {"010", "10"}}));
  EXPECT_EQ(alike_names(Names{"s00-07"}, Names{"s0-7", "s0-70", "s7-0"}), (AlikeNames{{"s0-7", "s00-07"}}));
  EXPECT_EQ(alike_names(Names{"STRASSE"}, Names{"straße"}), (AlikeNames{{"STRASSE", "straße"}}));
  EXPECT_TRUE(alike_names(Names{"a", "p1"}, Names{"a", "p2", "q1"}).empty());
  EXPECT_EQ(alike_names_text("x", {}), "");
}

TEST(SuspectedLeaks, NameFivePairsOfNamesAtMost) {
  const auto text = [](const std::vector<std::string>& a, const std::vector<std::string>& b) {
    const auto found = suspected_leaks(small_dataset("one", a, std::vector<std::string>(a.size(), "F"), 0),
                                       small_dataset("two", b, std::vector<std::string>(b.size(), "F"), 100));
    return found.empty() ? std::string() : found.at(0);
  };
  EXPECT_TRUE(
      text({"A", "b"}, {"a", "c"})
          .starts_with(
              "one and two: 1 pairs of identities differ in the case of letters or in leading zeros alone (A and a);"));
  EXPECT_NE(text({"A", "B", "C", "D", "E", "F"}, {"a", "b", "c", "d", "e", "f"}).find("6 pairs"), std::string::npos);
  EXPECT_NE(text({"A", "B", "C", "D", "E", "F"}, {"a", "b", "c", "d", "e", "f"}).find("E and e, ...)"),
            std::string::npos);
  EXPECT_EQ(text({"a"}, {"b"}), "");
  Dataset nameless = small_dataset("one", {"A"}, {"F"}, 0);
  nameless.identity_column.clear();
  EXPECT_TRUE(suspected_leaks(nameless, small_dataset("two", {"a"}, {"F"}, 100)).empty());
}

/// A code of four numbers for each person, as `code` says.
Dataset coded(const std::vector<std::string>& identities, const auto& code) {
  Dataset dataset = small_dataset("codes", identities, std::vector<std::string>(identities.size(), "F"), 0);
  Matrix<std::uint8_t> codes(identities.size(), 4, 0);
  for (std::size_t i = 0; i < identities.size(); ++i) {
    codes(i, 0) = static_cast<std::uint8_t>(code(i));
    codes(i, 1) = static_cast<std::uint8_t>(code(i) >> 8);
  }
  dataset.templates = Templates(std::move(codes));
  return dataset;
}

std::vector<std::string> people_called(const std::string& name, std::size_t count, std::size_t samples = 1) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(name + std::to_string(i / samples));
  return names;
}

// Of 100 codes that are all different, 20 equal one on the other side. As if of two samples more one had a twin, chance
// explains 100 / 102; four deviations above that are 4.9.
TEST(Coincidences, OfCodesThatDifferAreCopies) {
  const Dataset one = coded(people_called("a", 100), [](std::size_t i) { return i; });
  const auto shifted = [&](std::size_t by) {
    return coded(people_called("b", 100), [by](std::size_t i) { return i + by; });
  };
  const Coincidences found = coincidences(one, shifted(80), true);
  EXPECT_EQ(found.equal, 20U);
  EXPECT_EQ(found.samples, 100U);
  EXPECT_NEAR(found.expected, 100.0 / 102, 1e-12);
  EXPECT_EQ(found.row_a, 80U);
  EXPECT_EQ(found.row_b, 0U);
  EXPECT_TRUE(found.too_many());
  EXPECT_TRUE(coincidences(one, shifted(95), true).too_many());   // 5
  EXPECT_FALSE(coincidences(one, shifted(96), true).too_many());  // 4
  EXPECT_EQ(suspected_leaks(one, shifted(80)).size(), 1U);
  EXPECT_TRUE(suspected_leaks(one, shifted(96)).empty());
}

// Two hundred samples of 16 codes: everybody's is found everywhere, in both and within each.
TEST(Coincidences, OfShortCodesAreChance) {
  const auto short_code = [](std::size_t i) { return i % 16; };
  const Dataset one = coded(people_called("a", 200), short_code), two = coded(people_called("b", 200), short_code);
  EXPECT_EQ(coincidences(one, two, true).equal, 200U);
  EXPECT_FALSE(coincidences(one, two, true).too_many());
}

// Two samples of each person have one code, and nobody has another's: between people that is no chance.
TEST(Coincidences, OfOnePersonTellNothingOfTwo) {
  const auto code = [](std::size_t i) { return i / 2; };
  const Dataset one = coded(people_called("a", 100, 2), code), two = coded(people_called("b", 100, 2), code);
  EXPECT_TRUE(coincidences(one, two, true).too_many());
  EXPECT_FALSE(coincidences(one, two, false).too_many());
  Dataset failed = two;
  failed.mark_failed(std::vector<bool>(100, true));
  EXPECT_EQ(coincidences(one, failed, true).samples, 0U);
  EXPECT_EQ(coincidences(one, rows_of({"a"}, {0, 1}, 2), true).samples, 0U);
}

/// Media that are their first letter.
Dataset filmed(const std::vector<std::string>& identities, const std::string& content) {
  const std::string folder = testing::TempDir() + "bauta_equal_media/";
  std::filesystem::create_directories(folder);
  Dataset dataset = small_dataset("media", identities, std::vector<std::string>(identities.size(), "F"), 0);
  dataset.templates = Templates();
  std::vector<std::string> files;
  for (const char letter : content) {
    files.push_back(std::string(1, letter) + ".png");
    if (letter != '-') std::ofstream(folder + files.back()) << letter;
  }
  dataset.media = file_media(folder, files);
  return dataset;
}

TEST(NearDuplicates, MediaAreTheSameByteByByte) {
  const auto pairs = [](const std::vector<NearDuplicate>& found) {
    std::vector<std::array<std::size_t, 3>> rows;
    for (const NearDuplicate& pair : found) {
      EXPECT_TRUE(pair.identical);
      EXPECT_EQ(pair.distance, 0.0);
      rows.push_back({pair.row_a, pair.row_b, pair.same_subject ? 1U : 0U});
    }
    return rows;
  };
  using Rows = std::vector<std::array<std::size_t, 3>>;
  // x is of one person only; of y, somebody else has one as well; "-" is not there.
  const Dataset data = filmed({"a", "a", "a", "b", "b", "b", "c", "d"}, "xxyyyz--");
  EXPECT_EQ(pairs(near_duplicates(data)), (Rows{{0, 1, 1}, {1, 0, 1}, {2, 3, 0}, {3, 2, 0}, {4, 2, 0}}));
  EXPECT_EQ(pairs(near_duplicates(data, filmed({"b", "a", "e"}, "yyz"))),
            (Rows{{2, 0, 0}, {3, 1, 0}, {4, 1, 0}, {5, 2, 0}}));
  Dataset failed = data;
  failed.mark_failed({true, false, false, false, false, false, false, false});
  EXPECT_EQ(pairs(near_duplicates(failed)), (Rows{{2, 3, 0}, {3, 2, 0}, {4, 2, 0}}));
}

}  // namespace
}  // namespace bauta
