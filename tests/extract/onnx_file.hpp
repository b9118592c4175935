// Writes ONNX files for tests: just enough of protocol buffers (field numbers of onnx.proto3 of ONNX 1.12).
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace bauta::test::onnx {

inline std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 128; value >>= 7) bytes.push_back(static_cast<char>(value % 128 + 128));
  bytes.push_back(static_cast<char>(value));
  return bytes;
}

inline std::string field(unsigned number, std::uint64_t value) {
  return varint(8 * number) + varint(value);
}

inline std::string field(unsigned number, std::string_view content) {
  return varint(8 * number + 2) + varint(content.size()) + std::string(content);
}

/// ValueInfoProto of floats.
inline std::string value_info(std::string_view name, const std::vector<std::uint64_t>& shape) {
  std::string dimensions;
  for (const std::uint64_t size : shape) dimensions += field(1, field(1, size));
  return field(1, name) + field(2, field(1, field(1, 1) + field(2, dimensions)));
}

/// TensorProto of floats.
inline std::string tensor(std::string_view name, const std::vector<std::uint64_t>& shape,
                          const std::vector<float>& values) {
  std::string bytes;
  for (const std::uint64_t size : shape) bytes += field(1, size);
  std::string raw(4 * values.size(), '\0');
  std::memcpy(raw.data(), values.data(), raw.size());
  return bytes + field(2, 1) + field(8, name) + field(9, raw);
}

/// AttributeProto of an integer.
inline std::string attribute(std::string_view name, std::uint64_t value) {
  return field(1, name) + field(3, value) + field(20, 2);
}

/// AttributeProto of integers.
inline std::string attribute(std::string_view name, const std::vector<std::uint64_t>& values) {
  std::string bytes = field(1, name);
  for (const std::uint64_t value : values) bytes += field(8, value);
  return bytes + field(20, 7);
}

inline std::string node(std::string_view operation, const std::vector<std::string>& inputs, std::string_view output,
                        std::string_view name = {}, const std::vector<std::string>& attributes = {}) {
  std::string bytes;
  for (const std::string& input : inputs) bytes += field(1, input);
  bytes += field(2, output);
  if (!name.empty()) bytes += field(3, name);
  bytes += field(4, operation);
  for (const std::string& part : attributes) bytes += field(5, part);
  return bytes;
}

struct Graph {
  std::vector<std::string> nodes;
  std::vector<std::string> tensors;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
};

/// ModelProto of format 7 with operators of version 11.
inline std::string model(const Graph& graph) {
  std::string bytes;
  for (const std::string& part : graph.nodes) bytes += field(1, part);
  bytes += field(2, "graph");
  for (const std::string& part : graph.tensors) bytes += field(5, part);
  for (const std::string& part : graph.inputs) bytes += field(11, part);
  for (const std::string& part : graph.outputs) bytes += field(12, part);
  return field(1, 7) + field(7, bytes) + field(8, field(2, 11));
}

}  // namespace bauta::test::onnx
