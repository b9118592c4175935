#include "bauta/protocol/subject_parts.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"
#include "bauta/protocol/subjects.hpp"

namespace bauta {

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
  const Subjects subjects = subjects_of(dataset);
  if (subjects.count < part.count) {
    throw_input(dataset.origin, fmt::format("has {} subjects, too few for {} parts", subjects.count, part.count));
  }
  // No seed of the user's: a part means the same people wherever it is named.
  const std::vector<std::size_t> place = Stream(1, "subject parts").permutation(subjects.count);
  const std::vector<bool> ambiguous = under_two_names(dataset, subjects);
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < dataset.size(); ++row) {
    if (!ambiguous[row] && place[subjects.of_row[row]] % part.count == part.index - 1) rows.push_back(row);
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
