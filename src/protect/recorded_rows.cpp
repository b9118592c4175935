#include "recorded_rows.hpp"

#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "bauta/core/row_ranges.hpp"
#include "made_elsewhere.hpp"

namespace bauta {

namespace {

struct Record {
  std::vector<std::size_t> rows;
  std::string of;  ///< how many there are
};

/// Of `count` samples.
std::optional<Record> record_of(const std::optional<Provenance>& provenance, std::size_t count) {
  if (!provenance) return std::nullopt;
  const auto found = provenance->properties.find(rows_property);
  if (found == provenance->properties.end()) return std::nullopt;
  constexpr std::string_view between = " of ";
  const std::string_view text = found->second;
  const std::size_t end = text.rfind(between);
  if (end == std::string_view::npos) return std::nullopt;
  const auto rows = rows_in_ranges(text.substr(0, end), count);
  if (!rows) return std::nullopt;
  return Record{*rows, std::string(text.substr(end + between.size()))};
}

}  // namespace

std::string recorded_rows(const Dataset& dataset) {
  const LabelTable& labels = dataset.labels;
  const std::optional<Record> before = record_of(dataset.provenance, labels.rows_there());
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < dataset.size(); ++row) {
    rows.push_back(before ? before->rows[labels.row_there(row)] : labels.row_there(row));
  }
  return fmt::format("{} of {}", row_ranges(rows), before ? before->of : std::to_string(labels.rows_there()));
}

std::optional<std::vector<std::size_t>> rows_by_record(const Dataset& made, const Dataset& clear) {
  const std::optional<Record> record = record_of(made.provenance, made.size());
  if (!record || record->of != std::to_string(clear.labels.rows_there())) return std::nullopt;
  std::unordered_map<std::size_t, std::size_t> places;
  for (std::size_t row = 0; row < record->rows.size(); ++row) places.emplace(record->rows[row], row);
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < clear.size(); ++row) {
    const auto found = places.find(clear.labels.row_there(row));
    rows.push_back(found == places.end() ? nowhere : found->second);
  }
  return rows;
}

}  // namespace bauta
