#include "bauta/core/error.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>

namespace bauta {

Error::Error(Fault fault_, std::string where_, std::string finding_, std::string hint_)
    : std::runtime_error(where_.empty() ? finding_ : where_ + ": " + finding_),
      fault(fault_),
      where(std::move(where_)),
      finding(std::move(finding_)),
      hint(std::move(hint_)) {}

void throw_usage(std::string where, std::string finding, std::string hint) {
  throw Error(Fault::usage, std::move(where), std::move(finding), std::move(hint));
}

void throw_input(std::string where, std::string finding, std::string hint) {
  throw Error(Fault::input, std::move(where), std::move(finding), std::move(hint));
}

void throw_environment(std::string where, std::string finding, std::string hint) {
  throw Error(Fault::environment, std::move(where), std::move(finding), std::move(hint));
}

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string suggest(std::string_view name, const std::vector<std::string>& known) {
  if (known.empty()) return {};
  const auto nearest = std::min_element(known.begin(), known.end(), [&](const auto& a, const auto& b) {
    return edit_distance(name, a) < edit_distance(name, b);
  });
  // Further away than half of the name, a suggestion would be a guess; the list is more useful.
  if (edit_distance(name, *nearest) * 2 <= std::max(name.size(), std::size_t{2}))
    return "did you mean '" + *nearest + "'?";
  std::string list = "known: ";
  for (std::size_t i = 0; i < known.size(); ++i) list += (i ? ", " : "") + known[i];
  return list;
}

void assertion_failed(const char* condition, const char* file, int line) {
  (void)std::fprintf(stderr, "%s:%d: internal error: %s does not hold; please report this\n", file, line, condition);
  std::abort();
}

}  // namespace bauta
