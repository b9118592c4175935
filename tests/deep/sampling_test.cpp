#include "bauta/deep/sampling.hpp"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "population.hpp"

namespace bauta {
namespace {

TEST(HoldOut, SubjectsAreNeverInBothPartsAndEveryClassIsInEach) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Stream stream(seed, "test");
    std::vector<std::int32_t> subjects;
    std::vector<std::int32_t> strata;
    for (int i = 0; i < 200; ++i) {
      subjects.push_back(static_cast<std::int32_t>(stream.below(40)));
      strata.push_back(subjects.back() < 36 ? 0 : 1);  // the second class has at most 4 subjects
    }
    const std::vector<bool> held = hold_out_subjects(subjects, 0.2, Stream(seed, "held"), strata);
    std::map<std::int32_t, std::set<bool>> sides;
    std::map<std::int32_t, std::set<bool>> class_sides;
    for (std::size_t i = 0; i < held.size(); ++i) {
      sides[subjects[i]].insert(held[i]);
      class_sides[strata[i]].insert(held[i]);
    }
    for (const auto& [subject, in] : sides) EXPECT_EQ(in.size(), 1U) << subject;
    EXPECT_EQ(class_sides[0].size(), 2U);
    EXPECT_EQ(class_sides[1].size(), 2U);
  }
}

TEST(HoldOut, TakesTheShareOfSubjectsAndNothingAtZero) {
  std::vector<std::int32_t> subjects;
  for (int i = 0; i < 300; ++i) subjects.push_back(i / 3);
  const auto count = [](const std::vector<bool>& held) { return std::count(held.begin(), held.end(), true); };
  EXPECT_EQ(count(hold_out_subjects(subjects, 0.2, Stream(1, "held"))), 60);
  EXPECT_EQ(count(hold_out_subjects(subjects, 0, Stream(1, "held"))), 0);
  EXPECT_NE(hold_out_subjects(subjects, 0.2, Stream(1, "held")), hold_out_subjects(subjects, 0.2, Stream(2, "held")));
}

TEST(HoldOutDeathTest, ASubjectOnBothSidesIsABug) {
  const Population people(10, 3, 4);
  TrainingSet set = people.set();
  set.check();
  set.held_out[0] = !set.held_out[0];
  EXPECT_DEATH(set.check(), "side != 3");
}

TEST(Triplets, PositivesShareTheSubjectNegativesDoNotAndOnlyNamedRowsAreDrawn) {
  const Population people(30, 4, 2);
  std::vector<std::int64_t> rows;
  for (std::int64_t i = 0; i < 120; i += 2) rows.push_back(i);
  TripletSampler sampler(people.subjects, rows);
  EXPECT_EQ(sampler.anchors(), 60U);
  Stream stream(1, "triplets");
  const Triplets triplets = sampler.draw(60, stream);
  std::set<std::int64_t> anchors(triplets.anchors.begin(), triplets.anchors.end());
  EXPECT_EQ(anchors.size(), 60U);  // an epoch has every row as anchor once
  for (std::size_t i = 0; i < 60; ++i) {
    const auto subject = [&](std::int64_t row) { return people.subjects[static_cast<std::size_t>(row)]; };
    EXPECT_EQ(subject(triplets.anchors[i]), subject(triplets.positives[i]));
    EXPECT_NE(triplets.anchors[i], triplets.positives[i]);
    EXPECT_NE(subject(triplets.anchors[i]), subject(triplets.negatives[i]));
    EXPECT_EQ(triplets.positives[i] % 2 + triplets.negatives[i] % 2, 0);
  }
}

TEST(Triplets, AnchorsAreBalancedOverTheClassesOfEveryAttribute) {
  Population people(40, 3, 2);
  // First attribute: a tenth is of class 1; second: a quarter unknown, rest of two classes.
  std::vector<std::int32_t> first;
  std::vector<std::int32_t> second;
  for (const std::int32_t subject : people.subjects) {
    first.push_back(subject % 10 == 0 ? 1 : 0);
    second.push_back(subject % 4 == 0 ? -1 : subject % 2);
  }
  std::vector<std::int64_t> rows(120);
  std::iota(rows.begin(), rows.end(), 0);
  TripletSampler sampler(people.subjects, rows, {first, second});
  Stream stream(1, "triplets");
  const Triplets triplets = sampler.draw(120, stream);
  int ones = 0;
  int second_zeros = 0;
  for (std::size_t t = 0; t < 120; ++t) {
    const auto row = static_cast<std::size_t>(triplets.anchors[t]);
    if (t % 2 == 0) ones += first[row];
    if (t % 2 == 1) second_zeros += second[row] == 0;
  }
  EXPECT_EQ(ones, 30);
  EXPECT_EQ(second_zeros, 30);
}

TEST(Triplets, DataWithoutPairsIsRefused) {
  const std::vector<std::int32_t> alone = {0, 1, 2};
  const std::vector<std::int32_t> one = {0, 0, 0};
  EXPECT_THROW(TripletSampler(alone, {0, 1, 2}), Error);
  EXPECT_THROW(TripletSampler(one, {0, 1, 2}), Error);
  try {
    TripletSampler(one, {0, 1}, {}, "validation");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.where, "validation part of the data");
  }
}

TEST(StratifiedBatches, HoldEveryClassInEqualNumbersAndUseRareRowsAgain) {
  std::vector<std::int32_t> codes(200, 0);
  for (std::size_t i = 0; i < 5; ++i) codes[i * 7] = 1;
  for (std::size_t i = 0; i < 40; ++i) codes[100 + i] = 2;
  std::vector<std::int64_t> rows(200);
  std::iota(rows.begin(), rows.end(), 0);
  Stream stream(1, "batches");
  const auto batches = stratified_batches(codes, 3, rows, 64, stream);
  ASSERT_EQ(batches.size(), 4U);  // 200 rows in batches of 66
  for (const auto& batch : batches) {
    ASSERT_EQ(batch.size(), 66U);
    for (std::size_t s = 0; s < batch.size(); ++s) {
      EXPECT_EQ(codes[static_cast<std::size_t>(batch[s])], static_cast<std::int32_t>(s % 3));
    }
  }
}

}  // namespace
}  // namespace bauta
