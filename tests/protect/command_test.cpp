// Programs of others, as shell scripts: what they make, and every way in which they fail.
#include <csignal>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../data/scratch.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/data/npy.hpp"
#include "bauta/protect/media.hpp"
#include "fixtures.hpp"
#include "image/images.hpp"

namespace bauta {
namespace {

namespace fs = std::filesystem;

class CommandTest : public ::testing::Test {
 protected:
  /// The technique whose program this script is.
  [[nodiscard]] std::string technique(const std::string& script, const std::string& more = "") const {
    const fs::path path = scratch.write("program", "#!/bin/sh\n" + script + "\n");
    ::chmod(path.c_str(), 0700);
    return "command:run=" + path.string() + " {in} {out}" + more;
  }
  [[nodiscard]] std::string error_of(const std::string& script, const Dataset& data,
                                     const std::string& more = "") const {
    return test::input_error([&] {
      const ResolvedProtection made = make_protection(technique(script, more));
      data.media ? (void)protect_media(made, data, {}) : (void)protect_dataset(made, data, {});
    });
  }

  const test::Scratch scratch;
};

Dataset small_dataset() {
  return dataset_of(gaussian_templates(12, 8), 3);
}

class SixImages : public MediaSource {
 public:
  [[nodiscard]] std::size_t size() const override { return 6; }
  [[nodiscard]] bool present(std::size_t) const override { return true; }
  [[nodiscard]] Medium load(std::size_t row) const override { return noise_image(4 + row, 3, 3); }
};

Dataset six_images() {
  Dataset data;
  data.labels = LabelTable("six", 6);
  data.media = std::make_shared<SixImages>();
  return data;
}

class TwoMotions : public MediaSource {
 public:
  [[nodiscard]] std::size_t size() const override { return 2; }
  [[nodiscard]] Medium load(std::size_t row) const override {
    return Motion{2, 2, std::vector<float>(12, static_cast<float>(row)), 0, {"Head", "KneeLeft"}};
  }
};

/// Rows 0 1, 2 3, 4 5 ...
Templates counted(std::size_t rows) {
  Matrix<float> numbers(rows, 2);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers.data()[i] = static_cast<float>(i);
  return Templates(std::move(numbers));
}

/// Rows that failed, from 1.
std::vector<std::size_t> failed_rows(const Dataset& data) {
  std::vector<std::size_t> rows;
  const std::vector<bool> failed = data.failed();
  for (std::size_t row = 0; row < failed.size(); ++row) {
    if (failed[row]) rows.push_back(row + 1);
  }
  return rows;
}

std::string reason_of(const Dataset& masked, std::size_t row) {
  return test::input_error([&] { (void)masked.media->load(row); });
}

TEST_F(CommandTest, TemplatesGoThroughAFolder) {
  const Dataset data = small_dataset();
  const Dataset same = protect_dataset(make_protection(technique("cp \"$1\"/* \"$2\"")), data, {});
  ASSERT_EQ(same.templates.rows(), data.templates.rows());
  for (std::size_t i = 0; i < data.size(); ++i) EXPECT_EQ(same.templates.row_bytes(i), data.templates.row_bytes(i));
}

TEST_F(CommandTest, TheSeedIsTold) {
  const Dataset data = small_dataset();
  ::setenv("BAUTA_SEED", "17", 1);  // somebody else's
  const auto told = [&](const std::string& name, std::uint64_t of, const std::string& salt = "") {
    const std::string place = (scratch.path() / "seed").string();
    (void)protect_dataset(make_protection(technique("echo $" + name + " > " + place + "; cp $1/* $2")), data,
                          {.randomness = Randomness::seeded(of, salt)});
    return test::read_bytes(place);
  };
  const auto seed = [&](std::uint64_t of, const std::string& salt = "") { return told("BAUTA_SEED", of, salt); };
  const std::string one = seed(1);
  EXPECT_GT(one.size(), 8U);
  EXPECT_EQ(seed(1), one);
  EXPECT_NE(seed(2), one);
  // Another data set is salted with another digest: it has the same key and other noise.
  EXPECT_EQ(seed(1, "other"), one);
  EXPECT_EQ(told("BAUTA_DRAW", 1), told("BAUTA_DRAW", 1));
  EXPECT_NE(told("BAUTA_DRAW", 1), told("BAUTA_DRAW", 1, "other"));
  ::unsetenv("BAUTA_SEED");
}

TEST_F(CommandTest, FailuresSayWhat) {
  const Dataset data = small_dataset();
  using test::expect_contains;
  expect_contains(error_of("echo first; echo 'no weights' >&2; exit 3", data),
                  "ended with status 3, its last words: no weights");
  expect_contains(error_of("kill -9 $$", data), "was ended by signal 9");
  expect_contains(error_of("sleep 60 & sleep 60", data, ",timeout=1"), "took longer than 1 s");
  expect_contains(error_of("true", data), "wrote no templates.npy into the folder {out}");
  expect_contains(error_of("head -c 100 \"$1\"/templates.npy > \"$2\"/templates.npy", data),
                  "command:run=program: {out}/templates.npy byte 8: header of 118 bytes announced");
  // Bytes of an array of one row: the header of numpy's format, version 1.0, fills 128 bytes.
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }";
  expect_contains(
      error_of("printf '\\223NUMPY\\001\\000v\\000%-117s\\n12345678' \"" + header + "\" > \"$2\"/templates.npy", data),
      "an array of 1 x 2, expected 12 rows of features");
  const fs::path plain = scratch.write("plain", "no program");
  EXPECT_THROW((void)protect_dataset(make_protection("command:run=" + plain.string() + " {in} {out}"), data, {}),
               Error);
}

TEST_F(CommandTest, NothingIsLeftBehind) {
  const fs::path temporary = scratch / "temporary";
  fs::create_directory(temporary);
  const char* const before = std::getenv("TMPDIR");
  ::setenv("TMPDIR", temporary.c_str(), 1);
  const std::string mark = (scratch / "lives").string();
  // Who was started and not waited for is gone before it can write.
  (void)protect_dataset(make_protection(technique("(sleep 1; touch " + mark + ") & cp \"$1\"/* \"$2\"")),
                        small_dataset(), {});
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before, 1);
  EXPECT_TRUE(fs::is_empty(temporary));
  ::usleep(1'300'000);
  EXPECT_FALSE(fs::exists(mark));
}

/// Whether a process is there, once it has said which it is.
bool lives(const fs::path& said) {
  std::ifstream file(said);
  pid_t process = 0;
  EXPECT_TRUE(file >> process) << said;
  return process > 0 && ::kill(process, 0) == 0;
}

TEST_F(CommandTest, NobodyGetsAwayInASessionOfTheirOwn) {
  const std::string said = (scratch / "said").string();
  // Started by somebody who has ended, in a session of its own, without an environment.
  const std::string away = "(env -i setsid sh -c 'echo $$ > " + said + "; exec sleep 77' &); while test ! -s " + said +
                           "; do sleep 0.01; done; ";
  const pid_t other = ::fork();  // a process of ours that has nothing to do with the program
  if (other == 0) {
    for (;;) ::pause();
  }
  test::expect_contains(error_of(away + "sleep 60", small_dataset(), ",timeout=2"), "took longer than 2 s");
  EXPECT_FALSE(lives(said));
  fs::remove(said);
  test::expect_contains(error_of(away + "kill -9 $$", small_dataset()), "was ended by signal 9");
  EXPECT_FALSE(lives(said));
  fs::remove(said);
  (void)protect_dataset(make_protection(technique(away + "cp $1/* $2")), small_dataset(), {});
  EXPECT_FALSE(lives(said));
  EXPECT_EQ(::waitpid(other, nullptr, WNOHANG), 0);
  ::kill(other, SIGKILL);
  EXPECT_EQ(::waitpid(other, nullptr, 0), other);
}

TEST_F(CommandTest, MediaAreMatchedByName) {
  const Dataset data = six_images();
  // The third is missing, of the fourth only half is there, the fifth is there twice, and two have nobody's name.
  const Dataset masked = protect_media(
      make_protection(technique("cd \"$1\"; for f in *; do cp \"$f\" \"$2\"; done; cd \"$2\"; rm 000003.png; "
                                "head -c 40 000004.png > half; mv half 000004.png; cp 000005.png 000005.jpg; "
                                "touch more.txt; mkdir 000009")),
      data, {});
  EXPECT_EQ(std::get<Image>(masked.media->load(0)), noise_image(4, 3, 3));
  EXPECT_EQ(std::get<Image>(masked.media->load(5)), noise_image(9, 3, 3));
  test::expect_contains(reason_of(masked, 2), "nothing was made of it");
  test::expect_contains(reason_of(masked, 3), "what was made of it is");
  test::expect_contains(reason_of(masked, 4), "2 files were made of it");
  test::expect_contains(error_of("true", data), "wrote none of 6 media");
  test::expect_contains(error_of("rm -r \"$2\"", data), "left no folder {out}");
  test::expect_contains(error_of("ln -s 000001.png \"$2\"/000001.png", data), "wrote none of 6 media");
}

TEST_F(CommandTest, MediaThatWereWrittenBeforeABadEndAreKept) {
  const Dataset data = six_images();
  const std::string some = "cp $1/00000[1-4].png $2; head -c 40 $1/000005.png > $2/000005.png; ";
  for (const auto& [ending, fault] :
       {std::pair<std::string, std::string>{"echo no memory; exit 3", "ended with status 3"},
        {"kill -9 $$", "was ended by signal 9"},
        {"sleep 60", "took longer than 1 s"}}) {
    testing::internal::CaptureStderr();
    const Dataset masked = protect_media(make_protection(technique(some + ending, ",timeout=1")), data, {});
    const std::string said = testing::internal::GetCapturedStderr();
    test::expect_contains(said, "command:run=program: " + fault);
    test::expect_contains(said, "; what it wrote of 5 of 6 samples is kept");
    EXPECT_EQ(said.find("no memory") != std::string::npos, ending.starts_with("echo"));
    for (std::size_t row = 0; row < 4; ++row) {
      EXPECT_EQ(std::get<Image>(masked.media->load(row)), noise_image(4 + row, 3, 3));
    }
    test::expect_contains(reason_of(masked, 4), "what was made of it is");
    test::expect_contains(reason_of(masked, 5), "the program " + fault + " before it wrote this sample");
  }
  test::expect_contains(error_of("touch $2/strange.png; exit 3", data), "ended with status 3");
  test::expect_contains(error_of("rm -r $2; exit 3", data), "ended with status 3");
}

// Of an array of 12 x 8 floats, 128 bytes are its header, and each row has 32.
TEST_F(CommandTest, TemplatesThatWereWrittenBeforeABadEndAreKeptWhereTheyAreWhole) {
  const Dataset data = small_dataset();
  testing::internal::CaptureStderr();
  const Dataset same = protect_dataset(make_protection(technique("cp $1/templates.npy $2; exit 3")), data, {});
  test::expect_contains(testing::internal::GetCapturedStderr(),
                        "ended with status 3; what it wrote of 12 of 12 samples is kept");
  EXPECT_FALSE(same.labels.has("failed"));
  EXPECT_EQ(same.templates.row_bytes(11), data.templates.row_bytes(11));
  // Room for all rows was made before they were written.
  const std::string nine = "head -c 416 $1/templates.npy > $2/templates.npy; head -c 96 /dev/zero >> $2/templates.npy";
  testing::internal::CaptureStderr();
  const Dataset some = protect_dataset(make_protection(technique(nine + "; exit 3")), data, {});
  test::expect_contains(testing::internal::GetCapturedStderr(),
                        "command: 3 of 12 samples failed, e.g. row 10 (the program ended with status 3 before it wrote "
                        "this sample), row 11");
  EXPECT_EQ(failed_rows(some), (std::vector<std::size_t>{10, 11, 12}));
  EXPECT_EQ(some.templates.row_bytes(8), data.templates.row_bytes(8));
  EXPECT_TRUE(failed_rows(protect_dataset(make_protection(technique(nine)), data, {})).empty());
  // What is cut off cannot be told from what is not.
  test::expect_contains(error_of("head -c 400 $1/templates.npy > $2/templates.npy; exit 3", data),
                        "program: ended with status 3");
  const std::string table = "cp $1/templates.npy $2; head -c 28 $1/labels.csv > $2/labels.csv";
  test::expect_contains(error_of(table + "; kill -9 $$", data), "was ended by signal 9");
  test::expect_contains(error_of("exit 3", data), "ended with status 3");
}

TEST_F(CommandTest, TemplatesAreMatchedById) {
  const Dataset data = small_dataset();
  write_npy(scratch / "made.npy", counted(3));
  const auto script = [&](const std::string& table) {
    const std::string from = scratch.write("made.csv", table).string();
    return "cp " + (scratch / "made.npy").string() + " $2/templates.npy; cp " + from + " $2/labels.csv";
  };
  testing::internal::CaptureStderr();
  const Dataset made = protect_dataset(make_protection(technique(script("id\n7\nnobody\n2\n"))), data, {});
  const std::string said = testing::internal::GetCapturedStderr();
  test::expect_contains(said, "program: 1 of the rows that it wrote have the id of no sample, e.g. nobody");
  test::expect_contains(said, "command: 10 of 12 samples failed, e.g. row 1 (nothing was made of it), row 3");
  EXPECT_EQ(failed_rows(made), (std::vector<std::size_t>{1, 3, 4, 5, 6, 8, 9, 10, 11, 12}));
  EXPECT_EQ(made.templates.floats()(6, 1), 1);
  EXPECT_EQ(made.templates.floats()(1, 0), 4);
  EXPECT_EQ(made.templates.floats()(0, 1), 0);  // a failed row is empty
  // The rows of a program that ended badly count as long as the table is whole.
  const std::string bad_end = "; exit 3";
  const Dataset kept = protect_dataset(make_protection(technique(script("id\n7\n1\n2\n") + bad_end)), data, {});
  EXPECT_EQ(failed_rows(kept), (std::vector<std::size_t>{3, 4, 5, 6, 8, 9, 10, 11, 12}));
  test::expect_contains(error_of(script("id\n7\n2\n1") + bad_end, data), "ended with status 3");
  // It may say itself what it could not do.
  const Dataset marked = protect_dataset(make_protection(technique(script("id,failed\n7,0\n2,1\n9,0\n"))), data, {});
  EXPECT_EQ(failed_rows(marked), (std::vector<std::size_t>{1, 2, 3, 4, 5, 6, 8, 10, 11, 12}));
  test::expect_contains(error_of(script("id\n7\n7\n2\n"), data),
                        "program: {out}/labels.csv: '7' stands twice in column 'id'");
  test::expect_contains(error_of(script("id\na\nb\nc\n"), data), "program: {out}: holds none of the 12 samples");
  test::expect_contains(error_of(script("id\n7\n2\n"), data), "2 labels for 3 templates");
  test::expect_contains(error_of(script("mood\ngood\nbad\ngood\n"), data), "expected 12 rows of features");
}

TEST_F(CommandTest, SamplesThatFailAreMarkedInAFolderAndNotReleased) {
  const Dataset data = small_dataset();
  write_npy(scratch / "made.npy", counted(2));
  scratch.write("made.csv", "id\n1\n12\n");
  const std::string from = (scratch / "made").string();
  const ResolvedProtection two =
      make_protection(technique("cp " + from + ".npy $2/templates.npy; cp " + from + ".csv $2/labels.csv"));
  const fs::path out = scratch / "out";
  fs::create_directory(out);
  EXPECT_EQ(protect_to_folder(two, data, {}, out).failures, 10U);
  const Dataset back = read_dataset(out);
  EXPECT_EQ(failed_rows(back), (std::vector<std::size_t>{2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  EXPECT_EQ(back.templates.floats()(11, 1), 3);
  EXPECT_EQ(back.labels.column("identity"), data.labels.column("identity"));
  const auto nobody = [](const Templates&) -> TakeBlock { return {}; };
  test::expect_contains(test::input_error([&] { protect_stream(two, data, {}, nobody); }),
                        "command made nothing of 10 of 12 samples");
}

TEST_F(CommandTest, JointsHaveTheirNames) {
  Dataset data;
  data.labels = LabelTable("two", 2);
  data.media = std::make_shared<TwoMotions>();
  const auto masked = [&](const std::string& script) {
    testing::internal::CaptureStderr();
    const Dataset made = protect_media(make_protection(technique(script)), data, {});
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    return std::get<Motion>(made.media->load(1));
  };
  const Motion clear = std::get<Motion>(data.media->load(1));
  EXPECT_EQ(masked("test \"$(cat $1/joints.txt)\" = 'Head\nKneeLeft' && cp $1/*.npy $2"), clear);
  EXPECT_EQ(masked("cp $1/* $2"), clear);
  // The knee is taken out, and the program says which joint is left.
  const fs::path one = scratch / "one.npy";
  write_medium(one, Motion{2, 1, std::vector<float>(6), 0, {}});
  const std::string without_knee = "for i in 1 2; do cp " + one.string() + " $2/00000$i.npy; done";
  EXPECT_EQ(masked(without_knee + "; echo Head > $2/joints.txt").names, std::vector<std::string>{"Head"});
  EXPECT_TRUE(masked(without_knee).names.empty());
  // Images have none.
  (void)protect_media(make_protection(technique("test ! -e $1/joints.txt && cp $1/* $2")), six_images(), {});
}

TEST_F(CommandTest, WhatWasMadeIsFoundByTheClearTemplate) {
  const Dataset data = small_dataset();
  write_npy(scratch / "clear.npy", data.templates);
  write_npy(scratch / "made.npy", counted(12));
  const std::string arrays =
      "precomputed:path=" + (scratch / "made.npy").string() + ",clear=" + (scratch / "clear.npy").string();
  // Some of the samples in another order: each gets its own.
  const Dataset made = protect_dataset(make_protection(arrays), data.select({7, 2, 11}), {});
  ASSERT_EQ(made.templates.rows(), 3U);
  EXPECT_EQ(made.templates.floats()(0, 0), 14);
  EXPECT_EQ(made.templates.floats()(1, 1), 5);
  EXPECT_EQ(made.templates.floats()(2, 0), 22);
  const Dataset others = dataset_of(gaussian_templates(12, 8, 8), 3);
  test::expect_contains(test::input_error([&] { (void)protect_dataset(make_protection(arrays), others, {}); }),
                        "12 of 12 samples are not in");
  // The third and the first are equal and should be different ones: whose is whose?
  write_npy(scratch / "clear.npy", data.select({0, 1, 0, 3, 4, 5, 6, 7, 8, 9, 10, 11}).templates);
  test::expect_contains(test::input_error([&] { (void)protect_dataset(make_protection(arrays), data, {}); }),
                        "rows 1 and 3 are equal");
  write_npy(scratch / "made.npy", data.select({1, 2}).templates);
  test::expect_contains(test::input_error([&] { (void)protect_dataset(make_protection(arrays), data, {}); }),
                        "holds 2 rows");
  EXPECT_THROW((void)make_protection("precomputed"), Error);
}

TEST_F(CommandTest, ACommandIsWordsAndHoles) {
  const Dataset data = small_dataset();
  // An interpreter of the path, a script that is not executable, an argument with blanks and commas.
  const fs::path script = scratch.write("my script.sh", "test \"$1\" = 'a, b' && cp \"$2\"/templates.npy \"$3\"\n");
  const std::string line = "sh '" + script.string() + "' 'a, b' {in} {out}";
  const ResolvedProtection made = make_protection("command:run=\"" + line + "\",timeout=9,name=mine");
  EXPECT_EQ(protect_dataset(made, data, {}).templates.row_bytes(3), data.templates.row_bytes(3));
  // The script is called by what is in it, wherever it lies, and the text can be read again.
  EXPECT_EQ(made.parameters.resolved().find(scratch.path().string()), std::string::npos);
  EXPECT_NE(made.parameters.brief().find("my script.sh#"), std::string::npos);
  const ResolvedProtection again = make_protection(made.parameters.brief());
  EXPECT_EQ(again.parameters.resolved(), made.parameters.resolved());
  EXPECT_EQ(protect_dataset(again, data, {}).templates.row_bytes(3), data.templates.row_bytes(3));
  scratch.write("my script.sh", "cp \"$2\"/templates.npy \"$3\"\n");
  EXPECT_NE(make_protection("command:run=\"" + line + "\",timeout=9,name=mine").parameters.resolved(),
            made.parameters.resolved());
  EXPECT_THROW((void)make_protection("command:run=sh x {in}"), Error);
  EXPECT_THROW((void)make_protection("command:run=sh x {out}"), Error);
  EXPECT_THROW((void)make_protection("command:run=sh 'x {in} {out}"), Error);
  EXPECT_THROW((void)make_protection("command"), Error);
  test::expect_contains(
      test::error_of(
          Fault::usage,
          [&] { (void)protect_dataset(make_protection("command:run=no-such-program {in} {out}"), data, {}); }),
      "'no-such-program' cannot be run");
}

TEST_F(CommandTest, WhatWasMadeIsFoundByOrderOrById) {
  Dataset data = small_dataset();
  write_npy(scratch / "made.npy", counted(12));
  const ResolvedProtection array = make_protection("precomputed:path=" + (scratch / "made.npy").string());
  // Row r of the array is 2 r, 2 r + 1; a part of a part still knows where it stood.
  const Dataset part = data.select({7, 2, 11}).select({2, 0});
  const Dataset made = protect_dataset(array, part, {});
  EXPECT_EQ(made.templates.floats()(0, 0), 22);
  EXPECT_EQ(made.templates.floats()(1, 1), 15);
  const Dataset fewer = dataset_of(gaussian_templates(11, 8), 3);
  test::expect_contains(test::input_error([&] { (void)protect_dataset(array, fewer, {}); }), "holds 12 samples");
  // Ids win over the order.
  fs::create_directory(scratch / "set");
  Dataset stored = data;
  stored.templates = counted(12);
  std::vector<std::string> ids, reversed;
  for (int i = 0; i < 12; ++i) ids.push_back("s" + std::to_string(i));
  reversed.assign(ids.rbegin(), ids.rend());
  stored.labels.add_column("id", reversed);
  write_dataset(scratch / "set", stored);
  data.labels.add_column("id", ids);
  const ResolvedProtection folder = make_protection("precomputed:path=" + (scratch / "set").string());
  EXPECT_EQ(protect_dataset(folder, data.select({0, 1}), {}).templates.floats()(1, 0), 20);
  // What is not there, or failed there, is a failed sample.
  stored.mark_failed({true, false, false, false, false, false, false, false, false, false, false, false});
  write_dataset(scratch / "set", stored);
  ids[3] = "stranger";
  data.labels.replace_column("id", ids);
  testing::internal::CaptureStderr();
  const Dataset some = protect_dataset(folder, data, {});
  test::expect_contains(testing::internal::GetCapturedStderr(),
                        "precomputed: 2 of 12 samples failed, e.g. row 4 (nothing was made of it), row 12 (");
  EXPECT_EQ(failed_rows(some), (std::vector<std::size_t>{4, 12}));
  EXPECT_EQ(some.templates.floats()(2, 1), 19);
  data.labels.replace_column("id", std::vector<std::string>(12, "stranger"));
  test::expect_contains(test::input_error([&] { (void)protect_dataset(folder, data, {}); }),
                        "holds none of the 12 samples");
}

TEST_F(CommandTest, WhatWasMadeOfMediaIsFoundByName) {
  Dataset data = six_images();
  data.labels.add_column("file", {"a/1.jpg", "a/2.jpg", "b/1.jpg", "b/2.jpg", "", "c.png"});
  for (const char* name : {"a/1.png", "b/1.png", "b/2.png", "b/2.pgm"}) scratch.write(name, "P5 1 1 255\nx");
  const Dataset masked = protect_media(make_protection("precomputed:path=" + scratch.path().string()), data, {});
  EXPECT_EQ(std::get<Image>(masked.media->load(0)).pixels, (std::vector<std::uint8_t>{'x'}));
  EXPECT_EQ(std::get<Image>(masked.media->load(2)).pixels, (std::vector<std::uint8_t>{'x'}));
  test::expect_contains(reason_of(masked, 1), "nothing was made of it");
  test::expect_contains(reason_of(masked, 3), "2 files were made of it");
  test::expect_contains(reason_of(masked, 4), "nothing was made of it");
  const test::Scratch empty;
  test::expect_contains(test::input_error([&] {
                          (void)protect_media(make_protection("precomputed:path=" + empty.path().string()), data, {});
                        }),
                        "holds none of the 6 media");
}

TEST_F(CommandTest, MediaThatFailedElsewhereAreFailedSamples) {
  Dataset data = six_images();
  data.labels.add_column("id", {"a", "b", "c", "d", "e", "f"});
  // Rows of another order; of what failed there a file may lie there all the same, as its maker left it.
  std::string table = "id,file,failed\n";
  for (const char id : std::string("fbdeca")) {
    table += std::string{id} + "," + id + ".pgm," + (id == 'b' || id == 'e' ? "1" : "0") + "\n";
    scratch.write("made/" + std::string{id} + ".pgm", std::string("P5 1 1 255\n") + id);
  }
  scratch.write("made/labels.csv", table);
  const ResolvedProtection folder = make_protection("precomputed:path=" + (scratch / "made").string());
  const Dataset masked = protect_media(folder, data, {});
  for (const std::size_t row : {0, 2, 3, 5}) {
    EXPECT_EQ(std::get<Image>(masked.media->load(row)).pixels[0], 'a' + row);
  }
  for (const std::size_t row : {1, 4}) test::expect_contains(reason_of(masked, row), "nothing was made of it");
  fs::create_directory(scratch / "out");
  EXPECT_EQ(protect_media_to_folder(folder, data, {}, scratch / "out").failures, 2U);
  ReadOptions options;
  options.identity_required = options.templates_required = false;
  EXPECT_EQ(failed_rows(read_dataset(scratch / "out", options)), (std::vector<std::size_t>{2, 5}));
  scratch.write("made/labels.csv", "id,file,failed\na,a.pgm,1\nb,b.pgm,1\n");
  test::expect_contains(test::input_error([&] { (void)protect_media(folder, data, {}); }), "holds none of the 6 media");
}

}  // namespace
}  // namespace bauta
