#include "bauta/data/recording.hpp"

#include "media_fixtures.hpp"

namespace bauta {
namespace {

using test::expect_contains;
using test::input_error;
using test::Scratch;

Recording read(const std::string& bytes) {
  const Scratch scratch;
  return read_recording(scratch.write("recording", bytes));
}

TEST(Recording, ChannelsAreAveragedAndScaled) {
  const Recording recording = read(test::wav_stereo);
  EXPECT_EQ(recording.rate, 8000);
  // Sixteen bits over 32768.
  EXPECT_EQ(recording.samples, (std::vector<float>{0.25F, -1, 0.5F, 0}));
}

TEST(Recording, FlacIsLossless) {
  const Recording recording = read(test::flac_mono);
  ASSERT_EQ(recording.samples.size(), 40U);
  for (int k = 0; k < 40; ++k) {
    EXPECT_EQ(recording.samples[static_cast<std::size_t>(k)], static_cast<float>(k * k * 97 % 2048 - 1024) / 32768);
  }
}

TEST(Recording, WhatIsNoRecordingSaysWhatIsRead) {
  expect_contains(input_error([] { (void)read("hello"); }), "FLAC");
  expect_contains(input_error([] { (void)read(""); }), "no recording");
  expect_contains(input_error([] { (void)read_recording("/no/such/recording"); }), "/no/such/recording");
}

TEST(Recording, CutFilesAreRefused) {
  for (std::size_t cut = 1; cut <= 16; ++cut) {
    const std::string& whole = test::wav_stereo;
    expect_contains(input_error([&] { (void)read(whole.substr(0, whole.size() - cut)); }), "too early");
  }
}

TEST(Recording, ALengthThatAPipeDidNotKnowIsTaken) {
  std::string streamed = test::wav_stereo;
  const std::size_t data = streamed.find("data");
  streamed.replace(data + 4, 4, "\xff\xff\xff\xff");
  EXPECT_EQ(read(streamed).samples.size(), 4U);
}

TEST(Recording, MoreThanAnHourIsRefused) {
  // The rate, behind the number of channels, becomes 1 Hz (and the bytes per second 4); then an hour is 3600 samples.
  std::string slow = test::wav_stereo;
  const std::size_t format = slow.find("fmt ");
  slow.replace(format + 12, 8, test::bytes("\1\0\0\0\4\0\0\0"));
  EXPECT_EQ(read(slow).rate, 1);
  const auto with_frames = [&](std::size_t frames) {
    std::string file = slow.substr(0, slow.find("data") + 4);
    const std::size_t size = frames * 4;
    for (unsigned shift = 0; shift < 32; shift += 8) file.push_back(static_cast<char>(size >> shift));
    return file + std::string(size, '\0');
  };
  EXPECT_EQ(read(with_frames(3600)).samples.size(), 3600U);
  expect_contains(input_error([&] { (void)read(with_frames(3601)); }), "longer than 3600 seconds");
}

TEST(Recording, SamplesThatAreNoNumbersAreRefused) {
  // The same recording as 32-bit floats (format 3): two frames of which one holds a NaN.
  const std::string file = test::bytes(
      "RIFF4\0\0\0WAVEfmt \20\0\0\0\3\0\2\0@\37\0\0\0\372\0\0\10\0\40\0data\20\0\0\0\0\0\0\77\0\0\0\0\0\0\300\177\0\0\0"
      "\0");
  expect_contains(input_error([&] { (void)read(file); }), "not a finite number");
  std::string loud = file;
  loud.replace(loud.size() - 8, 8, test::bytes("\0\0\200@\0\0\200@"));  // 4, twice
  EXPECT_EQ(read(loud).samples, (std::vector<float>{0.25F, 1}));
}

}  // namespace
}  // namespace bauta
