#include "odd_labels.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "bauta/data/label_files.hpp"
#include "text.hpp"
#include "tidy_text.hpp"

namespace bauta {

namespace {

using Column = std::vector<std::string>;

/// Most values: no case to speak of, and quickly told.
bool is_small_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~' && (c < 'A' || c > 'Z'); });
}

/// Each value once.
std::unordered_set<std::string_view> distinct_values(const Column& column) {
  std::unordered_set<std::string_view> distinct;
  for (std::size_t row = 0; row < column.size(); ++row) {
    if (row == 0 || column[row] != column[row - 1]) distinct.insert(column[row]);  // neighbours are often alike
  }
  return distinct;
}

/// Values that differ by case alone, by what they have in common; only those that have a second spelling.
std::map<std::string, Column> case_variants(const Column& column) {
  if (std::all_of(column.begin(), column.end(), is_small_ascii)) return {};
  // Numbers stand for texts first: there may be a million names, and nearly never two that are alike.
  std::vector<std::pair<std::size_t, std::string_view>> folded;
  for (const std::string_view value : distinct_values(column)) {
    folded.emplace_back(is_small_ascii(value) ? TextHash()(value) : TextHash()(without_case(value)), value);
  }
  std::sort(folded.begin(), folded.end());
  std::map<std::string, Column> variants;
  for (std::size_t i = 0; i < folded.size(); ++i) {
    const bool alike = (i > 0 && folded[i - 1].first == folded[i].first) ||
                       (i + 1 < folded.size() && folded[i + 1].first == folded[i].first);
    if (alike) variants[without_case(folded[i].second)].emplace_back(folded[i].second);  // in their order
  }
  std::erase_if(variants, [](const auto& spellings) { return spellings.second.size() < 2; });
  return variants;
}

/// Values of `variants` that more than one person has: those name nobody and may be printed.
std::unordered_set<std::string_view> shared_values(const Dataset& dataset, const Column& column,
                                                   const std::map<std::string, Column>& variants) {
  std::unordered_map<std::string_view, std::size_t> first_row;
  for (const auto& [common, spellings] : variants) {
    for (const std::string& value : spellings) first_row.emplace(value, column.size());
  }
  const Column* people = dataset.identity_column.empty() ? nullptr : &dataset.labels.column(dataset.identity_column);
  std::unordered_set<std::string_view> shared;
  for (std::size_t row = 0; row < column.size(); ++row) {
    const auto found = first_row.find(column[row]);
    if (found == first_row.end()) continue;
    auto& [value, first] = *found;
    if (first == column.size()) {
      first = row;
    } else if (people == nullptr || (*people)[first] != (*people)[row]) {
      shared.insert(value);
    }
  }
  return shared;
}

void remark_case(Dataset& dataset, const std::string& name) {
  const Column& column = dataset.labels.column(name);
  const std::map<std::string, Column> variants = case_variants(column);
  if (variants.empty()) return;
  std::size_t count = 0;
  for (const auto& [common, spellings] : variants) count += spellings.size();
  const bool identity = name == dataset.identity_column;
  std::string example;
  const auto shared = identity ? std::unordered_set<std::string_view>() : shared_values(dataset, column, variants);
  for (const auto& [common, spellings] : variants) {
    if (!example.empty() || !shared.contains(spellings[0]) || !shared.contains(spellings[1])) continue;
    example = fmt::format(", e.g. '{}' and '{}'", spellings[0], spellings[1]);
  }
  dataset.remarks.push_back(fmt::format("column '{}': {} values differ by the case of their letters alone{}: {}", name,
                                        count, example,
                                        identity ? "they name different people" : "they are different classes"));
}

bool is_number(std::string_view text) {
  const auto number = parse_number(text);
  return number && std::isfinite(*number);
}

/// "12,5" and "1 234" as they are, but without what stands between the digits.
std::string without_separators(std::string_view text) {
  std::string digits(text);
  std::erase_if(digits, [](char c) { return c == ',' || c == '\'' || c == ' '; });
  return digits;
}

struct NumberCounts {
  std::size_t known = 0, numbers = 0;
  bool separated = true;  ///< all others would be numbers without their separators
  std::size_t other_row = 0;
  std::string word;  ///< of the others, one without digits, which is nobody's number
};

NumberCounts count_numbers(const Column& column) {
  NumberCounts counts;
  for (std::size_t row = 0; row < column.size(); ++row) {
    const std::string& value = column[row];
    if (value.empty()) continue;
    ++counts.known;
    if (is_number(value)) {
      ++counts.numbers;
      continue;
    }
    if (counts.known == counts.numbers + 1) counts.other_row = row + 1;
    if (counts.word.empty() && value.find_first_of("0123456789") == std::string::npos) counts.word = value;
    counts.separated = counts.separated && is_number(without_separators(value));
    // No matter what follows, these are no numbers.
    if (!counts.separated && 2 * (counts.known - counts.numbers) > column.size()) break;
  }
  return counts;
}

void remark_numbers(Dataset& dataset, const std::string& name) {
  const Column& column = dataset.labels.column(name);
  const NumberCounts counts = count_numbers(column);
  const std::size_t others = counts.known - counts.numbers;
  if (others == 0 || (!counts.separated && others > counts.numbers)) return;
  Column meant = column;
  for (std::string& value : meant) {
    if (!is_number(value)) value = counts.separated ? without_separators(value) : "";
  }
  LabelTable table(dataset.labels.origin(), meant.size());
  table.add_column(name, std::move(meant));
  if (table.kind(name) != ColumnKind::continuous) return;
  if (counts.separated) {
    dataset.remarks.push_back(
        fmt::format("column '{}': {} of {} values are numbers with separators (as in 12,5 or 1 234), so that all are "
                    "taken as classes; write a point before decimals and nothing between thousands",
                    name, others, counts.known));
  } else {
    dataset.remarks.push_back(
        fmt::format("column '{}': {} of {} values are numbers, but all are taken as classes because of the others, "
                    "e.g. {}; --missing names words that mean no value",
                    name, counts.numbers, counts.known,
                    counts.word.empty() ? fmt::format("in row {}", counts.other_row) : "'" + counts.word + "'"));
  }
}

}  // namespace

void remark_odd_labels(Dataset& dataset) {
  for (const std::string& name : dataset.labels.names()) {
    if (name == "file" || name == "failed") continue;
    remark_case(dataset, name);
    if (name != dataset.identity_column && !names_identities(name)) remark_numbers(dataset, name);
  }
}

}  // namespace bauta
