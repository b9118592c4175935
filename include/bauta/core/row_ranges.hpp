// Rows of a table as text, counted from 1: "2-40,57,3".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bauta {

/// In this order; rows that follow each other are one range.
std::string row_ranges(const std::vector<std::size_t>& rows);

/// The way back. Nothing where the text is no such text, or names another number of rows than `count`.
std::optional<std::vector<std::size_t>> rows_in_ranges(std::string_view text, std::size_t count);

}  // namespace bauta
