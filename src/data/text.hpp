// Small things that readers of text share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace bauta {

/// Well-formed UTF-8 without NUL characters.
bool is_plain_utf8(std::string_view text);

/// A Unicode scalar value: no surrogate, not beyond U+10FFFF.
inline bool is_code_point(std::uint32_t point) {
  return point <= 0x10ffff && (point < 0xd800 || point >= 0xe000);
}
void append_utf8(std::string& text, std::uint32_t point);

/// Without blanks, tabs and carriage returns around it.
std::string_view trimmed(std::string_view text);

/// ASCII letters only.
std::string lower_case(std::string_view text);

/// A whole text that is a number in the way of C, whatever the locale; a plus in front and infinities pass, and so does
/// NaN.
std::optional<double> parse_number(std::string_view text);

/// Finds texts in unordered tables without copying them.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

/// The values of a range of texts or integers with a separator between them.
template <class Range>
std::string join(const Range& values, std::string_view separator) {
  std::string text;
  bool first = true;
  for (const auto& value : values) {
    if (!first) text += separator;
    first = false;
    if constexpr (std::is_integral_v<std::decay_t<decltype(value)>>) {
      text += std::to_string(value);
    } else {
      text += value;
    }
  }
  return text;
}

}  // namespace bauta
