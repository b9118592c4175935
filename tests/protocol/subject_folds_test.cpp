// Folds share no subject, are alike in classes and size, and depend on the seed only.
#include "bauta/protocol/subject_folds.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"
#include "small_dataset.hpp"

namespace bauta {
namespace {

/// Subject i has samples[i] rows, in an order that `order` permutes; every third subject is of the class "M".
Dataset crowd(const std::vector<std::size_t>& samples, std::uint64_t order) {
  std::vector<std::string> identities, gender;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    identities.insert(identities.end(), samples[i], "p" + std::to_string(i));
    gender.insert(gender.end(), samples[i], i % 3 == 0 ? "M" : "F");
  }
  const auto place = Stream(order, "rows").permutation(identities.size());
  std::vector<std::string> permuted_identities, permuted_gender;
  for (const std::size_t row : place) {
    permuted_identities.push_back(identities[row]);
    permuted_gender.push_back(gender[row]);
  }
  return small_dataset("crowd", permuted_identities, permuted_gender, 0);
}

/// Many with one sample, few with hundreds, as in LFW.
std::vector<std::size_t> heavy_tail(std::size_t subjects) {
  std::vector<std::size_t> samples;
  for (std::size_t i = 0; i < subjects; ++i) samples.push_back(1 + 400 / (1 + i * i));
  return samples;
}

std::map<std::string, std::int32_t> fold_of_subject(const Dataset& data, const Folds& folds) {
  std::map<std::string, std::int32_t> fold;
  for (std::size_t row = 0; row < data.size(); ++row) {
    const auto& name = data.labels.column("identity")[row];
    EXPECT_EQ(fold.try_emplace(name, folds.of_row[row]).first->second, folds.of_row[row]) << name;
  }
  return fold;
}

TEST(SubjectFolds, ShareNoSubjectAndAreAlike) {
  for (const std::size_t k : {2U, 3U, 5U, 10U}) {
    const Dataset data = crowd(std::vector<std::size_t>(101, 3), 1);
    const Folds folds = subject_folds(data, "gender", k, 7);
    EXPECT_TRUE(folds.remarks.empty());
    (void)fold_of_subject(data, folds);
    // 34 M and 67 F with three samples each: they differ by one subject at most, and so do all subjects.
    std::size_t samples = 0;
    for (const FoldBalance& fold : fold_balance(data, folds, "gender")) {
      EXPECT_LE(fold.classes.at("M") / 3 - 34 / k, 1U);  // unsigned: fewer would be a huge number
      EXPECT_LE(fold.classes.at("F") / 3 - 67 / k, 1U);
      EXPECT_LE(fold.identities - 101 / k, 1U);
      EXPECT_EQ(fold.samples, 3 * fold.identities);
      samples += fold.samples;
    }
    EXPECT_EQ(samples, data.size());
  }
}

// A subject that alone has more samples than a fold should: its fold makes up for them with fewer subjects, and none is
// without a class.
TEST(SubjectFolds, OneSubjectWithVeryManySamples) {
  const Dataset data = crowd(heavy_tail(101), 1);  // 401, 201, 81, 41, ... 1: 873 samples
  for (const std::size_t k : {3U, 5U, 10U}) {
    const Folds folds = subject_folds(data, "gender", k, 7);
    const auto fold_of = fold_of_subject(data, folds);
    const auto balance = fold_balance(data, folds, "gender");
    std::size_t samples = 0, most = 0, subjects_of_most = 0, identities = 0;
    for (const FoldBalance& fold : balance) {
      EXPECT_GE(fold.classes.at("M"), 1U);
      EXPECT_GE(fold.classes.at("F"), 1U);
      samples += fold.samples;
      identities += fold.identities;
      if (fold.samples > most) {
        most = fold.samples;
        subjects_of_most = fold.identities;
      }
    }
    EXPECT_EQ(samples, data.size());
    EXPECT_EQ(identities, 101U);
    EXPECT_LT(subjects_of_most, 101 / k);
    EXPECT_EQ(most, balance[static_cast<std::size_t>(fold_of.at("p0"))].samples);
  }
}

TEST(SubjectFolds, SubjectsAndSamplesEvenOut) {
  Stream stream(3, "sizes");
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    std::vector<std::size_t> samples;
    for (int i = 0; i < 200; ++i) samples.push_back(1 + stream.below(20));
    const Dataset data = crowd(samples, trial);
    for (const auto& fold : fold_balance(data, subject_folds(data, "gender", 5, trial), "gender")) {
      EXPECT_NEAR(static_cast<double>(fold.identities), 40, 2);
      EXPECT_NEAR(static_cast<double>(fold.samples), static_cast<double>(data.size()) / 5, 20);
    }
  }
}

TEST(SubjectFolds, DependOnTheSeedAndNotOnTheOrderOfRows) {
  const Dataset one = crowd(heavy_tail(60), 1), two = crowd(heavy_tail(60), 2);
  const auto folds = fold_of_subject(one, subject_folds(one, "gender", 4, 11));
  EXPECT_EQ(folds, fold_of_subject(two, subject_folds(two, "gender", 4, 11)));
  EXPECT_NE(folds, fold_of_subject(one, subject_folds(one, "gender", 4, 12)));
}

TEST(SubjectFolds, WithoutIdentitiesEachRowIsASubject) {
  Dataset data = crowd(std::vector<std::size_t>(30, 1), 1);
  data.identity_column.clear();
  for (const auto& fold : fold_balance(data, subject_folds(data, "gender", 5, 1), "gender")) {
    EXPECT_EQ(fold.identities, 6U);
    EXPECT_EQ(fold.classes.at("M"), 2U);
    EXPECT_EQ(fold.classes.at("F"), 4U);
  }
}

TEST(SubjectFolds, LeavesOutWhatIsUnknownAndSaysSo) {
  std::vector<std::string> identities, gender;
  for (int i = 0; i < 24; ++i) {
    identities.push_back("p" + std::to_string(i / 2));
    gender.emplace_back(i / 2 % 2 == 0 ? "F" : "M");
  }
  gender[5].clear();
  Dataset data = small_dataset("few", identities, gender, 0);
  Matrix<float> rows(24, 2);
  for (std::size_t i = 0; i < rows.size(); ++i) rows.data()[i] = static_cast<float>(i);
  for (const std::size_t row : {8U, 9U, 12U}) rows(row, 0) = rows(row, 1) = -1;  // p4 twice, and p6
  data.templates = Templates(std::move(rows));
  const Folds folds = subject_folds(data, "gender", 3, 1);
  for (std::size_t row = 0; row < 24; ++row) {
    EXPECT_EQ(folds.of_row[row] < 0, row == 5 || row == 8 || row == 9 || row == 12) << row;
  }
  ASSERT_EQ(folds.remarks.size(), 2U);
  EXPECT_EQ(folds.remarks[0], "1 samples without 'gender' are left out of all folds");
  EXPECT_EQ(folds.remarks[1], "3 samples stand byte-identical under two names and are left out of all folds");
}

TEST(SubjectFolds, QuintilesOfAContinuousAttribute) {
  std::vector<std::string> identities, gender, age;
  for (int i = 0; i < 200; ++i) {
    identities.push_back("p" + std::to_string(i / 2));
    gender.emplace_back("F");
    age.push_back(std::to_string(i / 2) + (i % 2 == 0 ? ".25" : ".75"));  // medians 0.5, 1.5, ... 99.5
  }
  Dataset data = small_dataset("ages", identities, gender, 0);
  data.labels.add_column("age", age);
  const auto balance = fold_balance(data, subject_folds(data, "age", 5, 1), "age");
  for (const auto& fold : balance) {
    EXPECT_EQ(fold.identities, 20U);
    ASSERT_EQ(fold.classes.size(), 5U);
    // Four people of each range in each fold; the younger sample of one on an edge lies below it.
    for (const auto& [range, count] : fold.classes) EXPECT_NEAR(static_cast<double>(count), 8, 1) << range;
  }
  EXPECT_TRUE(balance[0].classes.contains("below 20.5"));
  EXPECT_TRUE(balance[0].classes.contains("20.5 to below 40.5"));
  EXPECT_TRUE(balance[0].classes.contains("from 80.5"));
}

TEST(SubjectFolds, MixedSubjectsGoWithTheirMostFrequentClass) {
  std::vector<std::string> identities, gender;
  for (int i = 0; i < 30; ++i) {
    identities.push_back("p" + std::to_string(i / 3));
    gender.emplace_back(i / 3 % 2 == 0 ? "F" : "M");
  }
  gender[0] = "M";
  const Folds folds = subject_folds(small_dataset("mixed", identities, gender, 0), "gender", 5, 1);
  EXPECT_EQ(folds.of_row[0], folds.of_row[1]);
  ASSERT_EQ(folds.remarks.size(), 1U);
  EXPECT_NE(folds.remarks[0].find("differs between samples of 1 subjects"), std::string::npos);
}

// Six speakers of two words each, as often: nobody has a word of their own, and every fold has both.
TEST(SubjectFolds, WhatChangesFromSampleToSampleIsDealtOut) {
  std::vector<std::string> identities, words;
  for (int person = 0; person < 6; ++person) {
    for (int sample = 0; sample < 4; ++sample) {
      identities.push_back("p" + std::to_string(person));
      words.push_back(sample % 2 == 0 ? "yes" : "no");
    }
  }
  const Dataset data = small_dataset("words", identities, words, 0);
  const Folds folds = subject_folds(data, "gender", 3, 1);
  for (const FoldBalance& fold : fold_balance(data, folds, "gender")) {
    EXPECT_EQ(fold.identities, 2U);
    EXPECT_EQ(fold.classes.at("yes"), 4U);
    EXPECT_EQ(fold.classes.at("no"), 4U);
  }
}

TEST(SubjectFolds, TooFewSubjectsOfAClass) {
  const Dataset data = small_dataset("few", {"a", "b", "c", "d", "e", "f"}, {"F", "F", "F", "M", "M", "M"}, 0);
  EXPECT_NO_THROW((void)subject_folds(data, "gender", 3, 1));
  try {
    (void)subject_folds(data, "gender", 4, 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::input);
    EXPECT_EQ(error.finding, "only 3 subjects have gender 'F', too few for 4 folds");
  }
  EXPECT_THROW((void)subject_folds(small_dataset("one", {"a", "b"}, {"F", "F"}, 0), "gender", 2, 1), Error);
}

TEST(SubjectFolds, RowsOfFoldsGoRoundTheEnd) {
  const Folds folds{{0, 1, 2, -1, 0, 2}, 3, {}};
  EXPECT_EQ(folds.rows(2, 2), (std::vector<std::size_t>{0, 2, 4, 5}));
  EXPECT_EQ(folds.rows(4), (std::vector<std::size_t>{1}));
}

}  // namespace
}  // namespace bauta
