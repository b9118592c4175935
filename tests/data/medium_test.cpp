#include "bauta/data/medium.hpp"

#include <array>
#include <limits>

#include <sys/stat.h>

#include "bauta/data/dataset.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/data/npy.hpp"
#include "media_fixtures.hpp"

namespace bauta {
namespace {

using test::expect_contains;
using test::input_error;
using test::Scratch;

Motion small_motion() {
  Motion motion{2, 2, {}, 0, {}};
  for (int k = 0; k < 12; ++k) motion.positions.push_back(0.1F * static_cast<float>(k) - 0.5F);
  return motion;
}

std::vector<Medium> some_media() {
  Image grey{3, 2, 1, {0, 1, 127, 128, 254, 255}};
  Image colour{2, 1, 3, {255, 0, 7, 8, 9, 250}};
  // One third has no short form in 16 or 24 bits.
  return {grey, colour, Recording{16000, {0, 1, -1, 1.0F / 3, -1e-9F}}, small_motion()};
}

TEST(Medium, ContentDecidesAboutTheKind) {
  const Scratch scratch;
  EXPECT_EQ(kind_of(read_medium(scratch.write("a.wav", test::png_grey))), "image");
  EXPECT_EQ(kind_of(read_medium(scratch.write("b.png", test::wav_stereo))), "voice");
  write_medium(scratch / "c.jpg", small_motion());
  EXPECT_EQ(kind_of(read_medium(scratch / "c.jpg")), "motion");
  expect_contains(input_error([&] { (void)read_medium(scratch.write("d.png", "hello")); }),
                  "is no image, recording or motion");
}

TEST(Medium, WritingLosesNothing) {
  const Scratch scratch;
  for (const Medium& medium : some_media()) {
    const auto path = scratch / ("medium" + std::string(extension_of(medium)));
    write_medium(path, medium);
    EXPECT_EQ(read_medium(path), medium) << path;
    struct stat status {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U);
  }
}

// libpng refuses edges beyond a million unless it is told otherwise; what we read, we write.
TEST(Medium, AnImageMayBeVeryWide) {
  const Scratch scratch;
  Image line{1'200'000, 1, 1, {}};
  for (std::size_t x = 0; x < line.width; ++x) line.pixels.push_back(static_cast<std::uint8_t>(x * x % 251));
  write_medium(scratch / "a.png", line);
  EXPECT_EQ(std::get<Image>(read_medium(scratch / "a.png")), line);
}

TEST(Medium, DigestsTellMediaApart) {
  std::vector<Medium> all = some_media();
  Image turned = std::get<Image>(all[0]);
  std::swap(turned.width, turned.height);
  all.emplace_back(turned);
  Motion slow = small_motion();
  slow.rate = 30;
  all.emplace_back(slow);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < all.size(); ++j) EXPECT_EQ(digest(all[i]) == digest(all[j]), i == j) << i << " " << j;
  }
}

TEST(Medium, AnotherKindIsRefusedByName) {
  const Medium recording = Recording{8000, {0}};
  EXPECT_EQ(medium_as<Recording>(recording, "cepstra").rate, 8000);
  expect_contains(input_error([&] { (void)medium_as<Image>(recording, "pixels"); }),
                  "pixels: takes images, this is a recording");
}

TEST(Motion, NumbersOfAnotherShapeAreNoMotion) {
  const Scratch scratch;
  write_npy(scratch / "flat.npy", Matrix<float>(4, 3, 1.0F).view());
  expect_contains(input_error([&] { (void)read_motion(scratch / "flat.npy"); }), "frames x joints x 3");
}

TEST(Motion, WholeNumbersAreRead) {
  const Scratch scratch;
  const std::string header = npy_header("<i2", std::array<std::uint64_t, 3>{1, 1, 3});
  const Motion motion = read_motion(scratch.write("m.npy", header + test::bytes("\1\0\377\377\0\1")));
  EXPECT_EQ(motion, (Motion{1, 1, {1, -1, 256}, 0, {}}));
}

TEST(Motion, PositionsAreFinite) {
  const Scratch scratch;
  Motion motion = small_motion();
  motion.positions[7] = std::numeric_limits<float>::infinity();
  write_medium(scratch / "m.npy", motion);
  expect_contains(input_error([&] { (void)read_motion(scratch / "m.npy"); }), "inf in frame 2");
}

Dataset three_images(const Scratch& scratch) {
  for (int k = 0; k < 3; ++k) {
    write_medium(scratch / (std::to_string(k) + ".png"), Image{1, 1, 1, {static_cast<std::uint8_t>(k)}});
  }
  scratch.write("labels.csv", "file,identity\n0.png,a\n1.png,b\n2.png,c\n");
  ReadOptions options;
  options.templates_required = false;
  return read_dataset(scratch.path(), options);
}

int shade(const MediaSource& media, std::size_t row) {
  return std::get<Image>(media.load(row)).pixels[0];
}

TEST(MediaSource, ADatasetDecodesWhenAsked) {
  const Scratch scratch;
  const Dataset dataset = three_images(scratch);
  ASSERT_TRUE(dataset.media);
  EXPECT_EQ(dataset.media->size(), 3U);
  EXPECT_EQ(shade(*dataset.media, 2), 2);
  scratch.write("2.png", "damaged");
  EXPECT_THROW((void)dataset.media->load(2), Error);
}

TEST(MediaSource, SelectedRowsStayTheirs) {
  const Scratch scratch;
  const Dataset part = three_images(scratch).select({2, 0, 2}).select({2, 1});
  ASSERT_EQ(part.media->size(), 2U);
  EXPECT_EQ(shade(*part.media, 0), 2);
  EXPECT_EQ(shade(*part.media, 1), 0);
  EXPECT_NE(part.media->digest(0), part.media->digest(1));
  EXPECT_TRUE(part.media->present(0));
  std::filesystem::remove(scratch / "2.png");
  EXPECT_FALSE(part.media->present(0));
}

TEST(MediaSource, TellsKindsWithoutDecoding) {
  const Scratch scratch;
  write_medium(scratch / "a.png", Image{1, 1, 1, {7}});
  write_medium(scratch / "b.wav", Recording{8000, {0, 0.5F}});
  write_medium(scratch / "c.npy", Motion{1, 1, {1, 2, 3}, 0, {}});
  scratch.write("d.png", "damaged");
  const auto media = file_media(scratch.path(), {"a.png", "b.wav", "c.npy", "d.png"});
  EXPECT_EQ(media->kind(0), "image");
  EXPECT_EQ(media->kind(1), "voice");
  EXPECT_EQ(select_media(media, {2})->kind(0), "motion");
  expect_contains(input_error([&] { (void)media->kind(3); }), "is no image");
  EXPECT_EQ(media->decoded(), 0U);
  for (std::size_t row = 0; row < 3; ++row) EXPECT_EQ(kind_of(media->load(row)), media->kind(row));
  (void)select_media(media, {2})->load(0);
  EXPECT_EQ(media->decoded(), 4U);
}

TEST(MediaSource, WrittenMediaComeBack) {
  const Scratch from, to;
  const Dataset dataset = three_images(from);
  from.write("1.png", "damaged");
  const WrittenMedia written = write_media(*dataset.media, 0, 3, to.path());
  EXPECT_EQ(written.files, (std::vector<std::string>{"000001.png", "", "000003.png"}));
  expect_contains(written.reasons[1], "is no image");
  EXPECT_EQ(std::get<Image>(read_medium(to / "000003.png")).pixels[0], 2);
}

TEST(MediaSource, WhatIsStoredIsNotMadeAgain) {
  const Scratch to;
  const auto shade_of = [](const Medium& medium) { return int{std::get<Image>(medium).pixels[0]}; };
  EXPECT_EQ(shade_of(stored_medium(to.path(), 4, [] { return Image{1, 1, 1, {200}}; })), 200);
  EXPECT_EQ(shade_of(stored_medium(to.path(), 4, [] { return Image{1, 1, 1, {9}}; })), 200);
  EXPECT_EQ(shade_of(read_medium(to / "000005.png")), 200);
}

}  // namespace
}  // namespace bauta
