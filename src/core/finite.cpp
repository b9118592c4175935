#include "bauta/core/finite.hpp"

#include <cstdint>
#include <string>

#include "bauta/core/error.hpp"
#include "bauta/core/simd.hpp"

namespace bauta {

namespace {

// Infinity and NaN are the values with all exponent bits set. Without an early exit the loop runs at memory speed.
BAUTA_MULTIVERSION bool finite(const float* values, std::size_t count) {
  constexpr std::uint32_t exponent = 0x7f800000;
  std::uint32_t bad = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t bits = 0;
    __builtin_memcpy(&bits, values + i, sizeof bits);
    bad |= static_cast<std::uint32_t>((bits & exponent) == exponent);
  }
  return bad == 0;
}

}  // namespace

bool all_finite(std::span<const float> values) {
  return finite(values.data(), values.size());
}

void require_finite(const Templates& made, const std::vector<bool>& failed, std::size_t first, std::string_view who) {
  if (made.kind() != ElementKind::float32) return;
  const auto values = made.floats();
  for (std::size_t i = 0; i < made.rows(); ++i) {
    if (all_finite(values.row(i)) || (!failed.empty() && failed[first + i])) continue;
    throw_usage("row " + std::to_string(first + i + 1),
                std::string(who) + " makes of this template what is no finite number",
                "its parameters or the values of the template are too large");
  }
}

}  // namespace bauta
