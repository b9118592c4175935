// Labels as people write them: what is missing, what has blanks around it, what is composed in another way.
#include "tidy_labels.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "bauta/data/dataset.hpp"
#include "bauta/data/npy.hpp"
#include "fixtures.hpp"

namespace bauta {
namespace {

using test::expect_contains;
using test::input_error;
using test::Scratch;

// Unicode, annex 15: e with acute is U+00E9, or U+0065 U+0301.
constexpr const char* composed = "Jos\xc3\xa9";
constexpr const char* decomposed = "Jose\xcc\x81";

std::string remarks_of(const Dataset& dataset) {
  std::string all;
  for (const std::string& remark : dataset.remarks) all += remark + "\n";
  return all;
}

void write_rows(const std::filesystem::path& path, std::size_t rows) {
  std::vector<float> values;
  for (std::size_t i = 0; i < rows; ++i) values.push_back(static_cast<float>(i));
  write_npy(path, MatrixView<const float>(values.data(), rows, 1));
}

TEST(TidyLabels, BlanksGoAndLettersAreComposed) {
  EXPECT_EQ(tidy_text("  a b\t\r"), "a b");
  EXPECT_EQ(tidy_text(decomposed), composed);
  EXPECT_EQ(tidy_text(composed), composed);
  // No-break space, ideographic space, byte order mark, and a letter whose last byte is that of the no-break space.
  EXPECT_EQ(tidy_text("\xc2\xa0\xe3\x80\x80x\xef\xbb\xbf"), "x");
  EXPECT_EQ(tidy_text("\xc3\xa0"), "\xc3\xa0");
  EXPECT_EQ(tidy_text(" \xc2\xa0 "), "");
  EXPECT_EQ(tidy_text(""), "");
}

// One missing value makes floats of a column of whole numbers in the tools that write such tables.
TEST(TidyLabels, AWholeNumberIsOneClassHoweverItIsWritten) {
  const Scratch scratch;
  scratch.write("labels.csv", "identity,mood,version\n7,1,1.0.0\n7.0,1.0,1.\n007,-2.00,.0\n7.10,-2,x.0\n");
  write_rows(scratch / "templates.npy", 4);
  const Dataset dataset = read_dataset(scratch.path());
  EXPECT_EQ(dataset.labels.column("identity"), (std::vector<std::string>{"7", "7", "007", "7.10"}));
  EXPECT_EQ(dataset.labels.column("mood"), (std::vector<std::string>{"1", "1", "-2", "-2"}));
  EXPECT_EQ(dataset.labels.column("version"), (std::vector<std::string>{"1.0.0", "1", ".0", "x.0"}));
  expect_contains(remarks_of(dataset), "1 of 'identity', 2 of 'mood', 1 of 'version'");
}

// 25 different ages and every word that the list has: numbers stay numbers.
TEST(TidyLabels, MissingWordsLeaveNumbersNumbers) {
  const Scratch scratch;
  std::string csv = "identity,age\n";
  std::size_t rows = 0;
  for (; rows < 25; ++rows) csv += "p" + std::to_string(rows) + ", " + std::to_string(20 + rows) + "\n";
  const std::vector<std::string> words = missing_words();
  for (const std::string& word : words) csv += "p" + std::to_string(rows++) + "," + word + "\n";
  csv += "p" + std::to_string(rows++) + ",  \n";
  csv += "p" + std::to_string(rows++) + ",\n";
  scratch.write("labels.csv", csv);
  write_rows(scratch / "templates.npy", rows);
  const Dataset dataset = read_dataset(scratch.path());
  EXPECT_EQ(dataset.labels.kind("age"), ColumnKind::continuous);
  const std::vector<double> ages = dataset.labels.numbers("age");
  EXPECT_EQ(ages[24], 44);
  EXPECT_EQ(std::count_if(ages.begin(), ages.end(), [](double age) { return age != age; }),
            static_cast<std::ptrdiff_t>(words.size()) + 2);
  // The value that was empty to begin with is not told.
  expect_contains(remarks_of(dataset), "values taken as missing: " + std::to_string(words.size() + 1) + " of 'age'");
  expect_contains(remarks_of(dataset), "or with composed letters: 25 of 'age'");
}

TEST(TidyLabels, TheListIsTheUsersToChange) {
  const Scratch scratch;
  scratch.write("labels.csv", "identity,beard\na,None\nb,unknown\nc,full\nd,\n");
  write_rows(scratch / "templates.npy", 4);
  EXPECT_EQ(read_dataset(scratch.path()).labels.categorical("beard").classes,
            (std::vector<std::string>{"full", "unknown"}));
  ReadOptions options;
  options.missing = {"unknown"};
  const Dataset own = read_dataset(scratch.path(), options);
  EXPECT_EQ(own.labels.categorical("beard").classes, (std::vector<std::string>{"None", "full"}));
  expect_contains(remarks_of(own), "1 of 'beard' (blanks, unknown;");
  options.missing.clear();
  EXPECT_EQ(read_dataset(scratch.path(), options).labels.categorical("beard").classes.size(), 3U);
}

TEST(TidyLabels, PeopleAreOneHoweverTheyAreWritten) {
  const Scratch scratch;
  scratch.write("labels.csv", std::string(" identity ,Gr\x6f\xcc\x88\xc3\x9f"
                                          "e\n") +
                                  composed + ",1\n" + decomposed + " ,2\nAnn,3\n\xc2\xa0" + "Ann,4\n");
  write_rows(scratch / "templates.npy", 4);
  const Dataset dataset = read_dataset(scratch.path());
  EXPECT_EQ(dataset.labels.categorical("identity").classes, (std::vector<std::string>{"Ann", composed}));
  EXPECT_TRUE(
      dataset.labels.has("Gr\xc3\xb6\xc3\x9f"
                         "e"));
  expect_contains(remarks_of(dataset), "composed letters: 2 of 'identity'");
  ReadOptions options;
  options.only = std::string("identity=") + decomposed;
  EXPECT_EQ(read_dataset(scratch.path(), options).size(), 2U);
}

TEST(TidyLabels, NobodyIsNamedByAMissingWord) {
  const Scratch scratch;
  scratch.write("labels.csv", "identity\na\nNA\n");
  write_rows(scratch / "templates.npy", 2);
  expect_contains(input_error([&] { (void)read_dataset(scratch.path()); }), "no value in column 'identity'");
}

// A folder's name is a label; the path of a file is what the file system calls it.
TEST(TidyLabels, FoldersAreNamesAndFilesArePaths) {
  const Scratch scratch;
  scratch.write(std::string(decomposed) + "/ 1.png", "");
  ReadOptions options;
  options.templates_required = false;
  const Dataset dataset = read_dataset(scratch.path(), options);
  EXPECT_EQ(dataset.labels.column("identity").front(), composed);
  EXPECT_EQ(dataset.labels.column("file").front(), std::string(decomposed) + "/ 1.png");
}

TEST(TidyLabels, ColumnsThatBecomeOneAreRefused) {
  const Scratch scratch;
  scratch.write("labels.csv", "identity,age, age\na,1,2\n");
  write_rows(scratch / "templates.npy", 1);
  expect_contains(input_error([&] { (void)read_dataset(scratch.path()); }), "column 'age' appears twice");
}

}  // namespace
}  // namespace bauta
