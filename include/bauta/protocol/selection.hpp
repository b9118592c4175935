// Which people take part: an evaluation set can be made small, and of people who are easily told apart, and with that
// hard to hide in (S4, Section 4.3.3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bauta {

/// What a way to choose people goes by.
enum class ChosenBy {
  chance,
  labels,       ///< what they are like
  hits,         ///< how often a recogniser names them rightly
  distinction,  ///< how far their samples lie from those of others
  spread,       ///< how far from each other
};

/// What was looked at to choose people by their samples.
enum class SelectedOn {
  masked,  ///< their enrolled samples, protected
  clear,   ///< the same as they were
  test,    ///< protected, the very samples that are then judged: a winner's curse, marked as such
};

struct Selection {
  std::string by = "random";
  double share = 1;       ///< of the people, where `count` is 0
  std::size_t count = 0;  ///< so many of them
  SelectedOn selected_on = SelectedOn::masked;

  [[nodiscard]] bool everybody() const { return count == 0 && share == 1; }
  [[nodiscard]] ChosenBy goes_by() const;
  /// Whether samples are looked at.
  [[nodiscard]] bool looks() const { return goes_by() != ChosenBy::chance && goes_by() != ChosenBy::labels; }
  /// "50 %", "3"
  [[nodiscard]] std::string size_text() const;
};

std::string_view to_text(SelectedOn on);
/// Throws a usage error for another word.
SelectedOn parse_selected_on(std::string_view text, const std::string& where);

/// Throws a usage error unless `by` is a way to choose people.
void require_selection(std::string_view by, const std::string& where);

/// The first people of an order (positions in `people`, which is sorted and has no name twice), as many as are wanted,
/// sorted.
std::vector<std::string> selected(const Selection& selection, const std::vector<std::string>& people,
                                  std::span<const std::size_t> order);
/// The same at random; another `draw` chooses anew.
std::vector<std::string> selected(const Selection& selection, const std::vector<std::string>& people,
                                  std::uint64_t seed, std::size_t draw);

}  // namespace bauta
