// Data sets in all the forms in which they are read, and what must be refused.
#include "bauta/data/dataset.hpp"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "bauta/data/npy.hpp"
#include "bauta/data/npz.hpp"
#include "bauta/data/provenance_file.hpp"
#include "fixtures.hpp"

namespace bauta {
namespace {

using test::error_of;
using test::expect_contains;
using test::input_error;
using test::Scratch;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

void write_floats(const std::filesystem::path& path, std::size_t rows, const std::vector<float>& values) {
  write_npy(path, MatrixView<const float>(values.data(), rows, values.size() / rows));
}

bool remarked(const Dataset& dataset, std::string_view part) {
  return std::any_of(dataset.remarks.begin(), dataset.remarks.end(),
                     [&](const std::string& remark) { return remark.find(part) != std::string::npos; });
}

Dataset small_dataset(Templates templates) {
  Dataset dataset;
  dataset.labels = LabelTable("memory", 2);
  dataset.labels.add_column("identity", {"a, the first", "b"});
  dataset.labels.add_column("note", {"say \"hi\"", ""});
  dataset.templates = std::move(templates);
  return dataset;
}

TEST(DatasetFolder, LabelsThatTakeTheFoldersPlaceAndAKeyForNothingAreTold) {
  const Scratch scratch;
  scratch.write("d/labels.csv", "identity\na\nb\n");
  write_floats(scratch / "d/templates.npy", 2, {1, 0, 0, 1});
  const auto other = scratch.write("other.csv", "identity\nx\ny\n");
  EXPECT_FALSE(remarked(read_dataset(scratch / "d"), "place of"));
  ReadOptions options;
  options.labels = other;
  options.key = "embeddings";
  const Dataset dataset = read_dataset(scratch / "d", options);
  EXPECT_EQ(dataset.labels.column("identity").front(), "x");
  EXPECT_TRUE(remarked(dataset, "other.csv takes the place of the labels.csv"));
  EXPECT_TRUE(remarked(dataset, "'embeddings' names an array of a .npz"));
}

TEST(DatasetFolder, ANumberIsANumberHoweverItIsWritten) {
  const Scratch scratch;
  scratch.write("labels.csv", "identity,age\n007,30\n7,30.0\n8,31\n");
  write_floats(scratch / "templates.npy", 3, {1, 0, 0, 1, 1, 1});
  ReadOptions options;
  options.only = "age=3e1";
  EXPECT_EQ(read_dataset(scratch.path(), options).size(), 2U);
  options.only = "identity=7";  // names are no numbers
  EXPECT_EQ(read_dataset(scratch.path(), options).size(), 1U);
  options.only = "age=30.5";
  EXPECT_THROW((void)read_dataset(scratch.path(), options), Error);
}

TEST(SubjectFolders, LinksThatLeadOutAndFoldersWithoutMediaAreTold) {
  const Scratch scratch, elsewhere;
  elsewhere.write("secret.pgm", "P5 1 1 255\nx");
  elsewhere.write("more/other.pgm", "P5 1 1 255\nx");
  scratch.write("a/1.pgm", "P5 1 1 255\nx");
  std::filesystem::create_symlink(scratch / "a/1.pgm", scratch / "a/2.pgm");  // stays inside
  std::filesystem::create_directories(scratch / "empty");
  ReadOptions options;
  options.templates_required = false;
  Dataset dataset = read_dataset(scratch.path(), options);
  EXPECT_EQ(dataset.size(), 2U);
  EXPECT_FALSE(remarked(dataset, "lead out"));
  EXPECT_TRUE(remarked(dataset, "1 sub-folders hold no media"));
  std::filesystem::create_symlink(elsewhere / "secret.pgm", scratch / "a/3.pgm");
  std::filesystem::create_directory_symlink(elsewhere / "more", scratch / "a/more");
  dataset = read_dataset(scratch.path(), options);
  EXPECT_EQ(dataset.size(), 3U);
  EXPECT_TRUE(remarked(dataset, "1 files are links that lead out of the folder, and are read, e.g. row 3"));
  EXPECT_TRUE(remarked(dataset, "1 links to folders are not followed"));
}

TEST(Dataset, ReadsAFolder) {
  const Scratch scratch;
  scratch.write("labels.csv", "identity,gender\na,M\na,M\nb,F\n");
  write_floats(scratch / "templates.npy", 3, {1, 2, 3, 4, 5, 6});
  const Dataset dataset = read_dataset(scratch.path());
  EXPECT_EQ(dataset.size(), 3U);
  EXPECT_EQ(dataset.identity_column, "identity");
  EXPECT_EQ(dataset.templates.floats()(2, 1), 6);
  EXPECT_TRUE(dataset.probe_templates.empty());
  EXPECT_FALSE(dataset.provenance.has_value());
}

TEST(Dataset, ReadsOnlyWhatIsAskedFor) {
  const Scratch scratch;
  scratch.write("labels.csv", "identity,part\na,x\nb,y\nc,x\n");
  write_floats(scratch / "templates.npy", 3, {1, 2, 3, 4, 5, 6});
  const auto read_only = [&](const char* only) {
    ReadOptions options;
    options.only = only;
    return read_dataset(scratch.path(), options);
  };
  const Dataset dataset = read_only("part=x");
  ASSERT_EQ(dataset.size(), 2U);
  EXPECT_EQ(dataset.labels.column("identity"), (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(dataset.templates.floats()(1, 0), 5);
  for (const char* only : {"part=z", "part", "size=x"}) {
    EXPECT_THROW(read_only(only), Error) << only;
  }
}

TEST(Dataset, RoundTripsFloats) {
  const Scratch scratch;
  Matrix<float> values(2, 2, 0.1F);
  values(1, 0) = -3;
  Dataset dataset = small_dataset(Templates(std::move(values)));
  dataset.probe_templates = dataset.templates.select({1, 0});
  dataset.provenance = Provenance{"nfr:bins=4", "nfr", {{"roles", "negative \"references\"\n\\"}, {"odd key", "x"}}};
  write_dataset(scratch.path(), dataset);

  const Dataset back = read_dataset(scratch.path());
  EXPECT_EQ(back.labels.names(), dataset.labels.names());
  for (const std::string& name : back.labels.names()) EXPECT_EQ(back.labels.column(name), dataset.labels.column(name));
  EXPECT_EQ(back.templates.floats()(1, 0), -3);
  EXPECT_EQ(back.probe_templates.floats()(0, 0), -3);
  ASSERT_TRUE(back.provenance.has_value());
  EXPECT_EQ(back.provenance->technique, "nfr:bins=4");
  EXPECT_EQ(back.provenance->comparator, "nfr");
  EXPECT_EQ(back.provenance->properties, dataset.provenance->properties);
  for (const char* name : {"labels.csv", "templates.npy", "probes.npy", "dataset.toml"}) {
    struct stat status {};
    ASSERT_EQ(::stat((scratch / name).c_str(), &status), 0) << name;
    EXPECT_EQ(status.st_mode & 0777U, 0600U) << name;
  }
}

TEST(Dataset, RoundTripsCodesAndBits) {
  const Scratch scratch;
  Matrix<std::uint8_t> codes(2, 3, 7);
  codes(1, 2) = 255;
  write_dataset(scratch.path(), small_dataset(Templates(std::move(codes))));
  const Dataset with_codes = read_dataset(scratch.path());
  ASSERT_EQ(with_codes.templates.kind(), ElementKind::code8);
  EXPECT_EQ(with_codes.templates.codes()(1, 2), 255);
  EXPECT_FALSE(with_codes.provenance.has_value());

  Matrix<std::uint64_t> words(2, 2, 0);
  words(0, 0) = 0x8000000000000001;
  words(1, 1) = 0x1f;
  write_dataset(scratch.path(), small_dataset(Templates(std::move(words), 69)));
  const Dataset with_bits = read_dataset(scratch.path());
  ASSERT_EQ(with_bits.templates.kind(), ElementKind::bits);
  EXPECT_EQ(with_bits.templates.cols(), 69U);
  EXPECT_EQ(with_bits.templates.words()(0, 0), 0x8000000000000001U);
  EXPECT_EQ(with_bits.templates.words()(1, 1), 0x1fU);

  // Without a mark, bytes are features; and nothing of the older data set remains.
  write_dataset(scratch.path(), small_dataset(Templates(Matrix<float>(2, 1, 1.0F))));
  EXPECT_EQ(read_dataset(scratch.path()).templates.kind(), ElementKind::float32);
}

TEST(Dataset, ReadsUnmarkedBytesAsFeatures) {
  const Scratch scratch;
  scratch.write("labels.csv", "identity\na\n");
  scratch.write("templates.npy", test::uint8_v3);
  const Dataset dataset = read_dataset(scratch.path());
  ASSERT_EQ(dataset.templates.kind(), ElementKind::float32);
  EXPECT_EQ(dataset.templates.floats()(0, 1), 2);
}

TEST(Dataset, NamesBothCountsWhenLabelsAreOffByOne) {
  const Scratch scratch;
  write_floats(scratch / "templates.npy", 3, {1, 2, 3});
  scratch.write("labels.csv", "identity\na\nb\n");
  expect_contains(input_error([&] { read_dataset(scratch.path()); }), "2 labels for 3 templates");
  scratch.write("labels.csv", "identity\na\nb\nc\nd\n");
  expect_contains(input_error([&] { read_dataset(scratch.path()); }), "4 labels for 3 templates");
  scratch.write("labels.csv", "identity\na\nb\nc\n");
  write_floats(scratch / "probes.npy", 2, {1, 2});
  expect_contains(input_error([&] { read_dataset(scratch.path()); }), "3 labels for 2 probe templates");
}

TEST(Dataset, NamesTheRowOfAValueThatIsNotFinite) {
  const Scratch scratch;
  write_floats(scratch / "templates.npy", 3, {1, 2, 3, nan, 5, 6});
  scratch.write("labels.csv", "identity\na\nb\nc\n");
  const std::string text = input_error([&] { read_dataset(scratch.path()); });
  expect_contains(text, "row 2 column 2");
  expect_contains(text, "`failed`");
  scratch.write("labels.csv", "identity,failed\na,0\nb,1\nc,\n");
  const Dataset dataset = read_dataset(scratch.path());
  EXPECT_EQ(dataset.failed(), (std::vector<bool>{false, true, false}));
  scratch.write("labels.csv", "identity,failed\na,0\nb,yes\nc,\n");
  expect_contains(input_error([&] { read_dataset(scratch.path()); }), "row 2: 'yes' in column 'failed'");
  scratch.write("labels.csv", "identity,failed\na,1\nb,0\nc,\n");
  expect_contains(input_error([&] { read_dataset(scratch.path()); }), "row 2 column 2");
}

// Rows enough for several parallel items; the first bad row is named for any number of threads.
TEST(Dataset, FindsTheFirstBadRowOfMany) {
  const Scratch scratch;
  std::vector<float> values(3000 * 512, 0.5F);
  values[2999 * 512 + 511] = -std::numeric_limits<float>::infinity();
  values[1234 * 512 + 17] = nan;
  write_floats(scratch / "templates.npy", 3000, values);
  std::string labels = "identity\n";
  for (int i = 0; i < 3000; ++i) labels += "s\n";
  scratch.write("labels.csv", labels);
  expect_contains(input_error([&] { read_dataset(scratch.path()); }), "row 1235 column 18");
}

TEST(Dataset, ReadsAFolderPerSubject) {
  const Scratch scratch;
  scratch.write("b/2.JPG", "x");
  scratch.write("b/1.jpg", "x");
  scratch.write("a/session/1.wav", "x");
  scratch.write("a/notes.txt", "x");
  scratch.write(".hidden/1.jpg", "x");
  ReadOptions options;
  options.templates_required = false;
  const Dataset dataset = read_dataset(scratch.path(), options);
  EXPECT_EQ(dataset.labels.column("identity"), (std::vector<std::string>{"a", "b", "b"}));
  EXPECT_EQ(dataset.labels.column("file"), (std::vector<std::string>{"a/session/1.wav", "b/1.jpg", "b/2.JPG"}));
  EXPECT_TRUE(remarked(dataset, "1 files that are not media"));
  expect_contains(error_of(Fault::usage, [&] { read_dataset(scratch.path()); }), "bauta extract");
}

TEST(Dataset, ChecksMediaPaths) {
  const Scratch scratch;
  ReadOptions options;
  options.templates_required = false;
  scratch.write("a/1.jpg", "x");
  scratch.write("labels.csv", "identity,file\na,a/1.jpg\n");
  EXPECT_EQ(read_dataset(scratch.path(), options).size(), 1U);
  for (const char* bad : {"/etc/passwd", "a/../../x", ""}) {
    scratch.write("labels.csv", std::string("identity,file\na,a/1.jpg\nb,") + bad + "\n");
    expect_contains(input_error([&] { read_dataset(scratch.path(), options); }), "row 2");
  }
  scratch.write("labels.csv", "identity,file\na,a/2.jpg\n");
  expect_contains(input_error([&] { read_dataset(scratch.path(), options); }), "no file 'a/2.jpg'");
  scratch.write("labels.csv", "identity\na\n");
  expect_contains(input_error([&] { read_dataset(scratch.path(), options); }), "neither templates.npy nor");
}

TEST(Dataset, ReadsNpzAndSaysWhatItGuessed) {
  const Scratch scratch;
  const Dataset dataset = read_dataset(scratch.write("x.npz", test::stored_npz));
  EXPECT_EQ(dataset.size(), 2U);
  EXPECT_EQ(dataset.identity_column, "ids");
  EXPECT_EQ(dataset.labels.column("ids"), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(remarked(dataset, "'X' (2 x 2 float32) is taken as the templates"));
  EXPECT_TRUE(remarked(dataset, "'ids' is taken as the identity"));
}

TEST(Dataset, AsksForAKeyWhenSeveralArraysFit) {
  const Scratch scratch;
  const std::vector<float> values = {1, 2, 3, 4};
  NpzWriter writer(scratch / "x.npz");
  writer.add("first", MatrixView<const float>(values.data(), 2, 2));
  writer.add("second", MatrixView<const float>(values.data(), 4, 1));
  writer.add("subjects", std::vector<std::string>{"a", "b"});
  writer.commit();
  ReadOptions options;
  expect_contains(error_of(Fault::usage, [&] { read_dataset(scratch / "x.npz", options); }), "--key");
  options.key = "first";
  const Dataset dataset = read_dataset(scratch / "x.npz", options);
  EXPECT_EQ(dataset.identity_column, "subjects");
  EXPECT_TRUE(remarked(dataset, "'second' (4 x 1) is left out"));
  options.key = "second";
  expect_contains(input_error([&] { read_dataset(scratch / "x.npz", options); }),
                  "2 values for 4 templates in 'second'");
  options.key = "third";
  expect_contains(error_of(Fault::usage, [&] { read_dataset(scratch / "x.npz", options); }), "no array 'third'");
}

TEST(Dataset, ReadsAnArrayWithLabels) {
  const Scratch scratch;
  write_floats(scratch / "X.npy", 2, {1, 2, 3, 4});
  scratch.write("L.csv", "subject_id;Male\ns1;-1\ns2;1\n");
  expect_contains(error_of(Fault::usage, [&] { read_dataset(scratch / "X.npy"); }), "--labels");
  ReadOptions options;
  options.labels = scratch / "L.csv";
  const Dataset dataset = read_dataset(scratch / "X.npy", options);
  EXPECT_EQ(dataset.identity_column, "subject_id");
  EXPECT_EQ(dataset.labels.column("Male"), (std::vector<std::string>{"-1", "1"}));
  EXPECT_TRUE(remarked(dataset, "separated by ';'"));
  options.identity = "person";
  expect_contains(input_error([&] { read_dataset(scratch / "X.npy", options); }), "subject_id, Male");
  options.identity_required = false;
  EXPECT_EQ(read_dataset(scratch / "X.npy", options).identity_column, "");
}

TEST(Dataset, ReadsParallelArrays) {
  const Scratch scratch;
  write_floats(scratch / "sample_features.npy", 2, {1, 2, 3, 4});
  scratch.write("sample_gender_labels.npy", test::booleans);
  scratch.write("sample_IDs.npy", test::byte_text);
  ReadOptions options;
  options.labels = (scratch / "sample_gender_labels.npy").string() + "," + (scratch / "sample_IDs.npy").string();
  const Dataset dataset = read_dataset(scratch / "sample_features.npy", options);
  EXPECT_EQ(dataset.labels.names(), (std::vector<std::string>{"gender", "IDs"}));
  EXPECT_EQ(dataset.identity_column, "IDs");
  scratch.write("sample_IDs.npy", test::int16_big_v2);
  expect_contains(input_error([&] { read_dataset(scratch / "sample_features.npy", options); }), "has 3 rows");
}

TEST(Dataset, RefusesLabelsThatMislead) {
  const Scratch scratch;
  write_floats(scratch / "templates.npy", 2, {1, 2});
  const auto message = [&](const std::string& labels) {
    scratch.write("labels.csv", labels);
    return input_error([&] { read_dataset(scratch.path()); });
  };
  expect_contains(message("1,2\n3,4\n5,6\n"), "column names are expected");
  expect_contains(message("identity,identity\na,b\na,b\n"), "twice");
  expect_contains(message("identity\na\n\"\"\n"), "row 2: no value in column 'identity'");
  expect_contains(message("identity,name\na,x\nb,\351\n"), "line 3: a value of column 'name' is not UTF-8");
  expect_contains(message("gender\nM\nF\n"), "no column 'identity'");
}

TEST(Dataset, RefusesPathsThatHoldNoData) {
  const Scratch scratch;
  expect_contains(input_error([&] { read_dataset(scratch / "none"); }), "does not exist");
  expect_contains(input_error([&] { read_dataset(scratch.path()); }), "no labels.csv");
  expect_contains(input_error([&] { read_dataset(scratch.write("x.bin", "hello")); }), "is not a data set");
  expect_contains(input_error([&] { read_dataset(scratch.write("x.npz", "")); }), "end record");
}

TEST(Dataset, SelectsRowsOfEverything) {
  Matrix<float> values(2, 1, 1.0F);
  values(1, 0) = 2;
  Dataset dataset = small_dataset(Templates(std::move(values)));
  dataset.probe_templates = dataset.templates;
  const Dataset part = dataset.select({1});
  EXPECT_EQ(part.size(), 1U);
  EXPECT_EQ(part.labels.column("identity"), std::vector<std::string>{"b"});
  EXPECT_EQ(part.templates.floats()(0, 0), 2);
  EXPECT_EQ(part.probe_templates.floats()(0, 0), 2);
}

TEST(DatasetFile, RefusesWhatIsNotFlatText) {
  const Scratch scratch;
  const auto message = [&](const std::string& text) {
    return input_error([&] { read_dataset_file(scratch.write("dataset.toml", text)); });
  };
  expect_contains(message("technique = \"x\"\n[table]\n"), "line 2");
  expect_contains(message("technique = \"x\nbits = 3\n"), "line 1");
  expect_contains(message("a = 1\na = 2\n"), "line 2");
  expect_contains(message("bits = \"-3\"\n"), "expected the number of bits");
  expect_contains(message("bits = \"0\"\n"), "expected the number of bits");
  expect_contains(message("elements = \"words\"\n"), "codes, bits or float32");
  expect_contains(message("elements = \"codes\"\nbits = \"8\"\n"), "contradict");
  expect_contains(message("a = \"\\x41\"\n"), "line 1: ");
  expect_contains(message("a = \"\\uD800\"\n"), "line 1: ");
  expect_contains(message("a = \"x\" y\n"), "line 1: ");
  expect_contains(message("a \"x\"\n"), "line 1: ");
  expect_contains(message("a = [\"x\"]\n"), "line 1: the value of 'a' is not a text");
  expect_contains(message("a = \"\351\"\n"), "UTF-8");
}

TEST(DatasetFile, ReadsWhatTomlAllowsOnALine) {
  const Scratch scratch;
  const DatasetFile content = read_dataset_file(
      scratch.write("dataset.toml", "bits = 12\r\n# a remark\n\n'odd key' = 'C:\\x' # c\nk=\"\\u00e9\\t\\U0001F600\""));
  EXPECT_EQ(content.storage.bits, 12U);
  ASSERT_TRUE(content.provenance.has_value());
  EXPECT_EQ(content.provenance->properties.at("odd key"), "C:\\x");
  EXPECT_EQ(content.provenance->properties.at("k"), "\303\251\t\360\237\230\200");
}

TEST(DatasetFile, ReadsWhatItWrites) {
  const Scratch scratch;
  DatasetFile written{Provenance{"a:b=\"1\",c='''é\"\"\"", "cosine", {}}, {ElementKind::bits, 12}};
  std::string controls;
  for (char c = 1; c < 0x20; ++c) controls.push_back(c);
  written.provenance->properties = {
      {"controls", controls + "\x7f\\"}, {"é.\"key\" ", "\ufeff\ufffe\u3000\U0010ffff"}, {"", ""}};
  write_dataset_file(scratch / "dataset.toml", written);
  const DatasetFile read = read_dataset_file(scratch / "dataset.toml");
  ASSERT_TRUE(read.provenance.has_value());
  EXPECT_EQ(read.provenance->technique, written.provenance->technique);
  EXPECT_EQ(read.provenance->comparator, "cosine");
  EXPECT_EQ(read.provenance->properties, written.provenance->properties);
  EXPECT_EQ(read.storage.bits, 12U);
}

// The parser frees nested tables by recursion: half a million of them overflow the stack of 8 MiB.
TEST(DatasetFile, RefusesKeysThatNestWithoutEnd) {
  const Scratch scratch;
  const auto message = [&](std::size_t names) {
    std::string text;
    for (std::size_t i = 0; i < names; ++i) text += "a.";
    return input_error([&] { read_dataset_file(scratch.write("dataset.toml", text + "a = 1")); });
  };
  expect_contains(message(63), "line 1: the value of 'a' is not a text");
  expect_contains(message(64), "line 1: a key of more than 64 parts");
  expect_contains(message(32000), "a key of more than 64 parts");
  std::string header = "[a";
  for (int i = 0; i < 70; ++i) header += " . \"b\"";
  expect_contains(input_error([&] { read_dataset_file(scratch.write("dataset.toml", header + "]\n")); }), "64 parts");
  expect_contains(message(500000), "larger than 64 KiB");
}

// Comparing the two ended in an assertion.
TEST(Dataset, ProbesHaveTheFeaturesOfTheTemplates) {
  const Scratch scratch;
  scratch.write("labels.csv", "identity\na\nb\n");
  write_floats(scratch / "templates.npy", 2, {1, 2, 3, 4});
  write_floats(scratch / "probes.npy", 2, {1, 2, 3, 4});
  EXPECT_EQ(read_dataset(scratch.path()).probe_templates.cols(), 2U);
  write_floats(scratch / "probes.npy", 2, {1, 2, 3, 4, 5, 6});
  expect_contains(input_error([&] { (void)read_dataset(scratch.path()); }), "probes of 3");
}

}  // namespace
}  // namespace bauta
