// .npy: known arrays of numpy, conversions, refusals and round trips.
#include "bauta/data/npy.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "fixtures.hpp"

namespace bauta {
namespace {

using test::error_of;
using test::expect_contains;
using test::input_error;
using test::Scratch;

/// A version 1 file with this header and these bytes of data.
std::string npy(const std::string& descr, const std::string& shape, const std::string& data, bool fortran = false) {
  std::string header =
      "{'descr': " + descr + ", 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
  header.append(53 + 64 - (header.size() % 64), ' ').push_back('\n');
  std::string file = test::bytes("\223NUMPY\1\0");
  file.push_back(static_cast<char>(header.size() & 0xff));
  file.push_back(static_cast<char>(header.size() >> 8));
  return file + header + data;
}

NpyArray parse(const std::string& bytes) {
  auto owner = std::make_shared<std::string>(bytes);
  const std::span<const std::uint8_t> view(reinterpret_cast<const std::uint8_t*>(owner->data()), owner->size());
  return parse_npy(view, owner, "test.npy");
}

std::vector<float> values_of(const Templates& templates) {
  std::vector<float> values;
  for (std::size_t i = 0; i < templates.rows(); ++i) {
    const auto row = templates.floats().row(i);
    values.insert(values.end(), row.begin(), row.end());
  }
  return values;
}

TEST(Npy, ReadsFloat32AsNumpyWroteIt) {
  const Templates templates = to_float_templates(parse(test::float32_c));
  EXPECT_EQ(templates.rows(), 2U);
  EXPECT_EQ(templates.cols(), 3U);
  EXPECT_EQ(values_of(templates), (std::vector<float>{1.5F, -2.25F, 3, 0, 1e-3F, -7}));
}

TEST(Npy, MapsFloat32WithoutCopying) {
  const Scratch scratch;
  const NpyArray array = read_npy(scratch.write("x.npy", test::float32_c));
  const Templates templates = to_float_templates(array);
  EXPECT_EQ(static_cast<const void*>(templates.floats().data), static_cast<const void*>(array.data.data()));
}

TEST(Npy, CopiesFloat32ThatLiesUnaligned) {
  auto owner = std::make_shared<std::string>("x" + test::float32_c);
  const std::span<const std::uint8_t> view(reinterpret_cast<const std::uint8_t*>(owner->data()) + 1, owner->size() - 1);
  const Templates templates = to_float_templates(parse_npy(view, owner, "odd"));
  EXPECT_EQ(values_of(templates), (std::vector<float>{1.5F, -2.25F, 3, 0, 1e-3F, -7}));
}

// numpy 1.24.2 prints the float16 values 6e-8 and 1e-3 as 5.9604645e-08 (= 2^-24, the smallest) and 0.0010004044.
TEST(Npy, WidensFloat16InFortranOrder) {
  const auto values = values_of(to_float_templates(parse(test::float16_fortran)));
  EXPECT_EQ(values, (std::vector<float>{1.5F, -2.25F, 65504, 0x1.0p-24F, 0.0010004044F, 0}));
  EXPECT_TRUE(std::signbit(values[5]));
}

TEST(Npy, WidensFloat16InfinityAndNan) {
  const auto values = values_of(to_float_templates(parse(npy("'<f2'", "(1, 3)", test::bytes("\0\174\0\374\1\176")))));
  EXPECT_EQ(values[0], std::numeric_limits<float>::infinity());
  EXPECT_EQ(values[1], -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(values[2]));
}

TEST(Npy, NarrowsBigEndianFloat64) {
  EXPECT_EQ(values_of(to_float_templates(parse(test::float64_big))), (std::vector<float>{0.1F, -1e30F}));
}

TEST(Npy, RefusesFloat64BeyondFloat32) {
  const double large = 1e39;
  std::string data(sizeof large, '\0');
  std::memcpy(data.data(), &large, sizeof large);
  const auto array = parse(npy("'<f8'", "(2, 1)", std::string(8, '\0') + data));
  const std::string text = input_error([&] { to_float_templates(array); });
  expect_contains(text, "row 2 column 1");
  expect_contains(text, "beyond the range of float32");
}

// Steps of float32 are 2^-23 of a value or less: around 1e6 they are 1/16, and 8 apart are 128 of them.
TEST(Npy, RefusesWhatFloat32DoesNotTellApart) {
  const auto finding = [](const std::vector<double>& values) {
    std::string data(values.size() * 8, '\0');
    std::memcpy(data.data(), values.data(), data.size());
    const auto array = parse(npy("'<f8'", "(2, " + std::to_string(values.size() / 2) + ")", data));
    try {
      (void)to_float_templates(array);
    } catch (const Error& error) {
      return error.finding;
    }
    return std::string("read");
  };
  expect_contains(finding({1e6, 1e6 + 8}), "1 of 1 features vary by less than float32");
  EXPECT_EQ(finding({1e6, 1e6 + 64}), "read");
  EXPECT_EQ(finding({1e6, 1e6}), "read");  // constant as it is
  expect_contains(finding({1e-300, 2e-300}), "features vary by less");
  EXPECT_EQ(finding({1e-300, 0.5, 2e-300, 0.25}), "read");  // noise beside what counts
  const std::int64_t large[] = {std::int64_t{1} << 60, (std::int64_t{1} << 60) + 1000};
  const auto whole = parse(npy("'<i8'", "(2, 1)", {reinterpret_cast<const char*>(large), sizeof large}));
  expect_contains(input_error([&] { to_float_templates(whole); }), "features vary by less");
}

TEST(Npy, ReadsIntegersOfEverySizeAndSign) {
  EXPECT_EQ(values_of(to_float_templates(parse(npy("'|i1'", "(1, 1)", "\377")))), std::vector<float>{-1});
  EXPECT_EQ(values_of(to_float_templates(parse(npy("'|u1'", "(1, 1)", "\377")))), std::vector<float>{255});
  EXPECT_EQ(values_of(to_float_templates(parse(npy("'<u2'", "(1, 1)", test::bytes("\1\2"))))), std::vector<float>{513});
  EXPECT_EQ(values_of(to_float_templates(parse(npy("'>i4'", "(1, 1)", "\377\377\377\376")))), std::vector<float>{-2});
  EXPECT_EQ(values_of(to_float_templates(parse(npy("'<u4'", "(1, 1)", test::bytes("\0\0\0\200"))))),
            std::vector<float>{0x1.0p31F});
  EXPECT_EQ(values_of(to_float_templates(parse(npy("'>u8'", "(1, 1)", test::bytes("\0\0\0\0\0\0\1\0"))))),
            std::vector<float>{256});
  EXPECT_EQ(values_of(to_float_templates(parse(npy("'<i8'", "(1, 1)", std::string(8, '\377'))))),
            std::vector<float>{-1});
}

TEST(Npy, ReadsTextColumns) {
  EXPECT_EQ(to_text_column(parse(test::unicode_text)), (std::vector<std::string>{"a\303\251", "b"}));
  EXPECT_EQ(to_text_column(parse(test::byte_text)), (std::vector<std::string>{"ab", "c"}));
  EXPECT_EQ(to_text_column(parse(test::booleans)), (std::vector<std::string>{"1", "0"}));
  EXPECT_EQ(to_text_column(parse(test::int16_big_v2)), (std::vector<std::string>{"1", "-2", "300"}));
}

TEST(Npy, PrintsWholeFloatsAsIntegersAndNanAsMissing) {
  const std::vector<double> values = {3, -0.5, std::numeric_limits<double>::quiet_NaN(), 1e300};
  const std::string data(reinterpret_cast<const char*>(values.data()), 32);
  EXPECT_EQ(to_text_column(parse(npy("'<f8'", "(4,)", data))), (std::vector<std::string>{"3", "-0.5", "", "1e+300"}));
  EXPECT_EQ(to_text_column(parse(npy("'<f8'", "(4, 1)", data))).size(), 4U);
}

TEST(Npy, ReadsVersionThreeAndPythonTwoShapes) {
  EXPECT_EQ(values_of(to_float_templates(parse(test::uint8_v3))), (std::vector<float>{1, 2}));
  EXPECT_EQ(values_of(to_float_templates(parse(npy("'|u1'", "(1L, 2L)", "\1\2")))), (std::vector<float>{1, 2}));
}

TEST(Npy, UnpacksBitsLowestFirst) {
  const Templates bits = to_bit_templates(parse(test::packed_bits), 10);
  EXPECT_EQ(bits.cols(), 10U);
  EXPECT_EQ(bits.words()(0, 0), 0b1100000101U);
  EXPECT_EQ(bits.words()(1, 0), 0b1010000000U);
}

TEST(Npy, RefusesBitsThatDoNotFit) {
  expect_contains(input_error([] { to_bit_templates(parse(test::packed_bits), 9); }), "row 1");
  expect_contains(input_error([] { to_bit_templates(parse(test::packed_bits), 17); }), "3 columns for 17 packed bits");
  input_error([] { to_bit_templates(parse(test::packed_bits), std::numeric_limits<std::size_t>::max()); });
}

TEST(Npy, ReadsCodesInRangeOnly) {
  EXPECT_EQ(to_codes(parse(npy("'<i2'", "(1, 2)", test::bytes("\377\0\0\0"))))(0, 0), 255);
  expect_contains(input_error([] { to_codes(parse(npy("'<i2'", "(1, 2)", test::bytes("\0\0\0\1")))); }),
                  "row 1 column 2");
  expect_contains(input_error([] { to_codes(parse(test::float32_c)); }), "float32");
}

TEST(Npy, RefusesObjectsPicklesAndStructures) {
  expect_contains(input_error([] { parse(test::objects); }), "never done");
  expect_contains(input_error([] { parse(test::bytes("\200\3}q\0.")); }), "pickle");
  expect_contains(input_error([] { parse(test::structured); }), "structured");
  expect_contains(input_error([] { parse(npy("'<c8'", "(1,)", std::string(8, '\0'))); }), "'<c8'");
  expect_contains(input_error([] { parse(npy("'<M8[ns]'", "(1,)", std::string(8, '\0'))); }), "M8");
}

TEST(Npy, NamesBothSizesOfATruncatedArray) {
  const std::string text = input_error([] { parse(test::float32_c.substr(0, test::float32_c.size() - 1)); });
  expect_contains(text, "23 bytes of data, expected 24 for 2 x 3 float32");
  expect_contains(input_error([] { parse(test::float32_c + "x"); }), "25 bytes");
}

TEST(Npy, RefusesShapesThatOverflowOrAreEmpty) {
  expect_contains(input_error([] { parse(npy("'<f4'", "(4294967296, 4294967296)", "")); }), "overflow");
  expect_contains(input_error([] { parse(npy("'<f4'", "(4611686018427387904, 1)", "")); }), "overflow");
  expect_contains(input_error([] { parse(npy("'<f4'", "(18446744073709551616, 1)", "")); }), "dimension");
  input_error([] { parse(npy("'<f4'", "(-1, 1)", "")); });
  // No bytes are needed for these, so that the file's length would not bound a loop over their rows.
  input_error([] { to_float_templates(parse(npy("'<f4'", "(4611686018427387904, 0)", ""))); });
  input_error([] { to_float_templates(parse(npy("'<f4'", "(0, 128)", ""))); });
  input_error([] { to_text_column(parse(npy("'<U0'", "(4611686018427387904,)", ""))); });
}

TEST(Npy, AsksForTwoDimensions) {
  expect_contains(input_error([] { to_float_templates(parse(test::int16_big_v2)); }), "shape 3");
  expect_contains(input_error([] { to_float_templates(parse(npy("'|u1'", "(1, 1, 2)", "ab"))); }), "reshape");
  expect_contains(input_error([] { to_float_templates(parse(npy("'|S1'", "(1, 2)", "ab"))); }), "texts");
  expect_contains(input_error([] { to_text_column(parse(test::float32_c)); }), "argmax");
}

TEST(Npy, RefusesCodePointsThatDoNotExist) {
  expect_contains(input_error([] { to_text_column(parse(npy("'<U1'", "(1,)", test::bytes("\0\330\0\0")))); }),
                  "0xd800");
}

TEST(Npy, WritesTheBytesThatNumpyWrites) {
  const Scratch scratch;
  const std::vector<float> values = {1.5F, -2.25F, 3, 0, 1e-3F, -7};
  write_npy(scratch / "x.npy", MatrixView<const float>(values.data(), 2, 3));
  EXPECT_EQ(test::read_bytes(scratch / "x.npy"), test::float32_c);
  write_npy_bool(scratch / "b.npy", std::vector<std::uint8_t>{7, 0});
  EXPECT_EQ(test::read_bytes(scratch / "b.npy"), test::booleans);
  struct stat status {};
  ASSERT_EQ(::stat((scratch / "x.npy").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST(Npy, WritesStridedRowsAndBits) {
  const Scratch scratch;
  const std::vector<float> values = {1, 2, 9, 3, 4, 9};
  write_npy(scratch / "x.npy", MatrixView<const float>(values.data(), 2, 2, 3));
  EXPECT_EQ(values_of(to_float_templates(read_npy(scratch / "x.npy"))), (std::vector<float>{1, 2, 3, 4}));
  write_npy(scratch / "bits.npy", to_bit_templates(parse(test::packed_bits), 10));
  EXPECT_EQ(test::read_bytes(scratch / "bits.npy"), test::packed_bits);
}

TEST(Npy, NamesMissingFilesAndFolders) {
  const Scratch scratch;
  expect_contains(input_error([&] { read_npy(scratch / "none.npy"); }), "none.npy");
  expect_contains(input_error([&] { read_npy(scratch.path()); }), "regular file");
  expect_contains(input_error([&] { read_npy(scratch.write("empty.npy", "")); }), "not a .npy file");
}

// The same file as in one piece, whatever the order of the blocks; 70 bits do not fill their words.
TEST(NpyTemplateWriter, BlocksInAnyOrderMakeTheFile) {
  const Scratch scratch;
  Matrix<float> features(10, 3);
  Matrix<std::uint8_t> codes(10, 5);
  Matrix<std::uint64_t> words(10, 2);
  for (std::size_t i = 0; i < 30; ++i) features.data()[i] = static_cast<float>(i);
  for (std::size_t i = 0; i < 50; ++i) codes.data()[i] = static_cast<std::uint8_t>(i);
  for (std::size_t i = 0; i < 20; ++i) words.data()[i] = i % 2 == 0 ? 0x0123456789abcdefULL * i : i;
  for (const Templates& templates :
       {Templates(std::move(features)), Templates(std::move(codes)), Templates(std::move(words), 70)}) {
    write_npy(scratch / "whole.npy", templates);
    NpyTemplateWriter writer(scratch / "parts.npy", templates.kind(), 10, templates.cols());
    for (const auto& [first, count] : {std::pair{7, 3}, {0, 1}, {4, 3}, {1, 3}, {4, 0}}) {
      writer.write(static_cast<std::size_t>(first),
                   templates.slice(static_cast<std::size_t>(first), static_cast<std::size_t>(count)));
    }
    EXPECT_FALSE(std::filesystem::exists(scratch / "parts.npy"));
    writer.commit();
    EXPECT_EQ(test::read_bytes(scratch / "parts.npy"), test::read_bytes(scratch / "whole.npy"));
    std::filesystem::remove(scratch / "parts.npy");
  }
}

}  // namespace
}  // namespace bauta
