#include "bauta/core/spreadsheet.hpp"

#include <charconv>

namespace bauta {

namespace {

bool is_number(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || (text[0] != '.' && (text[0] < '0' || text[0] > '9'))) return false;  // infinities are words
  double value = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  return status != std::errc::invalid_argument && stop == text.data() + text.size();
}

}  // namespace

bool is_taken_for_formula(std::string_view text) {
  const std::size_t first = text.find_first_not_of('\'');
  if (first == std::string_view::npos) return false;
  if (std::string_view("=+-@\t\r").find(text[first]) == std::string_view::npos) return false;
  return first > 0 || !is_number(text);
}

}  // namespace bauta
