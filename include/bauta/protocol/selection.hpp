// Which people take part: an evaluation set can be made small, and with it hard to hide in (S4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bauta {

struct Selection {
  std::string by = "random";
  double share = 1;       ///< of the people, where `count` is 0
  std::size_t count = 0;  ///< so many of them

  [[nodiscard]] bool everybody() const { return count == 0 && share == 1; }
  /// "50 %", "3"
  [[nodiscard]] std::string size_text() const;
};

/// Throws a usage error unless `by` is a way to choose people.
void require_selection(std::string_view by, const std::string& where);

/// Those of `people` (sorted, no name twice) that are chosen, sorted; another `draw` chooses anew.
std::vector<std::string> selected(const Selection& selection, const std::vector<std::string>& people,
                                  std::uint64_t seed, std::size_t draw);

}  // namespace bauta
