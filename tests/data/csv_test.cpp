// CSV after RFC 4180, its common deviations, and texts that must be refused.
#include "bauta/data/csv.hpp"

#include <gtest/gtest.h>

#include "scratch.hpp"
#include "text.hpp"

namespace bauta {
namespace {

using test::expect_contains;
using test::input_error;
using test::Scratch;
using Rows = std::vector<std::vector<std::string>>;

Rows read(const std::string& bytes) {
  const Scratch scratch;
  CsvReader reader(scratch.write("x.csv", bytes));
  Rows rows = {reader.header()};
  std::vector<std::string_view> fields;
  while (reader.next(fields)) rows.emplace_back(fields.begin(), fields.end());
  return rows;
}

TEST(Csv, ReadsPlainRowsWithAnyLineEnd) {
  const Rows expected = {{"a", "b"}, {"1", ""}, {"", "2"}};
  EXPECT_EQ(read("a,b\n1,\n,2\n"), expected);
  EXPECT_EQ(read("a,b\r\n1,\r\n,2\r\n"), expected);
  EXPECT_EQ(read("a,b\n1,\n,2"), expected);
  EXPECT_EQ(read("\357\273\277a,b\n1,\n\n,2\n\n"), expected);
}

TEST(Csv, ReadsQuotedFields) {
  EXPECT_EQ(read("a,b\n\"x,y\",\"say \"\"hi\"\"\"\n\"two\nlines\",\"\"\n"),
            (Rows{{"a", "b"}, {"x,y", "say \"hi\""}, {"two\nlines", ""}}));
  EXPECT_EQ(read("\"a\",\"b\"\r\n\"1\",\"2\"\r\n\"3\",\"4\""), (Rows{{"a", "b"}, {"1", "2"}, {"3", "4"}}));
  EXPECT_EQ(read("a,b\n5\" tall,x\n"), (Rows{{"a", "b"}, {"5\" tall", "x"}}));
  EXPECT_EQ(read("a\n\"\"\"\"\n"), (Rows{{"a"}, {"\""}}));
}

TEST(Csv, FindsTheSeparatorInTheHeader) {
  EXPECT_EQ(read("a;b;c\n1,5;2;3\n"), (Rows{{"a", "b", "c"}, {"1,5", "2", "3"}}));
  EXPECT_EQ(read("a\tb\n1\t2\n"), (Rows{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(read("\"a;b\",c\n1,2\n"), (Rows{{"a;b", "c"}, {"1", "2"}}));
}

TEST(Csv, NamesTheLineOfRaggedRows) {
  const std::string text = input_error([] { read("a,b\n\"1\n2\",3\n4\n"); });
  expect_contains(text, "line 4: 1 fields, the header has 2");
  expect_contains(input_error([] { read("a,b\n1,2,3\n"); }), "line 2: 3 fields");
}

TEST(Csv, RefusesBrokenQuotes) {
  expect_contains(input_error([] { read("a,b\n1,\"2\n3,4\n"); }), "line 2: a quoted field is not closed");
  expect_contains(input_error([] { read("a,b\n\"1\"x,2\n"); }), "line 2: 'x' follows a closing quote");
}

TEST(Csv, RefusesWhatIsNotUtf8Text) {
  expect_contains(input_error([] { read(""); }), "is empty");
  expect_contains(input_error([] { read("\n\n"); }), "is empty");
  expect_contains(input_error([] { read(test::bytes("\377\376a\0,\0")); }), "UTF-16");
  expect_contains(input_error([] { read(test::bytes("\37\213\10\0\0")); }), "gzip");
  expect_contains(input_error([] { read("a\351,b\n"); }), "not UTF-8");
  expect_contains(input_error([] { read("a,b\r1,2\r"); }), "CR alone");
  const Scratch scratch;
  expect_contains(input_error([&] { CsvReader(scratch.path()); }), "folder");
}

TEST(Csv, KeepsRecordsThatCrossTheBuffer) {
  // Rows of 1..999 characters, some quoted, 10 MB in all: many offsets of a 256 KiB buffer border is met.
  std::string text = "n,s\n";
  for (int i = 0; i < 20000; ++i) {
    const std::string filler(static_cast<std::size_t>(i * 7 % 999), static_cast<char>('a' + i % 26));
    text += std::to_string(i) + (i % 3 == 0 ? ",\"" + filler + "\"\"\"\r\n" : "," + filler + "\n");
  }
  const Rows rows = read(text);
  ASSERT_EQ(rows.size(), 20001U);
  for (int i = 0; i < 20000; ++i) {
    const auto& row = rows[static_cast<std::size_t>(i) + 1];
    ASSERT_EQ(row[0], std::to_string(i));
    ASSERT_EQ(row[1].size(), static_cast<std::size_t>(i * 7 % 999) + (i % 3 == 0 ? 1 : 0));
  }
}

TEST(Csv, BoundsOneRecord) {
  const std::string endless = "a,b\n\"" + std::string((1U << 24) + 10, 'x');
  expect_contains(input_error([&] { read(endless); }), "line 2: a line or quoted field of more than 16 MiB");
  expect_contains(input_error([] { read(std::string(70000, ',')); }), "65536");
}

TEST(Csv, WritesWhatItReads) {
  const Scratch scratch;
  CsvWriter writer(scratch / "x.csv");
  writer.row({"a", "b"});
  writer.row({"x,y", "say \"hi\""});
  writer.row({"two\r\nlines", ""});
  writer.row({"tab\t;", " space "});
  writer.commit();
  EXPECT_EQ(read(test::read_bytes(scratch / "x.csv")),
            (Rows{{"a", "b"}, {"x,y", "say \"hi\""}, {"two\r\nlines", ""}, {"tab\t;", " space "}}));
}

TEST(Csv, WritesEmptyRowsOfOneColumn) {
  const Scratch scratch;
  CsvWriter writer(scratch / "x.csv");
  writer.row({"a"});
  writer.row({""});
  writer.row({"1"});
  writer.commit();
  EXPECT_EQ(test::read_bytes(scratch / "x.csv"), "a\n\"\"\n1\n");
  EXPECT_EQ(read("a\n\"\"\n1\n"), (Rows{{"a"}, {""}, {"1"}}));
}

// A spreadsheet runs what begins so, e.g. =HYPERLINK(...) or -1+cmd|..., when a released table is opened.
TEST(Csv, WritesNothingThatASpreadsheetRuns) {
  const std::vector<std::string> texts = {"=1+2",  "+x",  "-z",     "@y",  "\tq",  "\rq",  "-1+1", "+1 2",
                                          "-inf",  "+",   "-",      "'=1", "''=1", "'-5",  "'",    "''",
                                          "'text", "--5", "=\"a\"", "-",   "@",    "+nan", "''-5", "'+1"};
  const std::vector<std::string> numbers = {"-3.5", "+5", "-1e-3", ".5", "-.5", "5", "-0", "+1e999"};
  const Scratch scratch;
  {
    CsvWriter writer(scratch / "x.csv");
    writer.row({"text", "=header"});
    for (const std::string& text : texts) writer.row({text, "1"});
    for (const std::string& text : numbers) writer.row({text, "2"});
    writer.commit();
  }
  CsvReader reader(scratch / "x.csv");
  EXPECT_EQ(reader.header(), (std::vector<std::string>{"text", "=header"}));
  std::vector<std::string> read_again;
  std::vector<std::string_view> fields;
  while (reader.next(fields)) read_again.emplace_back(fields[0]);
  std::vector<std::string> expected = texts;
  expected.insert(expected.end(), numbers.begin(), numbers.end());
  EXPECT_EQ(read_again, expected);

  const std::string written = test::read_bytes(scratch / "x.csv");
  expect_contains(written,
                  "text,'=header\n'=1+2,1\n'+x,1\n'-z,1\n'@y,1\n\"'\tq\",1\n\"'\rq\",1\n'-1+1,1\n'+1 2,1\n'-inf,1\n");
  expect_contains(written, "\n-3.5,2\n+5,2\n-1e-3,2\n.5,2\n-.5,2\n5,2\n-0,2\n+1e999,2\n");  // as they were
}

// Boundaries of the encoding after RFC 3629.
TEST(Text, KnowsWellFormedUtf8) {
  for (const char* good : {"", "a", "\302\200", "\337\277", "\340\240\200", "\355\237\277", "\356\200\200",
                           "\357\277\277", "\360\220\200\200", "\364\217\277\277"}) {
    EXPECT_TRUE(is_plain_utf8(good)) << good;
  }
  for (const char* bad : {"\200", "\301\277", "\340\237\277", "\355\240\200", "\360\217\277\277", "\364\220\200\200",
                          "\302", "\340\240", "\360\220\200", "\303x", "\377"}) {
    EXPECT_FALSE(is_plain_utf8(bad)) << bad;
  }
  EXPECT_FALSE(is_plain_utf8(std::string_view("a\0b", 3)));
}

}  // namespace
}  // namespace bauta
