// Files that say one thing and hold another, or hold it in too many ways. Numbers of fields and types are those of
// onnx.proto3 of ONNX 1.12.
#include "onnx_check.hpp"

#include "../data/scratch.hpp"
#include "onnx_file.hpp"

namespace bauta {
namespace {

using test::expect_contains;
using test::onnx::field;
using test::onnx::varint;

/// What is found; empty: nothing.
std::string finding_in(const std::string& model) {
  try {
    check_onnx(std::vector<std::uint8_t>(model.begin(), model.end()), "file");
    return {};
  } catch (const Error& error) {
    EXPECT_EQ(static_cast<int>(error.fault), static_cast<int>(Fault::input));
    EXPECT_EQ(error.where, "file");
    return error.finding;
  }
}

std::string with_tensor(const std::string& tensor) {
  return field(7, field(5, tensor));
}

std::string with_attribute(const std::string& attribute) {
  return field(7, field(1, test::onnx::node("Constant", {}, "c", "n", {attribute})));
}

/// Two by three elements of a type, in this field.
std::string six(std::uint64_t type, const std::string& elements) {
  return with_tensor(field(1, 2) + field(1, 3) + field(2, type) + field(8, "w") + elements);
}

struct Type {
  std::uint64_t number;
  std::size_t bytes;      // as raw data
  unsigned field;         // that holds it otherwise
  std::size_t otherwise;  // bytes there; 0: integers of variable length
};

// float, uint8, int8, uint16, int16, int32, int64, bool, float16, double, uint32, uint64, bfloat16.
const std::vector<Type> types = {{1, 4, 4, 4},   {2, 1, 5, 0},   {3, 1, 5, 0}, {4, 2, 5, 0},  {5, 2, 5, 0},
                                 {6, 4, 5, 0},   {7, 8, 7, 0},   {9, 1, 5, 0}, {10, 2, 5, 0}, {11, 8, 10, 8},
                                 {12, 4, 11, 0}, {13, 8, 11, 0}, {16, 2, 5, 0}};

/// `count` elements as a block of the type's own field.
std::string own(const Type& type, std::size_t count) {
  std::string block;
  for (std::size_t i = 0; i < count; ++i) block += type.otherwise > 0 ? std::string(type.otherwise, '\1') : varint(300);
  return field(type.field, block);
}

TEST(OnnxCheck, ElementsOfEveryTypeAreCounted) {
  for (const Type& type : types) {
    EXPECT_EQ(finding_in(six(type.number, field(9, std::string(6 * type.bytes, '\1')))), "") << type.number;
    EXPECT_EQ(finding_in(six(type.number, own(type, 6))), "") << type.number;
    EXPECT_EQ(finding_in(six(type.number, own(type, 2) + own(type, 4))), "") << type.number;
    for (const std::size_t count : {5, 7}) {
      const std::string said = "array 'w' has " + std::to_string(count) + " elements, its shape says 6";
      EXPECT_EQ(finding_in(six(type.number, field(9, std::string(count * type.bytes, '\1')))), said) << type.number;
      EXPECT_EQ(finding_in(six(type.number, own(type, count))), said) << type.number;
    }
    EXPECT_EQ(finding_in(six(type.number, "")), "array 'w' has 0 elements, its shape says 6") << type.number;
    if (type.bytes > 1) {
      expect_contains(finding_in(six(type.number, field(9, std::string(6 * type.bytes + 1, '\1')))), "multiple of");
    }
    // In pieces raw data are those of another array, which readers merge.
    const std::string piece = field(9, std::string(3 * type.bytes, '\1'));
    expect_contains(finding_in(six(type.number, piece + piece)), "multiple of");
  }
}

TEST(OnnxCheck, ElementsStandOneByOneToo) {
  std::string integers, floats, doubles;
  for (int i = 0; i < 6; ++i) {
    integers += field(7, static_cast<std::uint64_t>(-i));
    floats += varint(8 * 4 + 5) + std::string(4, '\1');
    doubles += varint(8 * 10 + 1) + std::string(8, '\1');
  }
  EXPECT_EQ(finding_in(six(7, integers)), "");
  EXPECT_EQ(finding_in(six(1, floats)), "");
  EXPECT_EQ(finding_in(six(11, doubles)), "");
  expect_contains(finding_in(six(7, integers + field(7, 1))), "has 7 elements");
}

TEST(OnnxCheck, ElementsStandInOnePlaceAndThatOfTheirType) {
  const std::string another = "an array has elements of another type than it says";
  for (const Type& type : types) {
    for (const unsigned place : {4U, 5U, 6U, 7U, 10U, 11U}) {
      const std::string elements = field(place, std::string(24, '\1'));
      if (place != type.field) {
        EXPECT_EQ(finding_in(six(type.number, elements)), another) << type.number << " " << place;
      }
      EXPECT_EQ(finding_in(six(type.number, elements + field(9, elements))), another) << type.number << " " << place;
    }
  }
  // Neither texts nor complex numbers are weights, nor is what has no type.
  for (const std::uint64_t type : {0, 8, 14, 15, 17}) EXPECT_EQ(finding_in(six(type, field(6, "abc"))), "") << type;
}

TEST(OnnxCheck, ShapesAreProductsThatAFileCanHold) {
  const auto shaped = [](const std::string& shape) { return finding_in(with_tensor(shape + field(2, 1))); };
  constexpr std::uint64_t mebi = 1 << 20;
  expect_contains(shaped(field(1, mebi) + field(1, mebi)), "its shape says 1099511627776");
  expect_contains(shaped(field(1, mebi) + field(1, mebi + 1)), "a dimension of 1048577");
  expect_contains(shaped(field(1, mebi * mebi)), "its shape says 1099511627776");
  expect_contains(shaped(field(1, mebi * mebi + 1)), "a dimension of 1099511627777");
  expect_contains(shaped(field(1, 0) + field(1, mebi * mebi + 1)), "a dimension of");
  expect_contains(shaped(field(1, static_cast<std::uint64_t>(-3))), "a dimension of -3");
  expect_contains(shaped(field(1, varint(2) + varint(3))), "its shape says 6");  // in a block
  EXPECT_EQ(shaped(field(1, 5) + field(1, 0)), "");
  EXPECT_EQ(shaped(field(1, 0) + field(1, 5)), "");
  expect_contains(shaped(""), "its shape says 1");  // a number alone
}

TEST(OnnxCheck, WeightsLieInTheFile) {
  expect_contains(finding_in(six(1, field(13, "place"))), "'w' in another file");
  expect_contains(finding_in(six(1, field(14, 1))), "'w' in another file");
  EXPECT_EQ(finding_in(six(1, own(types[0], 6) + field(14, 0))), "");
}

TEST(OnnxCheck, WeightsOfNodesAndOfGraphsWithinThemAreLookedThroughToo) {
  const std::string cut = test::onnx::tensor("inner", {5}, {1});
  const std::string whole = test::onnx::tensor("inner", {1}, {1});
  for (const unsigned of_tensors : {5U, 10U}) {
    EXPECT_EQ(finding_in(with_attribute(field(of_tensors, cut))), "array 'inner' has 1 elements, its shape says 5");
    EXPECT_EQ(finding_in(with_attribute(field(of_tensors, whole))), "");
  }
  for (const unsigned of_graphs : {6U, 11U}) {
    expect_contains(finding_in(with_attribute(field(of_graphs, field(5, cut)))), "'inner'");
    EXPECT_EQ(finding_in(with_attribute(field(of_graphs, field(5, whole)))), "");
  }
  // Elsewhere such bytes are something else: a name, an output, a number.
  for (const unsigned other : {1U, 2U, 3U, 4U, 7U, 8U, 9U, 12U}) {
    EXPECT_EQ(finding_in(with_attribute(field(other, cut))), "") << other;
    EXPECT_EQ(finding_in(with_attribute(field(other, field(5, cut)))), "") << other;
  }
  for (const unsigned other : {2U, 3U, 4U, 6U, 11U}) EXPECT_EQ(finding_in(field(7, field(other, cut))), "") << other;
  for (const unsigned other : {1U, 2U, 3U, 4U, 6U, 8U}) {
    EXPECT_EQ(finding_in(field(other, field(5, cut))), "") << other;
    EXPECT_EQ(finding_in(field(7, field(1, field(other == 1 ? 7 : other, field(5, cut))))), "") << other;
  }
  // Nor are numbers what the same field would be as a block.
  EXPECT_EQ(finding_in(field(7, 5) + field(7, field(1, 5) + field(5, 5) + field(1, field(5, 5)))), "");
  EXPECT_EQ(finding_in(with_attribute(field(5, 5) + field(5, 5) + field(6, 6) + field(6, 6))), "");
}

// Readers make one of two: shape of the first, elements of the second.
TEST(OnnxCheck, WhatMayStandOnceStandsOnce) {
  const std::string untyped = field(8, "n");
  EXPECT_EQ(finding_in(with_attribute(field(5, untyped) + field(6, ""))), "");
  EXPECT_EQ(finding_in(with_attribute(field(10, untyped) + field(10, untyped))), "");
  EXPECT_EQ(finding_in(with_attribute(field(11, "") + field(11, ""))), "");
  expect_contains(finding_in(with_attribute(field(5, untyped) + field(5, untyped))), "several values");
  expect_contains(finding_in(with_attribute(field(6, "") + field(6, ""))), "several graphs");
  expect_contains(finding_in(field(7, "") + field(7, "")), "several graphs");
}

TEST(OnnxCheck, GraphsNestThirtyTwoDeep) {
  std::string graph = field(2, "g");
  for (int depth = 1; depth <= 33; ++depth) {
    graph = field(1, test::onnx::node("If", {}, "c", "n", {field(6, graph)}));
    if (depth < 32) continue;
    EXPECT_EQ(finding_in(field(7, graph)), depth == 32 ? "" : "nests graphs more than 32 deep");
  }
}

TEST(OnnxCheck, BytesAreThoseOfProtocolBuffers) {
  const std::string damaged = "is no ONNX file, or damaged";
  EXPECT_EQ(finding_in(""), "");
  EXPECT_EQ(finding_in(varint(8 * 3 + 1) + std::string(8, '\1') + varint(8 * 3 + 5) + std::string(4, '\1')), "");
  for (const unsigned wire : {1U, 5U}) {
    const std::size_t bytes = wire == 1 ? 8 : 4;
    EXPECT_EQ(finding_in(varint(8 * 3 + wire) + std::string(bytes - 1, '\1')), damaged);
  }
  for (const unsigned wire : {3U, 4U, 6U, 7U}) EXPECT_EQ(finding_in(varint(8 * 3 + wire) + "\1"), damaged) << wire;
  EXPECT_EQ(finding_in(varint(8 * 7 + 2) + varint(3) + "\x18\x01"), damaged);  // a byte short
  // A number has at most ten bytes, of seven bits each; the last of them ends it.
  EXPECT_EQ(finding_in(varint(8 * 3) + std::string(9, '\x80') + "\1"), "");
  EXPECT_EQ(finding_in(varint(8 * 3) + std::string(10, '\x80') + "\1"), damaged);
  EXPECT_EQ(finding_in(varint(8 * 3) + "\x80"), damaged);
  expect_contains(finding_in(with_tensor(field(1, 128) + field(1, 16384) + field(2, 1))), "its shape says 2097152");
}

}  // namespace
}  // namespace bauta
