// Sizes that come from files are multiplied and added here, so that an overflow is an error and not a small buffer.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "bauta/core/error.hpp"

namespace bauta {

inline std::uint64_t checked_multiply(std::uint64_t a, std::uint64_t b, const std::string& where) {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) throw_input(where, "a size overflows 64 bits");
  return product;
}

}  // namespace bauta
