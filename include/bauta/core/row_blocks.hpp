// Scans over the rows of templates in blocks, on all threads.
#pragma once

#include <cstddef>
#include <functional>

#include "bauta/core/templates.hpp"

namespace bauta {

/// Calls body(first, count) for consecutive blocks of `rows` rows. Pages of a mapped file are let go behind each block:
/// a scan needs no more memory for a long file than for a short one.
void for_row_blocks(const Templates& templates, std::size_t rows,
                    const std::function<void(std::size_t first, std::size_t count)>& body);

/// Rows of about a mebibyte: a block for scans that do little with each row.
std::size_t mebibyte_rows(const Templates& templates);

}  // namespace bauta
