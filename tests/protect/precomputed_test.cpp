// What was made already belongs to one clear sample each: whichever are asked for, of however many data sets.
#include "../data/scratch.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/data/npy.hpp"
#include "bauta/protect/media.hpp"
#include "fixtures.hpp"
#include "image/images.hpp"

namespace bauta {
namespace {

namespace fs = std::filesystem;
using Rows = std::vector<std::size_t>;

class Precomputed : public ::testing::Test {
 protected:
  /// Twelve people of a data set that lies there.
  [[nodiscard]] Dataset data(const std::string& name, std::uint64_t seed, const std::string& first_id = "") const {
    Dataset data = dataset_of(gaussian_templates(12, 4, seed), 1);
    data.origin = name;
    data.folder = scratch / name;
    data.labels = data.labels.with_origin((scratch / name / "labels.csv").string());
    std::vector<std::string> ids;
    for (int i = 0; i < 12 && !first_id.empty(); ++i) ids.push_back("s" + std::to_string(std::stoi(first_id) + i));
    if (!ids.empty()) data.labels.add_column("id", ids);
    return data;
  }
  [[nodiscard]] fs::path protect(const Dataset& data, const std::string& name) const {
    fs::create_directories(scratch / name);
    const ResolvedProtection none = make_protection("none");
    data.templates.empty() ? (void)protect_media_to_folder(none, data, {}, scratch / name)
                           : (void)protect_to_folder(none, data, {}, scratch / name);
    return scratch / name;
  }
  static ResolvedProtection at(const fs::path& path, const std::string& more = "") {
    return make_protection("precomputed:path=" + path.string() + more);
  }
  static std::string refusal(const ResolvedProtection& made, const std::vector<const Dataset*>& wholes) {
    return test::error_of(Fault::input, [&] { (void)made->check_all(wholes); });
  }

  const test::Scratch scratch;
};

TEST_F(Precomputed, TheOrderIsThatOfOneDataSet) {
  const Dataset a = data("a", 1), b = data("b", 2);
  write_npy(scratch / "a.npy", a.templates);
  const ResolvedProtection made = at(scratch / "a.npy");
  const std::vector<std::string> remarks = made->check_all({&a});
  ASSERT_EQ(remarks.size(), 1U);
  test::expect_contains(remarks[0], "samples are taken in the order of");
  // Parts of one data set, in whatever roles, know where they stand in it.
  const Dataset some = a.select({3, 5, 7}), others = a.select({1, 2, 9});
  EXPECT_EQ(made->check_all({&some, &others, &a}).size(), 3U);
  // As many of other people would get theirs.
  test::expect_contains(refusal(made, {&a, &b}), "a and b would both get their samples from it by their order");
  test::expect_contains(refusal(made, {&some, &b}), "clear=CLEAR.npy");
  // Contents tell everybody apart.
  Matrix<float> all(24, 4);
  for (std::size_t row = 0; row < 24; ++row) {
    std::ranges::copy((row < 12 ? a : b).templates.floats().row(row % 12), all.row(row).begin());
  }
  write_npy(scratch / "all.npy", Templates(std::move(all)));
  const ResolvedProtection known = at(scratch / "all.npy", ",clear=" + (scratch / "all.npy").string());
  EXPECT_TRUE(known->check_all({&a, &b}).empty());
  // What it cannot serve at all is known before anything is made, too.
  const Dataset shorter = dataset_of(gaussian_templates(11, 4), 1);
  test::expect_contains(refusal(made, {&shorter}), "holds 12 samples");
}

TEST_F(Precomputed, IdsTellSeveralDataSetsApartWhereTheyAreTheirOwn) {
  Dataset everybody = data("everybody", 1, "0");
  const ResolvedProtection made = at(protect(everybody, "made"));
  // Two data sets with ids of one folder.
  const Dataset first = everybody.select({0, 1, 2, 3, 4, 5});
  Dataset second = everybody.select({6, 7, 8, 9, 10, 11});
  second.origin = "second";
  second.labels = second.labels.with_origin((scratch / "second").string());
  EXPECT_TRUE(made->check_all({&first, &second}).empty());
  // Of a copy of a sample the same was made.
  Dataset copy = everybody.select({4, 5, 6});
  copy.labels = copy.labels.with_origin((scratch / "copy").string());
  EXPECT_TRUE(made->check_all({&first, &copy}).empty());
  // The same ids of other people: row 3 of them has the id of the third.
  const Dataset b = data("b", 2, "-2");
  test::expect_contains(refusal(made, {&first, &b}), "b row 3 would get what belongs to another sample, of everybody");
}

TEST_F(Precomputed, NamesOfFilesAreThoseOfOneFolder) {
  const auto media = [&](const std::string& folder) {
    std::vector<std::string> files = {"p1/1.png", "p2/1.png"};
    Dataset data = data_of({noise_image(4, 3, 1), noise_image(4, 3, 1)}, {"p1", "p2"});
    data.origin = folder;
    data.folder = scratch / folder;
    data.labels = data.labels.with_origin((scratch / folder).string());
    data.labels.add_column("file", files);
    return data;
  };
  const Dataset target = media("F1"), background = media("F2");
  for (const char* name : {"Fm/p1/1.png", "Fm/p2/1.png"}) scratch.write(name, "P5 1 1 255\nx");
  const ResolvedProtection made = at(scratch / "Fm");
  const Dataset one = target.select({1});
  EXPECT_TRUE(made->check_all({&target, &one}).empty());
  test::expect_contains(refusal(made, {&target, &background}),
                        "F1 and F2 would both get their samples from it by their files");
  scratch.write("Fm/labels.csv", "file\np1/1.png\np2/1.png\n");
  EXPECT_TRUE(made->check_all({&target, &one}).empty());
  test::expect_contains(refusal(made, {&target, &background}), "by their files");
  const test::Scratch empty;
  test::expect_contains(refusal(at(empty.path()), {&target}), "holds none of the 2 media");
}

// `bauta protect none DATA --only ...` writes three of twelve, without an id.
TEST_F(Precomputed, WhatWeMadeOfSomeIsTakenBack) {
  const Dataset all = data("all", 1), some = all.select({2, 3, 9});
  const fs::path folder = protect(some, "some");
  EXPECT_EQ(read_dataset(folder).provenance->properties.at("rows"), "3-4,10 of 12");
  const ResolvedProtection made = at(folder);
  EXPECT_TRUE(made->check_all({&some}).empty());
  // In whatever order, and also where more are asked for than were made.
  const Dataset back = protect_dataset(made, all.select({9, 2, 5}), {});
  EXPECT_EQ(back.templates.row_bytes(0), all.templates.row_bytes(9));
  EXPECT_EQ(back.templates.row_bytes(1), all.templates.row_bytes(2));
  EXPECT_EQ(back.failed(), (std::vector<bool>{false, false, true}));
  // What was made of a part of what was made knows the first data set, and is not taken for a whole one.
  const fs::path again = protect(read_dataset(folder).select({1, 2}), "again");
  EXPECT_EQ(read_dataset(again).provenance->properties.at("rows"), "4,10 of 12");
  EXPECT_EQ(protect_dataset(at(again), all.select({9}), {}).templates.row_bytes(0), all.templates.row_bytes(9));
  const Dataset three = data("three", 2).select({0, 1, 2});
  test::expect_contains(refusal(made, {&some, &three}), "by their order");
  // Rows that somebody took out of the folder, or a record of another data set, say nothing.
  Dataset fewer = read_dataset(folder).select({0, 1});
  fs::create_directories(scratch / "fewer");
  write_dataset(scratch / "fewer", fewer);
  test::expect_contains(refusal(at(scratch / "fewer"), {&some}), "holds 2 samples");
}

// Our files have numbers for names, and so may the clear ones: number 1 there is not number 1 here.
TEST_F(Precomputed, NumbersOfFilesAreNotTakenForNames) {
  std::vector<Image> images;
  std::vector<std::string> people, files;
  for (std::uint8_t i = 0; i < 6; ++i) {
    images.push_back(even_image(2, 2, 1, i));
    people.push_back("p" + std::to_string(i));
    files.push_back("00000" + std::to_string(6 - i) + ".png");
  }
  Dataset all = data_of(images, people);
  all.labels.add_column("file", files);
  const Dataset some = all.select({1, 4, 5});
  const Dataset back = protect_media(at(protect(some, "some")), some, {});
  for (std::size_t row = 0; row < 3; ++row) EXPECT_EQ(back.media->load(row), some.media->load(row)) << row;
  const Dataset whole = protect_media(at(protect(all, "whole")), some, {});
  for (std::size_t row = 0; row < 3; ++row) EXPECT_EQ(whole.media->load(row), some.media->load(row)) << row;
}

}  // namespace
}  // namespace bauta
