#include "bauta/protocol/attacker_database.hpp"

#include <set>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "small_dataset.hpp"

namespace bauta {
namespace {

// Five identities: a (F, 2 samples), b (F), c (M, 2 samples), d (M), e (M): balanced to two per class.
Dataset five() {
  return small_dataset("x", {"a", "a", "b", "c", "c", "d", "e"}, {"F", "F", "F", "M", "M", "M", "M"}, 0);
}

TEST(AttackerDatabase, OneSamplePerIdentityBalanced) {
  const AttackerDatabase database = attacker_database(five(), "gender", 1);
  EXPECT_EQ(database.per_class, 2U);
  EXPECT_EQ(database.class_names, (std::vector<std::string>{"F", "M"}));
  ASSERT_EQ(database.rows.size(), 4U);
  std::set<std::string> identities;
  int males = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    identities.insert(five().labels.column("identity")[database.rows[i]]);
    males += database.classes[i];
  }
  EXPECT_EQ(identities.size(), 4U);
  EXPECT_EQ(males, 2);
}

TEST(AttackerDatabase, TakesTheBestQuality) {
  Dataset dataset = five();
  dataset.labels.add_column("quality", {"0.1", "0.9", "1", "0.7", "0.2", "1", "1"});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const AttackerDatabase database = attacker_database(dataset, "gender", seed);
    for (const std::size_t row : database.rows) {
      EXPECT_NE(row, 0U);
      EXPECT_NE(row, 4U);
    }
  }
}

TEST(AttackerDatabase, TheSeedChoosesAmongEqualSamples) {
  std::set<std::vector<std::size_t>> choices;
  for (std::uint64_t seed = 0; seed < 50; ++seed) choices.insert(attacker_database(five(), "gender", seed).rows);
  EXPECT_GT(choices.size(), 3U);
  EXPECT_EQ(attacker_database(five(), "gender", 3).rows, attacker_database(five(), "gender", 3).rows);
}

// Three people who say two words twice each: one sample per person and word, although nobody has a word of their own.
TEST(AttackerDatabase, WhatChangesFromSampleToSampleHasOneSamplePerIdentityAndClass) {
  const Dataset words = small_dataset("x", {"a", "a", "a", "a", "b", "b", "b", "b", "c", "c", "c", "c"},
                                      {"0", "0", "1", "1", "1", "0", "1", "0", "0", "1", "1", "0"}, 0);
  std::set<std::vector<std::size_t>> choices;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const AttackerDatabase database = attacker_database(words, "gender", seed);
    EXPECT_EQ(database.per_class, 3U);
    EXPECT_EQ(database.identities, 3U);
    std::set<std::pair<std::string, std::int32_t>> held;
    for (std::size_t i = 0; i < database.rows.size(); ++i) {
      held.emplace(words.labels.column("identity")[database.rows[i]], database.classes[i]);
    }
    EXPECT_EQ(held.size(), 6U);
    choices.insert(database.rows);
  }
  EXPECT_GT(choices.size(), 5U);
  EXPECT_EQ(attacker_database(five(), "gender", 1).identities, 4U);
}

TEST(AttackerDatabase, LeavesOutWhoIsNotNamedOrHasNoClassOrFailed) {
  Dataset data = small_dataset("x", {"a", "", "b", "c", "d", "e"}, {"F", "F", "", "M", "M", "F"}, 0);
  data.labels.add_column("failed", {"", "", "", "", "1", "1"});
  const AttackerDatabase database = attacker_database(data, "gender", 1);
  EXPECT_EQ(database.rows, (std::vector<std::size_t>{0, 3}));
  EXPECT_EQ(database.per_class, 1U);
  EXPECT_EQ(database.identities, 2U);
  data.labels.replace_column("failed", {"", "", "", "1", "1", "1"});  // no M is left
  EXPECT_THROW((void)attacker_database(data, "gender", 1), Error);
}

TEST(AttackerDatabase, RefusesASingleClass) {
  EXPECT_THROW((void)attacker_database(small_dataset("x", {"a", "b"}, {"F", "F"}, 0), "gender", 1), Error);
}

}  // namespace
}  // namespace bauta
