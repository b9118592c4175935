#include "bauta/core/row_blocks.hpp"

#include <algorithm>

#include "bauta/core/parallel.hpp"

namespace bauta {

void for_row_blocks(const Templates& templates, std::size_t rows,
                    const std::function<void(std::size_t first, std::size_t count)>& body) {
  parallel_for((templates.rows() + rows - 1) / rows, [&](std::size_t block, int) {
    const std::size_t first = block * rows;
    const std::size_t count = std::min(rows, templates.rows() - first);
    body(first, count);
    templates.forget(first, count);
  });
}

std::size_t mebibyte_rows(const Templates& templates) {
  constexpr std::size_t mebibyte = 1U << 20;
  return templates.empty()
             ? 1
             : std::max<std::size_t>(1, mebibyte / std::max<std::size_t>(1, templates.row_bytes(0).size()));
}

}  // namespace bauta
