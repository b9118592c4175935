// Programs of others, as shell scripts: what they make, and every way in which they fail.
#include <sys/stat.h>

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
                  "command:run=program: {out}/templates.npy: header of 118 bytes announced");
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

TEST_F(CommandTest, WhatWasMadeIsFoundByTheClearTemplate) {
  const Dataset data = small_dataset();
  Matrix<float> numbers(12, 2);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers.data()[i] = static_cast<float>(i);
  write_npy(scratch / "clear.npy", data.templates);
  write_npy(scratch / "made.npy", numbers.view());
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
  Matrix<float> numbers(12, 2);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers.data()[i] = static_cast<float>(i);
  write_npy(scratch / "made.npy", numbers.view());
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
  stored.templates = Templates(std::move(numbers));
  std::vector<std::string> ids, reversed;
  for (int i = 0; i < 12; ++i) ids.push_back("s" + std::to_string(i));
  reversed.assign(ids.rbegin(), ids.rend());
  stored.labels.add_column("id", reversed);
  write_dataset(scratch / "set", stored);
  data.labels.add_column("id", ids);
  const ResolvedProtection folder = make_protection("precomputed:path=" + (scratch / "set").string());
  EXPECT_EQ(protect_dataset(folder, data.select({0, 1}), {}).templates.floats()(1, 0), 20);
  data.labels.replace_column("id", std::vector<std::string>(12, "stranger"));
  test::expect_contains(test::input_error([&] { (void)protect_dataset(folder, data, {}); }), "12 of 12 samples of");
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

}  // namespace
}  // namespace bauta
