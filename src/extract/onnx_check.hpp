// Looks through an ONNX file before anybody computes with it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace bauta {

/// Every array of weights has as many elements as its shape says, and lies in the file itself: those who compute with
/// it do not look, and read whatever lies behind. An input error names `origin` and the array.
void check_onnx(std::span<const std::uint8_t> bytes, const std::string& origin);

}  // namespace bauta
