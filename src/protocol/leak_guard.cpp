#include "bauta/protocol/leak_guard.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "bauta/core/error.hpp"

namespace bauta {

namespace {

constexpr std::size_t named_at_most = 5;

void require_disjoint_identities(const Dataset& a, const Dataset& b) {
  if (a.identity_column.empty() || b.identity_column.empty()) return;
  const auto& names_a = a.labels.column(a.identity_column);
  const auto& names_b = b.labels.column(b.identity_column);
  const std::unordered_set<std::string_view> known(names_a.begin(), names_a.end());
  std::vector<std::string_view> shared;
  std::unordered_set<std::string_view> seen;
  for (const auto& name : names_b) {
    if (!name.empty() && known.contains(name) && seen.insert(name).second) shared.push_back(name);
  }
  if (shared.empty()) return;
  std::sort(shared.begin(), shared.end());
  const std::size_t count = shared.size();
  shared.resize(std::min(count, named_at_most));
  throw_input(
      fmt::format("{} and {}", a.origin, b.origin),
      fmt::format("{} identities stand in both: {}{}", count, fmt::join(shared, ", "),
                  count > named_at_most ? ", ..." : ""),
      "the two parts must not share subjects; remove them from one, or rename them if only the names are alike");
}

void require_disjoint_samples(const Dataset& a, const Dataset& b) {
  // Codes and bits of different people may coincide; real numbers do not.
  if (a.templates.kind() != ElementKind::float32 || b.templates.kind() != ElementKind::float32) return;
  if (a.templates.cols() != b.templates.cols()) return;
  const std::vector<bool> failed_a = a.failed();
  const std::vector<bool> failed_b = b.failed();
  std::unordered_map<std::string_view, std::size_t> known;
  for (std::size_t row = 0; row < a.templates.rows(); ++row) {
    if (!failed_a[row]) known.emplace(a.templates.row_bytes(row), row);
  }
  for (std::size_t row = 0; row < b.templates.rows(); ++row) {
    const auto found = failed_b[row] ? known.end() : known.find(b.templates.row_bytes(row));
    if (found == known.end()) continue;
    throw_input(fmt::format("{} row {} and {} row {}", a.origin, found->second + 1, b.origin, row + 1),
                "the same template stands in both, under two names",
                "the two parts must not share samples; remove one of them");
  }
}

}  // namespace

void require_disjoint(const Dataset& a, const Dataset& b) {
  require_disjoint_identities(a, b);
  require_disjoint_samples(a, b);
}

}  // namespace bauta
