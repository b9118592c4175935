// Which rows of templates are equal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bauta/core/templates.hpp"

namespace bauta {

/// Finds the rows of templates that equal a given one: real numbers as numbers (-0 is 0), codes and bits as they are.
class RowFinder {
 public:
  /// `left_out`: rows that nobody looks for.
  RowFinder(const Templates& rows, const std::vector<bool>& left_out);

  /// The first row that equals this one of other templates; never one of another kind or width.
  [[nodiscard]] std::optional<std::size_t> first_equal(const Templates& templates, std::size_t row) const;

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::size_t row = 0;
  };

  Templates rows_;
  std::vector<Entry> entries_;  // by hash, then by row
};

}  // namespace bauta
