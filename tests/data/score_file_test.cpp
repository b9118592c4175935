// Score files: every format with known rows, polarity, refusals and round trips.
#include "bauta/data/score_file.hpp"

#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "bee_matrix.hpp"
#include "scratch.hpp"

namespace bauta {
namespace {

using test::error_of;
using test::expect_contains;
using test::input_error;
using test::Scratch;

ScoreRows read(const std::filesystem::path& path, const ScoreOptions& options = {}) {
  const auto reader = ScoreReader::open(path, options);
  ScoreRows all;
  ScoreRows rows;
  while (reader->next(rows)) {
    EXPECT_LE(rows.size(), options.batch);
    EXPECT_EQ(rows.probe_subjects.empty(), !reader->has_subjects());
    all.scores.insert(all.scores.end(), rows.scores.begin(), rows.scores.end());
    all.mated.insert(all.mated.end(), rows.mated.begin(), rows.mated.end());
    all.probe_subjects.insert(all.probe_subjects.end(), rows.probe_subjects.begin(), rows.probe_subjects.end());
    all.reference_subjects.insert(all.reference_subjects.end(), rows.reference_subjects.begin(),
                                  rows.reference_subjects.end());
  }
  EXPECT_EQ(rows.size(), 0U);
  return all;
}

ScoreRows read_text(const std::string& text, const ScoreOptions& options = {}) {
  const Scratch scratch;
  return read(scratch.write("scores", text), options);
}

TEST(ScoreFile, ReadsCsvWithMatedColumn) {
  const ScoreRows rows = read_text("Score, mated ,x\n0.5,1,\n-1e-3,false,\n+2,target,\ninf,nonTarget,\n");
  EXPECT_EQ(rows.scores, (std::vector<double>{0.5, -1e-3, 2, std::numeric_limits<double>::infinity()}));
  EXPECT_EQ(rows.mated, (std::vector<std::uint8_t>{1, 0, 1, 0}));
}

TEST(ScoreFile, RefusesTwoColumnsOfOneName) {
  const Scratch scratch;
  for (const char* const text : {"score,mated,Mated\n1,1,0\n", "score,mated, score\n1,1,0\n"}) {
    expect_contains(input_error([&] { (void)ScoreReader::open(scratch.write("s.csv", text)); }), "appears twice");
  }
}

TEST(ScoreFile, KeepsEveryDigitOfADouble) {
  EXPECT_EQ(read_text("score,mated\n0.1000000000000000055511151231257827,1\n").scores[0], 0.1);
  EXPECT_EQ(read_text("score,mated\n4.9406564584124654e-324,1\n").scores[0], std::numeric_limits<double>::denorm_min());
}

TEST(ScoreFile, ReadsBobCsv) {
  const ScoreRows rows = read_text(
      "probe_template_id,probe_subject_id,bio_ref_template_id,bio_ref_subject_id,score\n"
      "p1,anna,r1,anna,0.9\np1,anna,r2,bert,0.1\np2,bert,r1,anna,0.2\n");
  EXPECT_EQ(rows.probe_subjects, (std::vector<std::uint32_t>{0, 0, 1}));
  EXPECT_EQ(rows.reference_subjects, (std::vector<std::uint32_t>{0, 1, 0}));
  EXPECT_EQ(rows.mated, (std::vector<std::uint8_t>{1, 0, 0}));
}

TEST(ScoreFile, ReadsFourAndFiveColumns) {
  const ScoreRows four = read_text("anna anna a/1 0.9\r\nanna  bert\tb/1 0.1\n\nbert bert b/2 0.8\n");
  EXPECT_EQ(four.scores, (std::vector<double>{0.9, 0.1, 0.8}));
  EXPECT_EQ(four.mated, (std::vector<std::uint8_t>{1, 0, 1}));
  EXPECT_EQ(four.probe_subjects, (std::vector<std::uint32_t>{0, 1, 1}));
  EXPECT_EQ(four.reference_subjects, (std::vector<std::uint32_t>{0, 0, 1}));
  const ScoreRows five = read_text("anna m1 bert b/1 0.25\nanna m1 anna a/2 1\n");
  EXPECT_EQ(five.scores, (std::vector<double>{0.25, 1}));
  EXPECT_EQ(five.mated, (std::vector<std::uint8_t>{0, 1}));
}

TEST(ScoreFile, NamesSubjects) {
  const Scratch scratch;
  const auto reader = ScoreReader::open(scratch.write("s.txt", "anna bert x 1\n"));
  ScoreRows rows;
  ASSERT_TRUE(reader->next(rows));
  EXPECT_EQ(reader->subjects(), (std::vector<std::string>{"bert", "anna"}));
  EXPECT_EQ(reader->remarks.size(), 1U);
}

TEST(ScoreFile, NegatesDistances) {
  ScoreOptions options;
  options.distances = true;
  EXPECT_EQ(read_text("score,mated\n0.5,1\n", options).scores[0], -0.5);
  EXPECT_EQ(read_text("a b x 0.5\n", options).scores[0], -0.5);
}

TEST(ScoreFile, ReadsTheSameRowsInAnyBatchSize) {
  std::string text = "score,mated\n";
  for (int i = 0; i < 1000; ++i) text += std::to_string(i) + ',' + std::to_string(i % 2) + '\n';
  const ScoreRows whole = read_text(text);
  ASSERT_EQ(whole.size(), 1000U);
  for (const std::size_t batch : {std::size_t{1}, std::size_t{7}, std::size_t{1000}}) {
    ScoreOptions options;
    options.batch = batch;
    EXPECT_EQ(read_text(text, options).scores, whole.scores);
  }
}

TEST(ScoreFile, NamesTheLineOfABadScore) {
  expect_contains(input_error([] { read_text("score,mated\n1,1\nnan,0\n"); }), "line 3: score 'nan'");
  expect_contains(input_error([] { read_text("score,mated\n1,1\n,0\n"); }), "line 3: score ''");
  expect_contains(input_error([] { read_text("score,mated\n0x10,1\n"); }), "line 2");
  expect_contains(input_error([] { read_text("score,mated\n1e999,1\n"); }), "line 2");
  expect_contains(input_error([] { read_text("a a x 1\na a x one\n"); }), "line 2: score 'one'");
  expect_contains(input_error([] { read_text("a a x 1\na a 1\n"); }), "line 2: 3 columns, expected 4");
  expect_contains(input_error([] { read_text("a m a x 1\na m a x 1 2 3\n"); }), "line 2: more than 5 columns");
}

TEST(ScoreFile, RefusesUnclearTruth) {
  expect_contains(input_error([] { read_text("score,mated\n1,maybe\n"); }), "line 2: 'maybe' in column 'mated'");
  expect_contains(input_error([] { read_text("score,label\n1,1\n"); }), "no column 'mated'");
  expect_contains(input_error([] { read_text("score,mated,probe_subject_id,bio_ref_subject_id\n1,1,a,b\n"); }),
                  "line 2: mated is 1 for subjects that are different");
  expect_contains(input_error([] { read_text("a a x 1\na \351 x 1\n"); }), "line 2: a subject's name is not UTF-8");
  expect_contains(input_error([] { read_text("hello\n"); }), "no known kind of score file");
  expect_contains(input_error([] { read_text(""); }), "no known kind of score file");
}

/// `rows` of probe and reference, each with the score 1, in every format of text that has names.
std::vector<std::string> in_all_formats(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::string csv = "score,Probe_Subject_Id\u00a0,bio_ref_subject_id\n", four, five;
  for (const auto& [probe, reference] : rows) {
    csv += "1," + probe + "," + reference + "\n";
    four += reference + " " + probe + " x 1\n";
    five += reference + " m " + probe + " x 1\n";
  }
  return {csv, four, five};
}

// Anna's name as letters of full width, with a no-break space behind it, with a joiner inside; Jos\u00e9's decomposed
// (Unicode, annex 15); a number as a table with gaps writes it.
TEST(ScoreFile, PeopleAreOneHoweverTheyAreWritten) {
  for (const std::string& text : in_all_formats({{"anna", "\uff41\uff4e\uff4e\uff41"},
                                                 {"anna\u00a0", "an\u200dna"},
                                                 {"Jose\u0301", "Jos\u00e9"},
                                                 {"7.0", "7"},
                                                 {"anna", "Anna"},
                                                 {"anna", "Jose\u0301"}})) {
    const Scratch scratch;
    const auto reader = ScoreReader::open(scratch.write("scores", text));
    ScoreRows rows;
    ASSERT_TRUE(reader->next(rows));
    EXPECT_EQ(rows.mated, (std::vector<std::uint8_t>{1, 1, 1, 1, 0, 0}));
    EXPECT_EQ(rows.probe_subjects, (std::vector<std::uint32_t>{0, 0, 1, 2, 0, 0}));
    EXPECT_EQ(rows.reference_subjects, (std::vector<std::uint32_t>{0, 0, 1, 2, 3, 1}));
    EXPECT_EQ(reader->subjects(), (std::vector<std::string>{"anna", "Jos\u00e9", "7", "Anna"}));
    ASSERT_FALSE(reader->next(rows));
    ASSERT_FALSE(reader->next(rows));
    ASSERT_FALSE(reader->remarks.empty());
    // Said once, with what was said about the format.
    EXPECT_EQ(reader->remarks.size(), text.starts_with("score") ? 1U : 2U);
    expect_contains(reader->remarks.back() + reader->remarks.front(), "6 names of subjects are rewritten in one");
  }
}

TEST(ScoreFile, NobodyIsNamedByAMissingWord) {
  for (const char* name : {"NA", "nan", "NULL", "-", "\u00a0", "\u200b", "\uff2e\uff21"}) {
    for (const std::string& text : in_all_formats({{"a", "a"}, {name, name}})) {
      expect_contains(input_error([&] { read_text(text); }), "a subject's name is missing");
      expect_contains(input_error([&] { read_text(text); }), text.starts_with("score") ? "line 3:" : "line 2:");
    }
  }
  expect_contains(input_error([] { read_text("score,probe_subject_id,bio_ref_subject_id\n1,a,a\n1,a,\n"); }),
                  "line 3: a subject's name is missing");
  ScoreOptions options;
  options.missing = {};
  EXPECT_EQ(read_text("NA NA x 1\n", options).mated, (std::vector<std::uint8_t>{1}));
}

// Where the file says it, a name need not: mated ones are the same person, the others are two.
TEST(ScoreFile, MatedIsBelievedOfWhomNobodyNames) {
  const std::string header = "score,mated,probe_subject_id,bio_ref_subject_id\n";
  const Scratch scratch;
  const auto reader = ScoreReader::open(
      scratch.write("scores", header + "1,1,a,a\n2,1,NA,NA\n3,0,,-\n4,1,a,nan\n5,1,,b\n6,0,a,\n7,0,,b\n"));
  ScoreRows rows;
  ASSERT_TRUE(reader->next(rows));
  EXPECT_EQ(rows.mated, (std::vector<std::uint8_t>{1, 1, 0, 1, 1, 0, 0}));
  // a, who is not named, who else is not named, b.
  EXPECT_EQ(rows.probe_subjects, (std::vector<std::uint32_t>{0, 1, 1, 0, 3, 0, 1}));
  EXPECT_EQ(rows.reference_subjects, (std::vector<std::uint32_t>{0, 1, 2, 0, 3, 2, 3}));
  ASSERT_FALSE(reader->next(rows));
  EXPECT_TRUE(reader->has_subjects());
  EXPECT_EQ(reader->remarks, (std::vector<std::string>{"6 comparisons do not name both subjects: column 'mated' says "
                                                       "what they are, and for intervals they are of two people at "
                                                       "most"}));
  // Columns without a single name are as good as none.
  const auto empty = ScoreReader::open(scratch.write("scores", header + "1,1,,\n2,0,,\n"));
  while (empty->next(rows)) EXPECT_EQ(rows.mated, (std::vector<std::uint8_t>{1, 0}));
  EXPECT_FALSE(empty->has_subjects());
  EXPECT_EQ(empty->remarks, (std::vector<std::string>{"2 comparisons do not name both subjects: column 'mated' says "
                                                      "what they are"}));
  expect_contains(input_error([&] { read_text(header + "1,1,a,a\n1,,,\n"); }), "line 3: '' in column 'mated'");
}

TEST(ScoreFile, ReadsNoRowsAsNone) {
  EXPECT_EQ(read_text("score,mated\n").size(), 0U);
}

/// A BEE file by hand, in either byte order.
std::string bee(char polarity, const std::string& type, const std::string& shape, bool big, const std::string& data) {
  return std::string(1, polarity) + "2\ntarget.xml\nquery.xml\n" + type + " " + shape + " " +
         (big ? "\x12\x34\x56\x78" : "\x78\x56\x34\x12") + "\n" + data;
}

// IEEE single: 1.0 = 3f800000, -2.0 = c0000000, 0.5 = 3f000000, NaN = 7fc00000.
const std::string little = test::bytes("\0\0\200\77\0\0\0\300\0\0\0\77\0\0\300\177");
const std::string big = test::bytes("\77\200\0\0\300\0\0\0\77\0\0\0\177\300\0\0");
const std::string mask = test::bytes("\377\177\177\0");

TEST(ScoreMatrix, ReadsBothByteOrdersAndLeavesMaskedCellsOut) {
  for (const bool swapped : {false, true}) {
    const Scratch scratch;
    const auto path = scratch.write("s.mtx", bee('S', "MF", "2 2", swapped, swapped ? big : little));
    scratch.write("s.mask", bee('S', "MB", "2 2", swapped, mask));
    const ScoreRows rows = read(path);
    EXPECT_EQ(rows.scores, (std::vector<double>{1, -2, 0.5}));
    EXPECT_EQ(rows.mated, (std::vector<std::uint8_t>{1, 0, 0}));
    ScoreOptions options;
    options.batch = 2;
    options.format = ScoreFormat::matrix;
    EXPECT_EQ(read(path, options).scores, rows.scores);
  }
}

// A set against itself: 300 samples are 44,850 comparisons and not 89,700, unless one of them was made twice.
TEST(ScoreMatrix, ASymmetricMatrixHoldsEachComparisonOnce) {
  const auto read_of = [](float last_of_first_column) {
    const Scratch scratch;
    MatrixWriter writer(scratch / "s.mtx", scratch / "s.mask", {.rows = 300, .cols = 300});
    for (std::size_t i = 0; i < 300; ++i) {
      std::vector<float> scores(300);
      std::vector<std::uint8_t> kinds(300);
      for (std::size_t j = 0; j < 300; ++j) {
        scores[j] = i == j ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(i * j + i + j);
        kinds[j] = i == j ? MatrixWriter::ignore : i / 2 == j / 2 ? MatrixWriter::match : MatrixWriter::non_match;
      }
      if (i == 299) scores[0] = last_of_first_column;
      writer.add_row(scores, kinds);
    }
    writer.commit();
    const auto reader = ScoreReader::open(scratch / "s.mtx");
    ScoreRows rows;
    std::size_t mated = 0, all = 0;
    while (reader->next(rows)) {
      for (const std::uint8_t one : rows.mated) mated += one;
      all += rows.size();
    }
    return std::array<std::size_t, 3>{mated, all, reader->remarks.size()};
  };
  EXPECT_EQ(read_of(299), (std::array<std::size_t, 3>{150, 44850, 1}));
  EXPECT_EQ(read_of(298), (std::array<std::size_t, 3>{300, 89700, 0}));
}

TEST(ScoreMatrix, NegatesDistancesOnce) {
  const Scratch scratch;
  const auto path = scratch.write("s.mtx", bee('D', "MF", "2 2", false, little));
  ScoreOptions options;
  options.mask = scratch.write("other.mask", bee('S', "MB", "2 2", false, mask));
  EXPECT_EQ(read(path, options).scores, (std::vector<double>{-1, 2, -0.5}));
  options.distances = true;
  EXPECT_EQ(read(path, options).scores, (std::vector<double>{-1, 2, -0.5}));
}

TEST(ScoreMatrix, RefusesWhatDoesNotFit) {
  const Scratch scratch;
  const auto message = [&](const std::string& matrix, const std::string& mask_file) {
    const auto path = scratch.write("s.mtx", matrix);
    scratch.write("s.mask", mask_file);
    return input_error([&] { read(path); });
  };
  const std::string good = bee('S', "MF", "2 2", false, little);
  const std::string good_mask = bee('S', "MB", "2 2", false, mask);
  expect_contains(message(good, bee('S', "MB", "1 4", false, mask)), "is 1 x 4, the matrix is 2 x 2");
  expect_contains(message(good.substr(0, good.size() - 1), good_mask), "15 bytes of data, expected 16 for 2 x 2");
  expect_contains(message(good, bee('S', "MB", "2 2", false, "\377\177\177\1")), "row 2 column 2: mask 0x01");
  expect_contains(message(good, bee('S', "MB", "2 2", false, "\377\177\177\177")),
                  "row 2 column 2: score is not a number");
  expect_contains(message(bee('S', "MF", "4294967296 4294967296", false, little), good_mask), "overflow");
  expect_contains(message(bee('S', "MB", "2 2", false, mask), good_mask), "not of type MF");
  expect_contains(message("S2\na\nb\nMF 2 2 abcd\n", good_mask), "byte order mark");
  std::filesystem::remove(scratch / "s.mask");
  expect_contains(input_error([&] { read(scratch.write("s.mtx", good)); }), "s.mask");
}

TEST(ScoreWriter, WritesCsvAndFourColumnsThatReadBack) {
  const Scratch scratch;
  ScoreCsvWriter csv(scratch / "s.csv");
  csv.add(0.1, true);
  csv.add(-1.0 / 3.0, false);
  csv.commit();
  EXPECT_EQ(test::read_bytes(scratch / "s.csv"), "score,mated\n0.1,1\n-0.3333333333333333,0\n");
  EXPECT_EQ(read(scratch / "s.csv").scores, (std::vector<double>{0.1, -1.0 / 3.0}));

  FourColumnWriter columns(scratch / "s.txt");
  columns.add("anna", "bert", "b/1", 0.25);
  columns.commit();
  EXPECT_EQ(test::read_bytes(scratch / "s.txt"), "anna bert b/1 0.25\n");
  expect_contains(error_of(Fault::usage, [&] { columns.add("anna b", "bert", "x", 0); }), "white space");
}

TEST(ScoreWriter, WritesTheMatrixByteByByte) {
  const Scratch scratch;
  MatrixWriter writer(scratch / "s.mtx", scratch / "s.mask", {.rows = 2, .cols = 2, .target_sigset = "target.xml"});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  writer.add_row(std::vector<float>{1, -2}, std::vector<std::uint8_t>{MatrixWriter::match, MatrixWriter::non_match});
  EXPECT_FALSE(std::filesystem::exists(scratch / "s.mtx"));
  writer.add_row(std::vector<float>{0.5F, nan},
                 std::vector<std::uint8_t>{MatrixWriter::non_match, MatrixWriter::ignore});
  writer.commit();
  EXPECT_EQ(test::read_bytes(scratch / "s.mtx"), bee('S', "MF", "2 2", false, little));
  EXPECT_EQ(test::read_bytes(scratch / "s.mask"), bee('S', "MB", "2 2", false, mask));
}

}  // namespace
}  // namespace bauta
