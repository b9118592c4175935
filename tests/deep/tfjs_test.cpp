#include "bauta/deep/tfjs.hpp"

#include <cmath>
#include <cstring>

#include "../data/scratch.hpp"

namespace bauta {
namespace {

using test::expect_contains;
using test::input_error;
using test::Scratch;

constexpr const char* manifest = R"([{"weights": [
  {"name": "a", "shape": [2, 2], "dtype": "float32", "quantization": {"dtype": "uint8", "scale": 0.5, "min": -1}},
  {"name": "b", "shape": [1], "dtype": "float32"}], "paths": ["one.bin", "two.bin"]}])";

std::string four_bytes(float value) {
  std::string bytes(4, '\0');
  std::memcpy(bytes.data(), &value, 4);
  return bytes;
}

/// A tensor of bytes and one of floats that lies across two files.
void write_weights(const Scratch& scratch, const std::string& text = manifest) {
  const std::string number = four_bytes(2.5F);
  scratch.write("one.bin", std::string("\x00\x01\x02\xff", 4) + number.substr(0, 1));
  scratch.write("two.bin", number.substr(1));
  scratch.write("m.json", text);
}

TEST(Tfjs, BytesBecomeNumbersAndFilesFollowEachOther) {
  const Scratch scratch;
  write_weights(scratch);
  const auto tensors = read_tfjs(scratch / "m.json");
  ASSERT_EQ(tensors.size(), 2U);
  EXPECT_EQ(tensors.at("a").shape, (std::vector<std::size_t>{2, 2}));
  // value * 0.5 - 1, by hand.
  EXPECT_EQ(tensors.at("a").values, (std::vector<float>{-1, -0.5F, 0, 126.5F}));
  EXPECT_EQ(tensors.at("b").values, std::vector<float>{2.5F});
}

TEST(Tfjs, WhatIsDamagedIsRefused) {
  const Scratch scratch;
  const auto refusal = [&](const std::string& from, const std::string& to) {
    std::string text = manifest;
    text.replace(text.find(from), from.size(), to);
    write_weights(scratch, text);
    return input_error([&] { (void)read_tfjs(scratch / "m.json"); });
  };
  expect_contains(refusal("[2, 2]", "[2, 3]"), "end before the weights do");
  expect_contains(refusal("[2, 2]", "[2, 1]"), "speaks of 6 bytes");
  expect_contains(refusal("[2, 2]", "[4294967296, 4294967296, 4294967296]"), "shape that cannot be");
  expect_contains(refusal("[2, 2]", "[0]"), "shape that cannot be");
  expect_contains(refusal("[2, 2]", "\"x\""), "no manifest");
  expect_contains(refusal("[2, 2]", "[-2, 2]"), "m.json");
  expect_contains(refusal("uint8", "uint16"), "no bytes");
  expect_contains(refusal("0.5", "1e400"), "m.json");
  expect_contains(refusal("one.bin", "../one.bin"), "another folder");
  expect_contains(refusal("one.bin", "none.bin"), "none.bin");
  expect_contains(refusal("[{", "{"), "no manifest");
  write_weights(scratch);
  scratch.write("two.bin", four_bytes(std::nanf("")).substr(1));
  expect_contains(input_error([&] { (void)read_tfjs(scratch / "m.json"); }), "no finite number");
}

}  // namespace
}  // namespace bauta
