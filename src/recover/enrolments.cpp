#include "enrolments.hpp"

#include <charconv>
#include <unordered_map>

#include <fmt/format.h>

#include "bauta/core/declaration.hpp"
#include "bauta/core/error.hpp"

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

std::string recorded_technique(const Dataset& target) {
  if (!target.provenance || target.provenance->technique.empty()) return {};
  return Specification::parse(target.provenance->technique).name;
}

std::string recorded_parameter(const Dataset& target, std::string_view technique, const std::string& parameter) {
  if (!target.provenance || target.provenance->technique.empty()) return {};
  const Specification recorded = Specification::parse(target.provenance->technique);
  const auto found = recorded.values.find(parameter);
  return recorded.name != technique || found == recorded.values.end() ? std::string() : found->second;
}

std::size_t given_or_recorded(std::size_t given, const Dataset& target, std::string_view technique,
                              const std::string& parameter, const std::string& where) {
  if (given > 0) return given;
  const std::string text = recorded_parameter(target, technique, parameter);
  std::size_t value = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status == std::errc() && stop == text.data() + text.size() && value > 0) return value;
  throw_usage(where, fmt::format("{} does not record {}:{}", target.origin, technique, parameter),
              fmt::format("give it: {}=N", where));
}

}  // namespace bauta
