#include "bauta/protocol/subject_parts.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"

namespace bauta {

namespace {

/// Samples that stand byte-identical under another subject's name too: who they are is unknown, and in two parts they
/// would leak.
std::vector<bool> under_two_names(const Dataset& dataset, const std::vector<std::size_t>& subject) {
  std::vector<bool> ambiguous(dataset.size(), false);
  if (dataset.templates.empty() || dataset.templates.kind() != ElementKind::float32) return ambiguous;
  const std::vector<bool> failed = dataset.failed();
  std::unordered_map<std::string_view, std::size_t> first;
  for (std::size_t row = 0; row < dataset.size(); ++row) {
    if (failed[row]) continue;
    const auto [known, fresh] = first.try_emplace(dataset.templates.row_bytes(row), row);
    if (fresh || subject[known->second] == subject[row]) continue;
    ambiguous[row] = true;
    ambiguous[known->second] = true;
  }
  return ambiguous;
}

}  // namespace

PartNumber parse_part(std::string_view text) {
  PartNumber part;
  const char* const end = text.data() + text.size();
  const auto [slash, first] = std::from_chars(text.data(), end, part.index);
  const bool separated = first == std::errc() && slash != end && *slash == '/';
  const auto [stop, second] = separated ? std::from_chars(slash + 1, end, part.count)
                                        : std::from_chars_result{end, std::errc::invalid_argument};
  if (second != std::errc() || stop != end || part.index < 1 || part.index > part.count) {
    throw_usage(fmt::format("part '{}'", text), "a part I/K with 1 <= I <= K is expected", "e.g. 1/3");
  }
  return part;
}

Dataset subject_part(const Dataset& dataset, PartNumber part) {
  const bool named = !dataset.identity_column.empty();
  const Categorical identity = named ? dataset.labels.categorical(dataset.identity_column) : Categorical{};
  std::vector<std::size_t> subject(dataset.size());
  std::size_t subjects = identity.classes.size();
  for (std::size_t row = 0; row < dataset.size(); ++row) {
    const bool known = named && identity.codes[row] >= 0;
    subject[row] = known ? static_cast<std::size_t>(identity.codes[row]) : subjects++;
  }
  if (subjects < part.count) {
    throw_input(dataset.origin, fmt::format("has {} subjects, too few for {} parts", subjects, part.count));
  }
  // No seed of the user's: a part means the same people wherever it is named.
  const std::vector<std::size_t> place = Stream(1, "subject parts").permutation(subjects);
  const std::vector<bool> ambiguous = under_two_names(dataset, subject);
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < dataset.size(); ++row) {
    if (!ambiguous[row] && place[subject[row]] % part.count == part.index - 1) rows.push_back(row);
  }
  Dataset result = dataset.select(rows);
  if (const auto left_out = std::count(ambiguous.begin(), ambiguous.end(), true); left_out > 0) {
    result.remarks.push_back(
        fmt::format("{} samples stand byte-identical under two names and are left out of all parts", left_out));
  }
  result.origin = fmt::format("{} part {}/{}", dataset.origin, part.index, part.count);
  return result;
}

}  // namespace bauta
