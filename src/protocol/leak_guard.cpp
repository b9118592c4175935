#include "bauta/protocol/leak_guard.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/row_finder.hpp"
#include "bauta/data/spelling.hpp"

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

/// The rows of a part by what they hold.
struct PartRows {
  RowFinder finder;
  std::vector<bool> several;  ///< of the first of equal rows: they are of several people
};

PartRows rows_of(const Dataset& data) {
  const std::vector<bool> failed = data.failed();
  PartRows rows{RowFinder(data.templates, failed), std::vector<bool>(data.templates.rows(), false)};
  for (std::size_t row = 0; row < rows.several.size(); ++row) {
    if (failed[row]) continue;
    const std::size_t first = rows.finder.first_equal(data.templates, row).value_or(row);
    if (!same_person(data, first, row)) rows.several[first] = true;
  }
  return rows;
}

void require_disjoint_samples(std::span<const NamedPart> parts) {
  std::vector<std::pair<std::size_t, PartRows>> before;
  std::size_t copies = 0;
  std::string where;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Dataset& data = *parts[p].data;
    // Codes and bits of different people may coincide; real numbers do not.
    if (data.templates.empty() || data.templates.kind() != ElementKind::float32) continue;
    const std::vector<bool> failed = data.failed();
    for (std::size_t row = 0; row < data.templates.rows(); ++row) {
      if (failed[row]) continue;
      for (const auto& [q, rows] : before) {
        const auto found = rows.finder.first_equal(data.templates, row);
        if (!found) continue;
        // A mask that makes people of one part equal makes those of two parts equal as well: that is no leak.
        if (protected_data(*parts[q].data) && rows.several[*found]) break;
        if (copies++ == 0)
          where = fmt::format("{} row {} and {} row {}", parts[q].name, *found + 1, parts[p].name, row + 1);
        break;
      }
    }
    if (p + 1 < parts.size()) before.emplace_back(p, rows_of(data));
  }
  if (copies == 0) return;
  throw_input(where,
              copies == 1
                  ? "the same template stands in both, under two names"
                  : fmt::format("the same template stands in both, under two names; {} more such samples", copies - 1),
              "the parts must not share samples; remove one of them");
}

/// Samples that did not fail, and those that equal another one: any, or one of another person.
struct Twins {
  std::size_t samples = 0, twins = 0;

  Twins(const Dataset& data, const RowFinder& finder, bool of_others) {
    const std::vector<bool> failed = data.failed();
    std::vector<std::size_t> first(data.size()), count(data.size(), 0);
    std::vector<bool> several(data.size(), false);
    for (std::size_t row = 0; row < data.size(); ++row) {
      if (failed[row]) continue;
      first[row] = finder.first_equal(data.templates, row).value_or(row);
      ++count[first[row]];
      if (!same_person(data, first[row], row)) several[first[row]] = true;
    }
    for (std::size_t row = 0; row < data.size(); ++row) {
      if (failed[row]) continue;
      ++samples;
      if (of_others ? several[first[row]] : count[first[row]] > 1) ++twins;
    }
  }
  /// As of two samples more, of which one has a twin: nothing is known to be impossible from few.
  [[nodiscard]] double share() const { return (static_cast<double>(twins) + 1) / (static_cast<double>(samples) + 2); }
};

/// "p7" of "P007".
std::string one_spelling(std::string_view name) {
  const std::string folded = without_case(name);
  std::string out;
  for (std::size_t i = 0; i < folded.size(); ++i) {
    const auto digit = [&](std::size_t at) { return at < folded.size() && folded[at] >= '0' && folded[at] <= '9'; };
    const bool leads = folded[i] == '0' && digit(i + 1) && (out.empty() || out.back() < '0' || out.back() > '9');
    if (!leads) out += folded[i];
  }
  return out;
}

}  // namespace

void require_disjoint(std::span<const NamedPart> parts) {
  require_disjoint_identities(parts);
  require_disjoint_samples(parts);
}

void require_disjoint(const Dataset& a, const Dataset& b) {
  require_disjoint(std::array{NamedPart{a.origin, &a}, NamedPart{b.origin, &b}});
}

AlikeNames alike_names(std::span<const std::string> a, std::span<const std::string> b) {
  std::map<std::string, std::set<std::string_view>> spellings;
  for (const std::set<std::string_view> known(a.begin(), a.end()); const std::string_view name : known) {
    if (!name.empty()) spellings[one_spelling(name)].insert(name);
  }
  AlikeNames alike;
  for (const std::set<std::string_view> met(b.begin(), b.end()); const std::string_view name : met) {
    const auto found = spellings.find(one_spelling(name));
    if (found == spellings.end()) continue;
    for (const std::string_view other : found->second) {
      if (other != name) alike.emplace(std::min(other, name), std::max(other, name));
    }
  }
  return alike;
}

std::string alike_names_text(const std::string& where, const AlikeNames& names) {
  if (names.empty()) return {};
  std::vector<std::string> some;
  for (const auto& [one, other] : names) {
    if (some.size() < named_at_most) some.push_back(fmt::format("{} and {}", one, other));
  }
  return fmt::format(
      "{}: {} pairs of identities differ in the case of letters or in leading zeros alone ({}{}); if they are the same "
      "people, attackers learn from those whom they attack",
      where, names.size(), fmt::join(some, ", "), names.size() > named_at_most ? ", ..." : "");
}

bool Coincidences::too_many() const {
  return static_cast<double>(equal) > expected + 4 * std::sqrt(expected);
}

Coincidences coincidences(const Dataset& a, const Dataset& b, bool people_apart) {
  Coincidences result;
  const ElementKind kind = a.templates.kind();
  if (kind == ElementKind::float32 || b.templates.kind() != kind || a.templates.cols() != b.templates.cols()) {
    return result;
  }
  const RowFinder known(a.templates, a.failed()), met(b.templates, b.failed());
  const std::vector<bool> failed = b.failed();
  for (std::size_t row = 0; row < b.size(); ++row) {
    if (failed[row]) continue;
    ++result.samples;
    const auto found = known.first_equal(b.templates, row);
    if (found && result.equal++ == 0) result.row_a = *found, result.row_b = row;
  }
  const double share = std::max(Twins(a, known, people_apart).share(), Twins(b, met, people_apart).share());
  result.expected = share * static_cast<double>(result.samples);
  return result;
}

std::vector<std::string> suspected_leaks(const Dataset& a, const Dataset& b) {
  const std::string both = a.origin + " and " + b.origin;
  std::vector<std::string> suspected;
  if (!a.identity_column.empty() && !b.identity_column.empty()) {
    std::string text =
        alike_names_text(both, alike_names(a.labels.column(a.identity_column), b.labels.column(b.identity_column)));
    if (!text.empty()) suspected.push_back(std::move(text));
  }
  if (const Coincidences found = coincidences(a, b, true); found.too_many()) {
    suspected.push_back(fmt::format(
        "{}: {} of {} samples have the code of one on the other side, where chance explains {:.0f} (rows {} "
        "and {}): perhaps the same samples, under two names",
        both, found.equal, found.samples, found.expected, found.row_a + 1, found.row_b + 1));
  }
  return suspected;
}

}  // namespace bauta
