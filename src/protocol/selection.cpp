#include "bauta/protocol/selection.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/protocol/people_order.hpp"

namespace bauta {

namespace {

constexpr auto ways = std::to_array<std::pair<std::string_view, ChosenBy>>({{"random", ChosenBy::chance},
                                                                            {"classification", ChosenBy::hits},
                                                                            {"metadata", ChosenBy::labels},
                                                                            {"distinctive", ChosenBy::distinction},
                                                                            {"center", ChosenBy::spread}});
constexpr auto looked_at = std::to_array<std::pair<std::string_view, SelectedOn>>(
    {{"masked", SelectedOn::masked}, {"clear", SelectedOn::clear}, {"test", SelectedOn::test}});

/// The entry of that name, or a usage error that says what there is.
const auto& entry_of(const auto& entries, std::string_view name, const std::string& where, const char* what) {
  const auto found = std::ranges::find_if(entries, [&](const auto& entry) { return entry.first == name; });
  if (found != entries.end()) return *found;
  std::vector<std::string> known;
  for (const auto& [word, meaning] : entries) known.emplace_back(word);
  throw_usage(where, fmt::format("'{}' is no {}", name, what), suggest(name, known));
}

std::size_t wanted_of(const Selection& selection, std::size_t people) {
  const std::size_t wanted = selection.count > 0
                                 ? selection.count
                                 : static_cast<std::size_t>(std::lround(selection.share * static_cast<double>(people)));
  if (wanted < 2 || wanted > people) {
    throw_usage("protocol.identities",
                fmt::format("{} comes to {} people of {}", selection.size_text(), wanted, people),
                fmt::format("2 to {} people can be chosen", people));
  }
  return wanted;
}

}  // namespace

ChosenBy Selection::goes_by() const {
  return entry_of(ways, by, "protocol.selection", "way to choose people").second;
}

std::string Selection::size_text() const {
  return count > 0 ? std::to_string(count) : fmt::format("{:g} %", 100 * share);
}

std::string_view to_text(SelectedOn on) {
  return std::ranges::find_if(looked_at, [&](const auto& entry) { return entry.second == on; })->first;
}

SelectedOn parse_selected_on(std::string_view text, const std::string& where) {
  return entry_of(looked_at, text, where, "data that people are chosen on").second;
}

void require_selection(std::string_view by, const std::string& where) {
  (void)entry_of(ways, by, where, "way to choose people");
}

std::vector<std::string> selected(const Selection& selection, const std::vector<std::string>& people,
                                  std::span<const std::size_t> order) {
  if (selection.everybody()) return people;
  BAUTA_ASSERT(order.size() == people.size());
  std::vector<std::string> chosen;
  for (const std::size_t person : order.first(wanted_of(selection, people.size()))) chosen.push_back(people[person]);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

std::vector<std::string> selected(const Selection& selection, const std::vector<std::string>& people,
                                  std::uint64_t seed, std::size_t draw) {
  return selected(selection, people, random_order(people.size(), {seed, draw}));
}

}  // namespace bauta
