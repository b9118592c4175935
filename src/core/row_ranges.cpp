#include "bauta/core/row_ranges.hpp"

#include <algorithm>
#include <charconv>

namespace bauta {

namespace {

/// A row from 1 as one from 0.
std::optional<std::size_t> row_of(std::string_view text) {
  std::size_t row = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), row);
  if (status != std::errc() || stop != text.data() + text.size() || row == 0) return std::nullopt;
  return row - 1;
}

}  // namespace

std::string row_ranges(const std::vector<std::size_t>& rows) {
  std::string text;
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    for (end = begin + 1; end < rows.size() && rows[end] == rows[end - 1] + 1;) ++end;
    if (!text.empty()) text += ',';
    text += std::to_string(rows[begin] + 1);
    if (end > begin + 1) text += '-' + std::to_string(rows[end - 1] + 1);
  }
  return text;
}

std::optional<std::vector<std::size_t>> rows_in_ranges(std::string_view text, std::size_t count) {
  std::vector<std::size_t> rows;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view range = text.substr(0, comma);
    const std::size_t dash = std::min(range.find('-'), range.size());
    const std::optional<std::size_t> first = row_of(range.substr(0, dash));
    const std::optional<std::size_t> last = dash < range.size() ? row_of(range.substr(dash + 1)) : first;
    if (!first || !last || *last < *first || *last - *first >= count - rows.size()) return std::nullopt;
    for (std::size_t row = *first; row <= *last; ++row) rows.push_back(row);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  if (rows.size() != count) return std::nullopt;
  return rows;
}

}  // namespace bauta
