#include "bauta/core/labels.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"

namespace bauta {
namespace {

LabelTable table() {
  LabelTable labels("labels.csv", 4);
  labels.add_column("gender", {"M", "F", "", "M"});
  labels.add_column("age", {"10", "9", "100", "9"});
  return labels;
}

TEST(LabelTable, ClassesAreSortedAndMissingIsMinusOne) {
  const Categorical gender = table().categorical("gender");
  EXPECT_EQ(gender.classes, (std::vector<std::string>{"F", "M"}));
  EXPECT_EQ(gender.codes, (std::vector<std::int32_t>{1, 0, -1, 1}));
  EXPECT_EQ(gender.counts(), (std::vector<std::size_t>{1, 2}));
}

TEST(LabelTable, NumbersSortAsNumbers) {
  EXPECT_EQ(table().categorical("age").classes, (std::vector<std::string>{"9", "10", "100"}));
  EXPECT_EQ(table().numbers("age")[2], 100.0);
}

TEST(LabelTable, UnknownColumnSuggests) {
  try {
    (void)table().column("gendre");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::usage);
    EXPECT_EQ(error.hint, "did you mean 'gender'?");
  }
}

TEST(LabelTable, TextIsNotANumber) {
  EXPECT_THROW((void)table().numbers("gender"), Error);
}

TEST(LabelTable, ManyDistinctNumbersAreContinuous) {
  LabelTable labels("x", 21);
  std::vector<std::string> values;
  for (int i = 0; i < 21; ++i) values.push_back(std::to_string(i));
  labels.add_column("age", values);
  EXPECT_EQ(labels.kind("age"), ColumnKind::continuous);
  EXPECT_EQ(table().kind("age"), ColumnKind::categorical);
  EXPECT_EQ(table().kind("gender"), ColumnKind::categorical);
}

TEST(LabelTable, SelectKeepsRowsTogether) {
  const LabelTable part = table().select({3, 1});
  EXPECT_EQ(part.column("gender"), (std::vector<std::string>{"M", "F"}));
  EXPECT_EQ(part.column("age"), (std::vector<std::string>{"9", "9"}));
}

}  // namespace
}  // namespace bauta
