#include "enrolments.hpp"

#include <unordered_map>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/recover/recovery.hpp"

namespace bauta {

std::vector<EnrolmentGroup> group_enrolments(const Dataset& target, const std::string& by) {
  if (!target.labels.has(by)) {
    throw_input(target.origin, fmt::format("has no column '{}' that says which rows enrol one sample", by),
                "`bauta protect ... --enrolments N` writes one");
  }
  const auto& values = target.labels.column(by);
  const bool named = !target.identity_column.empty();
  const std::vector<bool> failed = target.failed();
  std::vector<EnrolmentGroup> groups;
  std::unordered_map<std::string, std::size_t> group_of;
  for (std::size_t row = 0; row < target.size(); ++row) {
    const std::string where = fmt::format("{} row {}", target.labels.origin(), row + 1);
    if (values[row].empty()) throw_input(where, fmt::format("has no '{}'", by));
    const auto [found, is_new] = group_of.try_emplace(values[row], groups.size());
    if (is_new) groups.push_back({{}, row});
    EnrolmentGroup& group = groups[found->second];
    if (named) {
      const auto& identity = target.labels.column(target.identity_column);
      if (identity[row] != identity[group.representative]) {
        throw_input(where, fmt::format("'{}' {} stands for '{}' and for '{}'", by, values[row],
                                       identity[group.representative], identity[row]));
      }
    }
    if (failed[row]) continue;
    if (group.rows.empty()) group.representative = row;
    group.rows.push_back(row);
  }
  return groups;
}

KnownMask recorded_mask(const Dataset& target) {
  const std::optional<ResolvedProtection> technique = recorded_protection(target);
  return technique ? (*technique)->known_mask({}) : KnownMask{};
}

std::size_t given_or_recorded(std::size_t given, const Dataset& target, std::size_t KnownMask::*recorded,
                              const std::string& where) {
  if (given > 0) return given;
  if (const std::size_t known = recorded_mask(target).*recorded; known > 0) return known;
  throw_usage(where, fmt::format("{} does not record it", target.origin), fmt::format("give it: {}=N", where));
}

}  // namespace bauta
