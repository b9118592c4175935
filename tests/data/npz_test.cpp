// .npz and the zip archives beneath: what numpy wrote, zip64, and archives made to mislead.
#include "bauta/data/npz.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include "bauta/data/bytes.hpp"
#include "fixtures.hpp"
#include "zip_archive.hpp"

namespace bauta {
namespace {

using test::expect_contains;
using test::input_error;
using test::Scratch;

std::vector<NpzArray> read(const std::string& bytes, std::vector<std::string>* remarks = nullptr) {
  const Scratch scratch;
  std::vector<std::string> ignored;
  return read_npz(scratch.write("x.npz", bytes), "", remarks != nullptr ? *remarks : ignored);
}

template <class T>
std::string with(std::string bytes, std::size_t at, T value) {
  store(reinterpret_cast<std::uint8_t*>(bytes.data()) + at, value);
  return bytes;
}

std::size_t find_last(const std::string& bytes, const char* signature) {
  return bytes.rfind(signature);
}

TEST(Npz, ReadsStoredArrays) {
  const auto arrays = read(test::stored_npz);
  ASSERT_EQ(arrays.size(), 2U);
  EXPECT_EQ(arrays[0].key, "X");
  const Templates templates = to_float_templates(arrays[0].array);
  EXPECT_EQ(templates.floats()(1, 0), 3);
  EXPECT_EQ(to_text_column(arrays[1].array), (std::vector<std::string>{"a", "b"}));
}

TEST(Npz, InflatesCompressedArrays) {
  const auto arrays = read(test::deflated_npz);
  ASSERT_EQ(arrays.size(), 2U);
  EXPECT_EQ(to_float_templates(arrays[0].array).floats()(1, 1), 4);
  EXPECT_EQ(to_text_column(arrays[1].array), (std::vector<std::string>{"7", "8"}));
}

TEST(Npz, ReadsEntriesWithDataDescriptors) {
  EXPECT_EQ(to_float_templates(read(test::descriptor_npz).at(0).array).floats()(0, 1), 6);
}

// The stored archive with all its 32-bit numbers moved to zip64 fields and a zip64 end record, after APPNOTE 4.3.14 f.
TEST(Npz, ReadsZip64) {
  const std::size_t end = find_last(test::stored_npz, "PK\5\6");
  const std::size_t directory = test::stored_npz.find("PK\1\2");
  const auto* raw = reinterpret_cast<const std::uint8_t*>(test::stored_npz.data());
  std::string bytes = test::stored_npz.substr(0, directory);
  for (std::size_t at = directory; at < end;) {
    const std::size_t name = load<std::uint16_t>(raw + at + 28);
    std::string entry = test::stored_npz.substr(at, 46 + name);
    std::string extra = test::bytes("\1\0\30\0") + std::string(24, '\0');
    extra = with(extra, 4, std::uint64_t{load<std::uint32_t>(raw + at + 24)});
    extra = with(extra, 12, std::uint64_t{load<std::uint32_t>(raw + at + 20)});
    extra = with(extra, 20, std::uint64_t{load<std::uint32_t>(raw + at + 42)});
    for (const std::size_t field : {20, 24, 42}) entry = with(entry, field, std::uint32_t{0xffffffff});
    bytes += with(entry, 30, static_cast<std::uint16_t>(extra.size())) + extra;
    at += 46 + name;
  }
  const std::uint64_t end64 = bytes.size();
  std::string record = "PK\6\6" + std::string(52, '\0');
  record = with(record, 4, std::uint64_t{44});
  record = with(with(record, 24, std::uint64_t{2}), 32, std::uint64_t{2});
  record = with(with(record, 40, end64 - directory), 48, std::uint64_t{directory});
  std::string locator = "PK\6\7" + std::string(16, '\0');
  locator = with(with(locator, 8, end64), 16, std::uint32_t{1});
  std::string tail = test::stored_npz.substr(end);
  tail = with(with(tail, 12, std::uint32_t{0xffffffff}), 16, std::uint32_t{0xffffffff});

  const auto arrays = read(bytes + record + locator + tail);
  ASSERT_EQ(arrays.size(), 2U);
  EXPECT_EQ(to_float_templates(arrays[0].array).floats()(1, 1), 4);
  EXPECT_EQ(to_text_column(arrays[1].array), (std::vector<std::string>{"a", "b"}));
  // The zip64 record must be where the locator says.
  const std::string misplaced = bytes + record + with(locator, 8, end64 + 1) + tail;
  expect_contains(input_error([&] { read(misplaced); }), "zip64");
}

// The sanitizer sees an offset that becomes an address before it is compared with the length of the file.
TEST(Npz, RefusesZip64OffsetsBeyondAllMemory) {
  const std::size_t central = test::stored_npz.find("PK\1\2");
  const std::size_t name = 5;  // X.npy
  std::string bytes = with(test::stored_npz, central + 42, std::uint32_t{0xffffffff});
  bytes = with(bytes, central + 30, std::uint16_t{12});
  bytes.insert(central + 46 + name, with(test::bytes("\1\0\10\0") + std::string(8, '\0'), 4, ~std::uint64_t{7}));
  const std::size_t end = find_last(bytes, "PK\5\6");
  bytes = with(bytes, end + 12, static_cast<std::uint32_t>(end - central));
  expect_contains(input_error([&] { read(bytes); }), "entry 'X.npy' is not where the directory says");
}

TEST(Npz, FindsAFlippedBitByCrc) {
  std::string bytes = test::stored_npz;
  bytes[bytes.find("PK\3\4", 4) - 1] ^= 1;
  const std::string text = input_error([&] { read(bytes); });
  expect_contains(text, "'X.npy' has CRC");
}

TEST(Npz, RefusesEncryptedSplitAndUnknownEntries) {
  const std::size_t central = test::stored_npz.find("PK\1\2");
  expect_contains(input_error([&] { read(with(test::stored_npz, central + 8, std::uint16_t{1})); }), "encrypted");
  expect_contains(input_error([&] { read(with(test::stored_npz, central + 34, std::uint16_t{1})); }), "split");
  const auto method = with(with(test::stored_npz, central + 10, std::uint16_t{12}), 8, std::uint16_t{12});
  expect_contains(input_error([&] { read(method); }), "method 12");
}

TEST(Npz, RefusesOverlappingAndDoubledEntries) {
  const std::size_t central = test::stored_npz.find("PK\1\2");
  // X.npy grown by one byte reaches into the header of ids.npy.
  const auto grown = with(with(test::stored_npz, central + 20, std::uint32_t{145}), central + 24, std::uint32_t{145});
  expect_contains(input_error([&] { read(grown); }), "overlap");
  const Scratch scratch;
  NpzWriter writer(scratch / "x.npz");
  for (int i = 0; i < 2; ++i) writer.add("ids", std::vector<std::string>{"a"});
  writer.commit();
  expect_contains(input_error([&] { read(test::read_bytes(scratch / "x.npz")); }), "'ids.npy' appears twice");
}

TEST(Npz, RefusesSizesThatDeflateCannotReach) {
  const std::size_t central = test::deflated_npz.find("PK\1\2");
  // 83 compressed bytes; 1 GiB would be 12 million to one.
  const auto bomb = with(test::deflated_npz, central + 24, std::uint32_t{1U << 30});
  expect_contains(input_error([&] { read(bomb); }), "more than deflate can do");
  const auto larger = with(test::deflated_npz, central + 24, std::uint32_t{145});
  expect_contains(input_error([&] { read(larger); }), "does not inflate to 145 bytes");
  const auto smaller = with(test::deflated_npz, central + 24, std::uint32_t{143});
  expect_contains(input_error([&] { read(smaller); }), "does not inflate to 143 bytes");
}

TEST(Npz, LeavesOutObjectsWithARemarkUnlessAskedFor) {
  // The texts of the stored archive declared as objects; CRC-32 as zlib computes it.
  std::string bytes = test::stored_npz;
  const std::size_t array = bytes.rfind("\223NUMPY");
  bytes.replace(bytes.find("<U1"), 3, "|O8");
  const auto crc = crc32(0, reinterpret_cast<const Bytef*>(bytes.data()) + array, 136);
  bytes = with(bytes, find_last(bytes, "PK\1\2") + 16, static_cast<std::uint32_t>(crc));

  std::vector<std::string> remarks;
  ASSERT_EQ(read(bytes, &remarks).size(), 1U);
  ASSERT_EQ(remarks.size(), 1U);
  expect_contains(remarks[0], "array 'ids' is left out");
  const Scratch scratch;
  const auto path = scratch.write("x.npz", bytes);
  expect_contains(input_error([&] { read_npz(path, "ids", remarks); }), "Python objects");
}

TEST(Npz, WritesAlignedArraysThatReadBack) {
  const Scratch scratch;
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  const std::vector<std::uint8_t> codes = {1, 2, 3};
  NpzWriter writer(scratch / "x.npz");
  writer.add("X", MatrixView<const float>(values.data(), 2, 2, 3));
  writer.add("codes", MatrixView<const std::uint8_t>(codes.data(), 3, 1));
  writer.add("ids", std::vector<std::string>{"a\303\251", "", "\360\237\230\200"});
  const std::vector<double> exact = {0.1, -1e300};
  writer.add("exact", MatrixView<const double>(exact.data(), 1, 2));
  writer.commit();
  std::vector<std::string> remarks;
  const auto arrays = read_npz(scratch / "x.npz", "", remarks);
  ASSERT_EQ(arrays.size(), 4U);
  EXPECT_EQ(to_doubles(arrays[3].array)(0, 0), 0.1);
  EXPECT_EQ(to_doubles(arrays[3].array)(0, 1), -1e300);
  EXPECT_EQ(to_float_templates(arrays[0].array).floats()(1, 0), 4);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(arrays[0].array.data.data()) % 64, 0U);
  EXPECT_EQ(to_codes(arrays[1].array)(2, 0), 3);
  EXPECT_EQ(to_text_column(arrays[2].array), (std::vector<std::string>{"a\303\251", "", "\360\237\230\200"}));
}

TEST(Npz, ReadsAnEmptyArchiveAsNothing) {
  EXPECT_TRUE(read("PK\5\6" + std::string(18, '\0')).empty());
  expect_contains(input_error([] { read("PK"); }), "end record");
}

}  // namespace
}  // namespace bauta
