// Weights in the format of TensorFlow.js: a manifest in JSON, and files of numbers beside it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace bauta {

/// Row-major.
struct TfjsTensor {
  std::vector<std::size_t> shape;
  std::vector<float> values;
};

/// By name. Numbers that were stored as bytes (value * scale + min) are numbers again. An input error names the file
/// and what is wrong with it.
std::map<std::string, TfjsTensor> read_tfjs(const std::filesystem::path& manifest);

}  // namespace bauta
