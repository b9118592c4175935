// Labels as people write them: what is missing, what has blanks around it, what is composed in another way.
#include "tidy_labels.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bauta/data/dataset.hpp"
#include "bauta/data/npy.hpp"
#include "fixtures.hpp"
#include "text.hpp"
#include "tidy_text.hpp"

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
  EXPECT_EQ(tidy_text("a  b\t\nc"), "a b c");
  EXPECT_EQ(tidy_text(decomposed), composed);
  EXPECT_EQ(tidy_text(composed), composed);
  // No-break space, ideographic space, byte order mark, and a letter whose last byte is that of the no-break space.
  EXPECT_EQ(tidy_text("\xc2\xa0\xe3\x80\x80x\xef\xbb\xbf"), "x");
  EXPECT_EQ(tidy_text("\xc3\xa0"), "\xc3\xa0");
  EXPECT_EQ(tidy_text(" \xc2\xa0 "), "");
  EXPECT_EQ(tidy_text(""), "");
}

// Code points and their decompositions: UnicodeData.txt; ignorable ones: DerivedCoreProperties.txt.
TEST(TidyText, WhatReadsTheSameIsTheSame) {
  // Full-width letters and digits, a ligature, a Roman numeral, Arabic written with presentation forms.
  EXPECT_EQ(tidy_text("\uff46\uff45\uff4d\uff41\uff4c\uff45 \uff13\uff10"), "female 30");
  EXPECT_EQ(tidy_text("o\ufb03ce \u2163"), "office IV");
  EXPECT_EQ(tidy_text("\ufefb"), "\u0644\u0627");
  // No-break, thin, ideographic and Ogham spaces are blanks; a run of them is one.
  for (const char* anna :
       {"Anna\u00a0Maria", "Anna\u2009Maria", "Anna\u3000 Maria", "Anna\u1680Maria", "Anna  Maria"}) {
    EXPECT_EQ(tidy_text(anna), "Anna Maria");
  }
  // Zero-width space, joiners, word joiner, soft hyphen, direction marks, byte order mark, variation selector.
  for (const char* none :
       {"\u200b", "\u200c", "\u200d", "\u2060", "\u00ad", "\u200e", "\u202b", "\u2067", "\ufeff", "\ufe0f"}) {
    EXPECT_EQ(tidy_text(std::string("An") + none + "na"), "Anna");
    EXPECT_EQ(tidy_text(none), "");
  }
  EXPECT_EQ(tidy_text(std::string("Jose\u200d\u0301")), composed);  // nothing stands between a letter and its accent
}

TEST(TidyText, WhatDiffersStaysDifferent) {
  for (const char* kept : {
           "\ue001",                          // private use
           "\u05e9\u05dc\u05d5\u05dd",        // from right to left
           "\u0645\u0631\u062d\u0628\u0627",  // likewise
           "\u03a9",
           "\u0414",
           "\u00df",
           "\u0131",
           "\u4e2d\u6587",                            // letters of others
           "\U0001f469\U0001f3fd\u200d\U0001f680",    // an astronaut is not a woman and a rocket
           "\U0001f469\U0001f3fd\U0001f680",          // likewise
           "\U0001f469\u200d\u2764\u200d\U0001f468",  // a couple with a heart
           "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",  // England
           "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",  // Scotland
           "\U0001f3f4",                                                              // neither
           "True",
           "TRUE",
           "3.5",
           "A\u0301b",
       }) {
    EXPECT_EQ(tidy_text(kept), std::string(kept) == "A\u0301b" ? "\u00c1b" : kept);
  }
  EXPECT_EQ(tidy_text("\u2764\ufe0f"), "\u2764");          // how a heart is drawn is no other heart
  EXPECT_EQ(tidy_text("\U0001f469\u200d"), "\U0001f469");  // a joiner that joins nothing
  EXPECT_EQ(tidy_text("\U0001f469\u200da"),
            "\U0001f469"
            "a");
  EXPECT_EQ(tidy_text("\U0001f469\u200d\u2122"), "\U0001f469TM");  // (TM) is letters
  EXPECT_EQ(tidy_text("\xff"), "\xff");                            // a word of the command line may be anything
}

// Every code point beside letters, marks and blanks: what is tidy stays as it is.
TEST(TidyText, TidyingTwiceChangesNothing) {
  std::size_t changed = 0;
  for (std::uint32_t point = 1; point < 0x30000; ++point) {
    if (!is_code_point(point)) continue;
    std::string text = "e";
    append_utf8(text, point);
    text += "\u0301\U0001f469\u200d";
    append_utf8(text, point);
    text += " x";
    append_utf8(text, point);
    const std::string once = tidy_text(text);
    ASSERT_EQ(tidy_text(once), once) << point;
    changed += once != text;
  }
  EXPECT_GT(changed, 5000U);
}

TEST(TidyText, WordsAreMissingInCapitalsOrNot) {
  const MissingWords words({" NA", "Stra\u00dfe", "M"});
  for (const char* missing : {"", "na", "Na", "NA", "m", "STRASSE", "stra\u00dfe"}) {
    EXPECT_TRUE(words.contains(missing)) << missing;
  }
  for (const char* known : {"nan", "n", "N A", "mm", "stra"}) EXPECT_FALSE(words.contains(known)) << known;
  EXPECT_FALSE(MissingWords({}).contains("NA"));
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

// Doses are classes, the same in both files; what is written with leading zeros alone is a name, and so is who somebody
// is. Thirty numbers are measured and stay as they are.
TEST(TidyLabels, EqualNumbersAreOneClass) {
  const auto read = [](const std::string& text, std::size_t rows) {
    const Scratch scratch;
    scratch.write("labels.csv", text);
    write_rows(scratch / "templates.npy", rows);
    return read_dataset(scratch.path());
  };
  const Dataset one = read("identity,dose,ward,code\n0.5,0.5,007,07\n0.50,0.50,012,7\n07,5e-1,012,1\n7,+2,,01\n", 4);
  EXPECT_EQ(one.labels.column("identity"), (std::vector<std::string>{"0.5", "0.50", "07", "7"}));
  EXPECT_EQ(one.labels.column("dose"), (std::vector<std::string>{"0.5", "0.5", "0.5", "2"}));
  EXPECT_EQ(one.labels.column("ward"), (std::vector<std::string>{"007", "012", "012", ""}));
  EXPECT_EQ(one.labels.column("code"), (std::vector<std::string>{"7", "7", "1", "1"}));
  expect_contains(remarks_of(one), "equal numbers are one class (0.50 is 0.5): 3 of 'dose', 2 of 'code'");
  const Dataset other = read("identity,dose\na,0.50\nb,.5\nc,-0\n", 3);
  EXPECT_EQ(other.labels.column("dose"), (std::vector<std::string>{"0.5", "0.5", "0"}));
  std::string many = "identity,age\n", twice = many;
  for (int i = 0; i < 30; ++i) many += fmt::format("p{},{}.50\n", i, i);
  for (int i = 0; i < 30; ++i) twice += fmt::format("p{},{}{}\n", i, i / 2, i % 2 == 0 ? ".5" : ".50");
  EXPECT_EQ(read(many, 30).labels.column("age")[3], "3.50");
  EXPECT_EQ(read(twice, 30).labels.kind("age"), ColumnKind::categorical);  // 15 numbers in 30 spellings
}

// 25 different ages and every word that the list has: numbers stay numbers.
TEST(TidyLabels, MissingWordsLeaveNumbersNumbers) {
  const Scratch scratch;
  std::string csv = "identity,age\n";
  std::size_t rows = 0;
  for (; rows < 25; ++rows) csv += "p" + std::to_string(rows) + ", " + std::to_string(20 + rows) + "\n";
  std::vector<std::string> words = missing_words();
  words.insert(words.end(), {"na", "n/a", "nan", "NAN", "NONE", "Null", "null", "\uff2e\uff21"});
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
  expect_contains(remarks_of(dataset), "characters of no width): 25 of 'age'");
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
  expect_contains(remarks_of(own), "1 of 'beard' (blanks, unknown, in capitals or not;");
  options.missing = {"UNKNOWN"};
  EXPECT_EQ(read_dataset(scratch.path(), options).labels.column("beard"), own.labels.column("beard"));
  options.missing.clear();
  EXPECT_EQ(read_dataset(scratch.path(), options).labels.categorical("beard").classes.size(), 3U);
  // No beard is a class, unless the user says otherwise.
  scratch.write("labels.csv", "identity,beard\na,none\nb,NONE\nc,full\nd,none\n");
  EXPECT_EQ(read_dataset(scratch.path()).labels.categorical("beard").classes,
            (std::vector<std::string>{"full", "none"}));
  options.missing = {"none"};
  EXPECT_EQ(read_dataset(scratch.path(), options).labels.categorical("beard").classes,
            (std::vector<std::string>{"full"}));
}

// One `none` among ages made all of them classes.
TEST(TidyLabels, NoneIsMissingWhereAllElseIsANumber) {
  const Scratch scratch;
  const auto read = [&](const std::string& third, const ReadOptions& options = {}) {
    scratch.write("labels.csv", "identity,age\na,none\nb,31.5\nc," + third + "\nd,-2e1\ne,none\nf,NA\ng,40.0\n");
    write_rows(scratch / "templates.npy", 7);
    return read_dataset(scratch.path(), options);
  };
  const Dataset ages = read("47");
  EXPECT_EQ(ages.labels.column("age"), (std::vector<std::string>{"", "31.5", "47", "-20", "", "", "40"}));
  expect_contains(remarks_of(ages), "values taken as missing: 3 of 'age'");
  for (const char* word : {"old", "inf", "4 7"}) {
    EXPECT_EQ(read(word).labels.column("age")[0], "none") << word;
  }
  ReadOptions nothing;
  nothing.missing = {"NA"};
  EXPECT_EQ(read("47", nothing).labels.column("age")[0], "none");
  scratch.write("labels.csv", "identity,beard\na,none\nb,none\n");
  write_rows(scratch / "templates.npy", 2);
  EXPECT_EQ(read_dataset(scratch.path()).labels.column("beard")[0], "none");
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
  expect_contains(remarks_of(dataset), "characters of no width): 2 of 'identity'");
  ReadOptions options;
  options.only = std::string("identity=") + decomposed;
  EXPECT_EQ(read_dataset(scratch.path(), options).size(), 2U);
}

// Half of the labels full-width, half of the others with a joiner inside: two classes and three people.
TEST(TidyLabels, ClassesAreOneHoweverTheyAreWritten) {
  const Scratch scratch;
  scratch.write("labels.csv",
                "identity,gender\nAnna Maria,female\nAnna\u00a0Maria,\uff46\uff45\uff4d\uff41\uff4c\uff45\nAnna  "
                "Maria,fe\u200dmale\nBo,ma\u200dle\nCy,male\n");
  write_rows(scratch / "templates.npy", 5);
  const Dataset dataset = read_dataset(scratch.path());
  EXPECT_EQ(dataset.labels.categorical("gender").classes, (std::vector<std::string>{"female", "male"}));
  EXPECT_EQ(dataset.labels.categorical("identity").classes, (std::vector<std::string>{"Anna Maria", "Bo", "Cy"}));
  expect_contains(remarks_of(dataset), "characters of no width): 2 of 'identity', 3 of 'gender'");
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
