#include "bauta/protocol/leak_guard.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "bauta/core/error.hpp"

namespace bauta {

namespace {

constexpr std::size_t named_at_most = 5;

void require_disjoint_identities(std::span<const NamedPart> parts) {
  std::map<std::string_view, std::vector<std::size_t>> parts_of;  // ascending, each part once
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Dataset& data = *parts[p].data;
    if (data.identity_column.empty()) continue;
    for (const auto& name : data.labels.column(data.identity_column)) {
      if (name.empty()) continue;
      auto& known = parts_of[name];
      if (known.empty() || known.back() != p) known.push_back(p);
    }
  }
  std::vector<std::string> shared;
  std::size_t count = 0;
  for (const auto& [name, in] : parts_of) {
    if (in.size() < 2 || ++count > named_at_most) continue;
    std::vector<std::string_view> where;
    for (const std::size_t p : in) where.push_back(parts[p].name);
    shared.push_back(parts.size() == 2 ? std::string(name) : fmt::format("{} ({})", name, fmt::join(where, ", ")));
  }
  if (count == 0) return;
  std::vector<std::string_view> names;
  for (const auto& part : parts) names.push_back(part.name);
  throw_input(
      fmt::format("{}", fmt::join(names, parts.size() == 2 ? " and " : ", ")),
      fmt::format("{} identities stand in {}: {}{}", count, parts.size() == 2 ? "both" : "more than one",
                  fmt::join(shared, ", "), count > named_at_most ? ", ..." : ""),
      fmt::format("the {}parts must not share subjects; remove them from one, or rename them if only the names are "
                  "alike",
                  parts.size() == 2 ? "two " : ""));
}

bool protected_data(const Dataset& data) {
  return data.provenance && !data.provenance->technique.empty();
}

bool same_person(const Dataset& data, std::size_t a, std::size_t b) {
  if (data.identity_column.empty()) return a == b;
  const auto& names = data.labels.column(data.identity_column);
  return names[a] == names[b];
}

void require_disjoint_samples(std::span<const NamedPart> parts) {
  struct Place {
    std::size_t part, row;
    bool of_several = false;  // people of one part, whom a mask made equal
  };
  std::unordered_map<std::string_view, Place> known;
  std::vector<std::pair<const Place*, Place>> copies;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Dataset& data = *parts[p].data;
    // Codes and bits of different people may coincide; real numbers do not.
    if (data.templates.kind() != ElementKind::float32) continue;
    const std::vector<bool> failed = data.failed();
    for (std::size_t row = 0; row < data.templates.rows(); ++row) {
      if (failed[row]) continue;
      Place& place = known.try_emplace(data.templates.row_bytes(row), Place{p, row}).first->second;
      if (place.part != p) {
        copies.emplace_back(&place, Place{p, row});
      } else {
        place.of_several |= protected_data(data) && !same_person(data, place.row, row);
      }
    }
  }
  // A mask that makes people of one part equal makes those of two parts equal as well: that is no leak.
  std::erase_if(copies, [](const auto& copy) { return copy.first->of_several; });
  if (copies.empty()) return;
  const auto& [one, other] = copies.front();
  throw_input(
      fmt::format("{} row {} and {} row {}", parts[one->part].name, one->row + 1, parts[other.part].name,
                  other.row + 1),
      copies.size() == 1
          ? "the same template stands in both, under two names"
          : fmt::format("the same template stands in both, under two names; {} more such samples", copies.size() - 1),
      "the parts must not share samples; remove one of them");
}

}  // namespace

void require_disjoint(std::span<const NamedPart> parts) {
  require_disjoint_identities(parts);
  require_disjoint_samples(parts);
}

void require_disjoint(const Dataset& a, const Dataset& b) {
  require_disjoint(std::array{NamedPart{a.origin, &a}, NamedPart{b.origin, &b}});
}

}  // namespace bauta
