// Folds share no subject, are alike in classes and size, and depend on the seed only.
#include "bauta/protocol/subject_folds.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"
#include "bauta/data/media_source.hpp"
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

/// Subjects with so many samples of class F and of class M, named F0, F1, ... and M0, M1, ...
Dataset of_sizes(const std::vector<std::size_t>& f, const std::vector<std::size_t>& m) {
  std::vector<std::string> identities, gender;
  for (const auto& [name, sizes] : {std::pair("F", f), std::pair("M", m)}) {
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      identities.insert(identities.end(), sizes[i], name + std::to_string(i));
      gender.insert(gender.end(), sizes[i], name);
    }
  }
  return small_dataset("sizes", identities, gender, 0);
}

/// Who is in one fold, in the order of their names; folds in the order of their first.
std::vector<std::set<std::string>> groups(const Dataset& data, std::size_t k, std::uint64_t seed) {
  std::map<std::int32_t, std::set<std::string>> by_fold;
  for (const auto& [name, fold] : fold_of_subject(data, subject_folds(data, "gender", k, seed))) {
    by_fold[fold].insert(name);
  }
  std::vector<std::set<std::string>> found;
  for (const auto& [fold, names] : by_fold) found.push_back(names);
  std::sort(found.begin(), found.end());
  return found;
}

// By hand, a fold's load being its share of subjects plus its share of samples of the class. F has 3, 1, 1, 1 samples:
// fold A takes the 3 (1/4 + 3/6 = 0.75), fold B a 1 (0.42), B another (0.83), A the last. With 4, 1, 1, 1: A takes the
// 4 (1/4 + 4/7 = 0.82), B a 1 (0.39), a second (0.79) and the last. M has 2 and 1: the 2 goes to the fold that has less
// so far in units of M, and that is B in the first case (2/2 + 2/3 against 2/2 + 4/3) and A in the second (1/2 + 4/3
// against 3/2 + 3/3).
TEST(SubjectFolds, DealtByHand) {
  using Groups = std::vector<std::set<std::string>>;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    // Which of the equal F1 to F3 goes with F0 is drawn.
    const Groups three = groups(of_sizes({3, 1, 1, 1}, {2, 1}), 2, seed);
    ASSERT_EQ(three.size(), 2U);
    EXPECT_EQ(three[0].size(), 3U);
    EXPECT_TRUE(three[0].contains("F0") && three[0].contains("M1")) << seed;
    EXPECT_EQ(groups(of_sizes({4, 1, 1, 1}, {2, 1}), 2, seed), (Groups{{"F0", "M0"}, {"F1", "F2", "F3", "M1"}}))
        << seed;
    // 8, 5, 3, 2: A takes the 8 (0.69), B the 5 (0.53) and the 3 (0.94), A the 2.
    EXPECT_EQ(groups(of_sizes({2, 8, 3, 5}, {1, 4}), 2, seed), (Groups{{"F0", "F1", "M0"}, {"F2", "F3", "M1"}}))
        << seed;
    // Three folds: 6, 4, 2 one each, then the 1 to the smallest.
    const Groups folds = groups(of_sizes({1, 2, 4, 6}, {9, 9, 9}), 3, seed);
    ASSERT_EQ(folds.size(), 3U);
    EXPECT_TRUE(folds[0].contains("F0") && folds[0].contains("F1") && folds[0].size() == 3) << seed;
  }
}

// Of two classes that a subject has equally often, the first counts: a is F, and so is one of each fold. Rows of no
// class and rows that are not meant do not count for a subject.
TEST(SubjectFolds, OnlyWhatIsMeantIsDealt) {
  const Dataset data =
      small_dataset("some", {"a", "a", "b", "c", "d", "e", "e", "f"}, {"F", "M", "F", "M", "M", "F", "F", ""}, 0);
  const std::vector<bool> within = {true, true, true, true, true, false, false, true};
  const Folds folds = subject_folds(data, "gender", 2, 1, within);
  EXPECT_EQ(folds.count, 2U);
  EXPECT_EQ(folds.of_row[0], folds.of_row[1]);
  EXPECT_NE(folds.of_row[0], folds.of_row[2]);  // a and b are the two of class F
  EXPECT_NE(folds.of_row[3], folds.of_row[4]);
  for (const std::size_t row : {5U, 6U, 7U}) EXPECT_EQ(folds.of_row[row], -1) << row;
  EXPECT_EQ(folds.remarks, (std::vector<std::string>{
                               "1 samples without 'gender' are left out of all folds",
                               "'gender' differs between samples of 1 subjects; the most frequent value counts where "
                               "subjects are dealt out"}));
  // e is meant, too: three of class F.
  EXPECT_NO_THROW((void)subject_folds(data, "gender", 2, 1));
  const auto balance = fold_balance(data, folds, "gender");
  ASSERT_EQ(balance.size(), 2U);
  std::size_t samples = 0, identities = 0, females = 0;
  for (const FoldBalance& fold : balance) {
    samples += fold.samples;
    identities += fold.identities;
    females += fold.classes.at("F");
  }
  EXPECT_EQ(samples, 5U);
  EXPECT_EQ(identities, 4U);
  EXPECT_EQ(females, 2U);
}

// As by hand, in both classes: whoever has 3 samples goes with one of those who have 1. People and samples without a
// class weigh nothing, so that each of the three is that one in turn.
TEST(SubjectFolds, WhatHasNoClassWeighsNothing) {
  std::vector<std::string> identities, gender;
  for (const std::string name : {"F", "M"}) {
    for (const char* person : {"0", "0", "0", "1", "2", "3"}) {
      identities.push_back(name + person);
      gender.push_back(name);
    }
    for (int k = 0; k < 5; ++k) {
      identities.push_back(name + "1");
      gender.emplace_back();
    }
  }
  for (const char* nobody : {"X", "Y", "Z"}) {
    identities.emplace_back(nobody);
    gender.emplace_back();
  }
  const Dataset data = small_dataset("some", identities, gender, 0);
  std::set<std::string> companions;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Folds folds = subject_folds(data, "gender", 2, seed);
    for (const std::size_t first : {0U, 11U}) {
      std::set<std::string> together;
      for (std::size_t row = first + 3; row < first + 6; ++row) {
        if (folds.of_row[row] == folds.of_row[first]) together.insert(identities[row]);
      }
      EXPECT_EQ(together.size(), 1U) << seed;
      companions.insert(together.begin(), together.end());
    }
  }
  EXPECT_EQ(companions, (std::set<std::string>{"F1", "F2", "F3", "M1", "M2", "M3"}));
}

/// One age per person, or two.
Dataset aged(const std::vector<std::vector<double>>& ages) {
  std::vector<std::string> identities, values;
  for (std::size_t i = 0; i < ages.size(); ++i) {
    for (const double age : ages[i]) {
      identities.push_back(fmt::format("p{:02}", i));
      values.push_back(std::isnan(age) ? "" : fmt::format("{}", age));
    }
  }
  Dataset data = small_dataset("aged", identities, std::vector<std::string>(identities.size(), "F"), 0);
  data.labels.add_column("age", values);
  return data;
}

std::map<std::string, std::size_t> samples_of_ranges(const Dataset& data, std::size_t k) {
  std::map<std::string, std::size_t> ranges;
  for (const auto& fold : fold_balance(data, subject_folds(data, "age", k, 1), "age")) {
    for (const auto& [range, count] : fold.classes) ranges[range] += count;
  }
  return ranges;
}

// 24 people of 10, 11, ... 33: ranges begin at the values with i * 24 / wanted before them, of which there are as many
// as 24 / k, and five at most.
TEST(SubjectFolds, RangesOfNumbersByHand) {
  using Ranges = std::map<std::string, std::size_t>;
  std::vector<std::vector<double>> ages;
  for (int i = 0; i < 24; ++i) ages.push_back({10.0 + i});
  EXPECT_EQ(samples_of_ranges(aged(ages), 12), (Ranges{{"below 22", 12}, {"from 22", 12}}));
  EXPECT_EQ(samples_of_ranges(aged(ages), 8), (Ranges{{"below 18", 8}, {"18 to below 26", 8}, {"from 26", 8}}));
  EXPECT_EQ(
      samples_of_ranges(aged(ages), 2),
      (Ranges{{"below 14", 4}, {"14 to below 19", 5}, {"19 to below 24", 5}, {"24 to below 29", 5}, {"from 29", 5}}));
  EXPECT_EQ(samples_of_ranges(aged(ages), 13), (Ranges{{"all", 24}}));
  // 60 people, of whom 14 are 10 and 24 are 12, and five ranges that would begin at the 12th, 24th, 36th and 48th: none
  // begins at the lowest value, nor twice at one.
  std::vector<std::vector<double>> tied;
  for (int i = 0; i < 60; ++i) tied.push_back({i < 14 ? 10.0 : i < 38 ? 12.0 : 20.0 + i});
  EXPECT_EQ(samples_of_ranges(aged(tied), 12), (Ranges{{"below 12", 14}, {"12 to below 68", 34}, {"from 68", 12}}));
  // A person's age is the median of its samples: of 10, 11 and 100 it is 11, of 40 and 50 it is 45.
  std::vector<std::vector<double>> several = ages;
  several[1] = {10, 11, 100};
  several[23] = {40, 50};
  EXPECT_EQ(samples_of_ranges(aged(several), 12), (Ranges{{"below 22", 13}, {"from 22", 14}}));
  several[12] = {10, 34};  // 22 again, by its median
  EXPECT_EQ(samples_of_ranges(aged(several), 12), (Ranges{{"below 22", 14}, {"from 22", 14}}));
  several[12] = {10, 36};  // 23, and there are two of them: the range begins at 23
  EXPECT_EQ(samples_of_ranges(aged(several), 12), (Ranges{{"below 23", 14}, {"from 23", 14}}));
}

TEST(SubjectFolds, TooFewPeopleWithANumber) {
  std::vector<std::vector<double>> ages;
  for (int i = 0; i < 24; ++i) ages.push_back({10.0 + i});
  EXPECT_NO_THROW((void)subject_folds(aged(ages), "age", 24, 1));
  ages[3] = {std::nan("")};
  const Folds folds = subject_folds(aged(ages), "age", 23, 1);
  EXPECT_EQ(folds.of_row[3], -1);
  EXPECT_EQ(folds.remarks, std::vector<std::string>{"1 samples without 'age' are left out of all folds"});
  try {
    (void)subject_folds(aged(ages), "age", 24, 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.finding, "23 subjects have 'age', too few for 24 folds");
  }
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

/// Each is told by a text.
class ToldMedia : public MediaSource {
 public:
  explicit ToldMedia(std::vector<std::string> texts) : texts_(std::move(texts)) {}
  [[nodiscard]] std::size_t size() const override { return texts_.size(); }
  [[nodiscard]] Medium load(std::size_t) const override { throw std::runtime_error("is not looked at"); }
  [[nodiscard]] std::string digest(std::size_t row) const override { return texts_[row]; }
  [[nodiscard]] bool present(std::size_t row) const override { return !texts_[row].empty(); }

 private:
  std::vector<std::string> texts_;
};

// The same picture of p4 and p6 is in no fold; the two of p2 are one person's, and two files that are missing are not
// the same.
TEST(SubjectFolds, LeavesOutMediaUnderTwoNames) {
  std::vector<std::string> identities, gender, texts;
  for (int i = 0; i < 24; ++i) {
    identities.push_back("p" + std::to_string(i / 2));
    gender.emplace_back(i / 2 % 2 == 0 ? "F" : "M");
    texts.push_back("picture " + std::to_string(i));
  }
  texts[8] = texts[12] = "shared";
  texts[4] = texts[5] = "own";
  texts[0] = texts[2] = "";
  Dataset data = small_dataset("media", identities, gender, 0);
  data.templates = Templates();
  data.media = std::make_shared<ToldMedia>(texts);
  const Folds folds = subject_folds(data, "gender", 3, 1);
  for (std::size_t row = 0; row < 24; ++row) EXPECT_EQ(folds.of_row[row] < 0, row == 8 || row == 12) << row;
  ASSERT_EQ(folds.remarks.size(), 1U);
  EXPECT_EQ(folds.remarks[0], "2 samples stand byte-identical under two names and are left out of all folds");
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

// Only e is X, too few for two folds; where e is not meant, nobody is missed, and X does not count as a class.
TEST(SubjectFolds, AClassOfNobodyIsNone) {
  const Dataset data = small_dataset("few", {"a", "b", "c", "d", "e"}, {"F", "F", "M", "M", "X"}, 0);
  EXPECT_THROW((void)subject_folds(data, "gender", 2, 1), Error);
  EXPECT_NO_THROW((void)subject_folds(data, "gender", 2, 1, {true, true, true, true, false}));
  EXPECT_THROW((void)subject_folds(data, "gender", 2, 1, {true, true, false, false, false}), Error);
}

TEST(SubjectFolds, RowsOfFoldsGoRoundTheEnd) {
  const Folds folds{{0, 1, 2, -1, 0, 2}, 3, {}};
  EXPECT_EQ(folds.rows(2, 2), (std::vector<std::size_t>{0, 2, 4, 5}));
  EXPECT_EQ(folds.rows(4), (std::vector<std::size_t>{1}));
}

}  // namespace
}  // namespace bauta
