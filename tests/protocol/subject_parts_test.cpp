// Parts of a data set share no subject, cover it, and are always the same.
#include "bauta/protocol/subject_parts.hpp"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "small_dataset.hpp"

namespace bauta {
namespace {

Dataset people(std::size_t subjects, std::size_t samples) {
  std::vector<std::string> identities;
  for (std::size_t i = 0; i < subjects * samples; ++i) identities.push_back("p" + std::to_string(i % subjects));
  return small_dataset("people", identities, std::vector<std::string>(identities.size(), "F"), 0);
}

TEST(SubjectParts, ShareNoSubjectAndCoverTheData) {
  const Dataset all = people(31, 3);
  std::map<std::string, std::size_t> part_of;
  std::size_t samples = 0;
  for (std::size_t i = 1; i <= 3; ++i) {
    const Dataset part = subject_part(all, {i, 3});
    std::map<std::string, std::size_t> here;
    for (const auto& subject : part.labels.column("identity")) {
      EXPECT_EQ(part_of.try_emplace(subject, i).first->second, i) << subject;
      ++here[subject];
    }
    EXPECT_GE(here.size(), 10U);  // 31 subjects in three parts: 10 or 11
    EXPECT_LE(here.size(), 11U);
    for (const auto& [subject, count] : here) EXPECT_EQ(count, 3U) << subject;
    EXPECT_EQ(part.templates.rows(), part.size());
    EXPECT_TRUE(part.remarks.empty());
    EXPECT_EQ(part.origin, "people part " + std::to_string(i) + "/3");
    samples += part.size();
  }
  EXPECT_EQ(samples, all.size());
}

TEST(SubjectParts, SamplesUnderTwoNamesAreInNoPart) {
  Dataset all = people(6, 2);
  Matrix<float> rows(12, 2);
  for (std::size_t i = 0; i < rows.size(); ++i) rows.data()[i] = static_cast<float>(i < 4 ? i % 2 : i);
  all.templates = Templates(std::move(rows));  // the first two, of p0 and p1, are one
  std::size_t samples = 0;
  for (std::size_t i = 1; i <= 3; ++i) {
    const Dataset part = subject_part(all, {i, 3});
    samples += part.size();
    EXPECT_EQ(
        part.remarks,
        (std::vector<std::string>{"2 samples stand byte-identical under two names and are left out of all parts"}));
  }
  EXPECT_EQ(samples, 10U);
}

TEST(SubjectParts, TheSamePeopleWhereverThePartIsNamed) {
  // More samples of the same people, in another order, do not move anybody.
  const Dataset few = subject_part(people(20, 1), {2, 4});
  const Dataset many = subject_part(people(20, 5), {2, 4});
  const auto& chosen = few.labels.column("identity");
  ASSERT_EQ(many.size(), 5 * few.size());
  for (const auto& subject : many.labels.column("identity")) {
    EXPECT_NE(std::find(chosen.begin(), chosen.end(), subject), chosen.end()) << subject;
  }
}

TEST(SubjectParts, SamplesWithoutIdentityAreSubjectsOfTheirOwn) {
  Dataset all = people(1, 10);
  all.identity_column.clear();
  std::size_t samples = 0;
  for (std::size_t i = 1; i <= 5; ++i) {
    const Dataset part = subject_part(all, {i, 5});
    EXPECT_EQ(part.size(), 2U);
    samples += part.size();
  }
  EXPECT_EQ(samples, 10U);
}

TEST(SubjectParts, ASampleUnderTwoNamesIsInNoPart) {
  Dataset all = people(12, 2);
  Matrix<float> rows(24, 2);
  for (std::size_t i = 0; i < rows.size(); ++i) rows.data()[i] = static_cast<float>(i);
  for (const std::size_t row : {3U, 7U}) rows(row, 0) = rows(row, 1) = -1;   // p3 and p7
  for (const std::size_t row : {5U, 17U}) rows(row, 0) = rows(row, 1) = -2;  // p5 twice: a copy, but no doubt who
  all.templates = Templates(std::move(rows));
  std::size_t samples = 0;
  for (std::size_t i = 1; i <= 3; ++i) {
    const Dataset part = subject_part(all, {i, 3});
    for (std::size_t row = 0; row < part.size(); ++row) EXPECT_NE(part.templates.floats()(row, 0), -1.0F);
    ASSERT_EQ(part.remarks.size(), 1U);
    EXPECT_NE(part.remarks[0].find("2 samples"), std::string::npos);
    samples += part.size();
  }
  EXPECT_EQ(samples, 22U);
}

TEST(SubjectParts, RefusesWhatIsNoPart) {
  for (const char* text : {"", "3", "0/3", "4/3", "1/", "/3", "1/3x", "-1/3", "1/0", "a/b", "1x3", "1/x"}) {
    EXPECT_THROW((void)parse_part(text), Error) << text;
  }
  EXPECT_EQ(parse_part("2/3").index, 2U);
  EXPECT_EQ(parse_part("2/3").count, 3U);
  EXPECT_EQ(parse_part("1/3").index, 1U);
  EXPECT_EQ(parse_part("3/3").index, 3U);
  EXPECT_EQ(parse_part(std::string_view("1/34").substr(0, 3)).count, 3U);  // what follows is not looked at
  EXPECT_THROW((void)subject_part(people(2, 4), {1, 3}), Error);
}

}  // namespace
}  // namespace bauta
