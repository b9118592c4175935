#include "bauta/core/row_finder.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>
#include <tuple>

#include "bauta/core/row_blocks.hpp"

namespace bauta {

namespace {

std::uint64_t hash_of(const Templates& templates, std::size_t row) {
  const std::hash<std::string_view> hash;
  if (templates.kind() != ElementKind::float32) return hash(templates.row_bytes(row));
  std::array<float, 512> numbers;
  std::uint64_t all = 0;
  for (auto rest = templates.floats().row(row); !rest.empty();) {
    const auto part = rest.first(std::min(rest.size(), numbers.size()));
    std::transform(part.begin(), part.end(), numbers.begin(), [](float value) { return value + 0.0F; });  // -0 is 0
    all = all * 0x9e3779b97f4a7c15U + hash({reinterpret_cast<const char*>(numbers.data()), part.size_bytes()});
    rest = rest.subspan(part.size());
  }
  return all;
}

bool equal(const Templates& a, std::size_t row_a, const Templates& b, std::size_t row_b) {
  if (a.kind() != ElementKind::float32) return a.row_bytes(row_a) == b.row_bytes(row_b);
  return std::ranges::equal(a.floats().row(row_a), b.floats().row(row_b));
}

}  // namespace

RowFinder::RowFinder(const Templates& rows, const std::vector<bool>& left_out) : rows_(rows), entries_(rows.rows()) {
  for_row_blocks(rows, mebibyte_rows(rows), [&](std::size_t first, std::size_t count) {
    for (std::size_t row = first; row < first + count; ++row) {
      entries_[row] = {left_out[row] ? 0 : hash_of(rows, row), row};
    }
  });
  std::erase_if(entries_, [&](const Entry& entry) { return left_out[entry.row]; });
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return std::tie(a.hash, a.row) < std::tie(b.hash, b.row); });
}

std::optional<std::size_t> RowFinder::first_equal(const Templates& templates, std::size_t row) const {
  if (templates.kind() != rows_.kind() || templates.cols() != rows_.cols()) return std::nullopt;
  const std::uint64_t hash = hash_of(templates, row);
  auto entry = std::lower_bound(entries_.begin(), entries_.end(), hash,
                                [](const Entry& one, std::uint64_t wanted) { return one.hash < wanted; });
  for (; entry != entries_.end() && entry->hash == hash; ++entry) {
    if (equal(rows_, entry->row, templates, row)) return entry->row;
  }
  return std::nullopt;
}

}  // namespace bauta
