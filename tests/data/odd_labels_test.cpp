// Labels that may be meant otherwise than they are read: said, and left as they are.
#include <functional>

#include <gtest/gtest.h>

#include "bauta/data/dataset.hpp"
#include "bauta/data/npy.hpp"
#include "scratch.hpp"

namespace bauta {
namespace {

using test::expect_contains;
using test::Scratch;

/// Columns `identity` and `value`, by row.
Dataset with_values(
    std::size_t rows, const std::function<std::string(std::size_t)>& value,
    const std::function<std::string(std::size_t)>& identity = [](std::size_t row) {
      return "p" + std::to_string(row);
    }) {
  const Scratch scratch;
  std::string csv = "identity;value\n";
  for (std::size_t row = 0; row < rows; ++row) csv += identity(row) + ";" + value(row) + "\n";
  scratch.write("labels.csv", csv);
  const std::vector<float> numbers(rows, 1);
  write_npy(scratch / "templates.npy", MatrixView<const float>(numbers.data(), rows, 1));
  return read_dataset(scratch.path());
}

/// The remark about a column, or nothing.
std::string remark_on(const Dataset& dataset, const std::string& column) {
  std::string found;
  for (const std::string& remark : dataset.remarks) {
    if (remark.starts_with("column '" + column + "':")) found += remark;
  }
  return found;
}

TEST(OddLabels, CaseAloneIsSaid) {
  const char* values[] = {"True", "TRUE", "true", "no", "Yes", "\u00c9t\u00e9", "\u00e9t\u00e9"};
  const Dataset dataset = with_values(70, [&](std::size_t row) { return values[row % 7]; });
  EXPECT_EQ(remark_on(dataset, "value"),
            "column 'value': 5 values differ by the case of their letters alone, e.g. 'TRUE' and 'True': they are "
            "different classes");
  EXPECT_EQ(dataset.labels.categorical("value").classes.size(), 7U);
  EXPECT_EQ(remark_on(with_values(70, [&](std::size_t row) { return values[3 + row % 3]; }), "value"), "");
}

TEST(OddLabels, NamesAreCountedAndNotPrinted) {
  const auto name = [](std::size_t row) {
    return (row % 2 == 0 ? "Ann Smith " : "ann smith ") + std::to_string(row / 2 % 10);
  };
  const Dataset dataset = with_values(40, name, name);
  EXPECT_EQ(remark_on(dataset, "identity"),
            "column 'identity': 20 values differ by the case of their letters alone: they name different people");
  // A value that belongs to one person alone, however many samples they have, may be their name.
  EXPECT_EQ(remark_on(dataset, "value"),
            "column 'value': 20 values differ by the case of their letters alone: they are different classes");
}

TEST(OddLabels, WordsAmongNumbersAreSaid) {
  const auto age = [](std::size_t row) { return std::to_string(18 + row % 60); };
  const Dataset dataset = with_values(500, [&](std::size_t row) { return row == 7 ? "unknown" : age(row); });
  EXPECT_EQ(remark_on(dataset, "value"),
            "column 'value': 499 of 500 values are numbers, but all are taken as classes because of the others, e.g. "
            "'unknown'; --missing names words that mean no value");
  EXPECT_EQ(dataset.labels.kind("value"), ColumnKind::categorical);
  // What has digits may be somebody's number: the row says enough.
  const Dataset mixed = with_values(500, [&](std::size_t row) { return row % 100 == 7 ? "3o" : age(row); });
  expect_contains(remark_on(mixed, "value"), "495 of 500 values are numbers");
  expect_contains(remark_on(mixed, "value"), "e.g. in row 8;");
  // Missing words are no others; half is enough, less is not; twenty numbers are classes anyway.
  EXPECT_EQ(remark_on(with_values(500, [&](std::size_t row) { return row == 7 ? "na" : age(row); }), "value"), "");
  const auto share = [&](std::size_t words, std::size_t numbers) {
    return remark_on(
        with_values(100, [&](std::size_t row) { return row < words ? "unknown" : std::to_string(row % numbers); }),
        "value");
  };
  EXPECT_NE(share(50, 21), "");
  EXPECT_EQ(share(51, 21), "");
  EXPECT_EQ(share(50, 20), "");
}

TEST(OddLabels, SeparatorsInNumbersAreSaid) {
  const auto comma = [](std::size_t row) { return std::to_string(18 + row % 60) + "," + std::to_string(row % 10); };
  EXPECT_EQ(
      remark_on(with_values(500, comma), "value"),
      "column 'value': 500 of 500 values are numbers with separators (as in 12,5 or 1 234), so that all are taken "
      "as classes; write a point before decimals and nothing between thousands");
  const Dataset some = with_values(500, [&](std::size_t row) {
    return row % 5 == 0 ? "1,2" + std::to_string(10 + row % 60) : row % 5 == 1 ? "1\u202f000" : std::to_string(row);
  });
  expect_contains(remark_on(some, "value"), "200 of 500 values are numbers with separators");
  // One word, and they are no numbers; lists of few classes never are.
  EXPECT_EQ(remark_on(with_values(500, [&](std::size_t row) { return row == 7 ? "a" : comma(row); }), "value"), "");
  EXPECT_EQ(remark_on(with_values(500, [](std::size_t row) { return "1," + std::to_string(row % 20); }), "value"), "");
}

}  // namespace
}  // namespace bauta
