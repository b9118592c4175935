#include "bauta/run/release.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/row_blocks.hpp"
#include "bauta/data/label_files.hpp"
#include "bauta/data/npy.hpp"
#include "bauta/data/provenance_file.hpp"
#include "bauta/protect/kept.hpp"

namespace bauta {

namespace {

/// Finds rows of real-valued templates that equal a given one, as numbers: -0 is 0.
class RowFinder {
 public:
  RowFinder(const Templates& rows, const std::vector<bool>& left_out) : rows_(rows), entries_(rows.rows()) {
    for_row_blocks(rows, mebibyte_rows(rows), [&](std::size_t first, std::size_t count) {
      std::vector<float> space(rows.cols());
      for (std::size_t row = first; row < first + count; ++row) {
        entries_[row] = {left_out[row] ? 0 : hash_of(rows.floats().row(row), space), row};
      }
    });
    std::erase_if(entries_, [&](const Entry& entry) { return left_out[entry.row]; });
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.hash < b.hash; });
  }

  /// `space`: as many numbers as a row has.
  [[nodiscard]] bool holds(std::span<const float> row, std::vector<float>& space) const {
    const std::uint64_t hash = hash_of(row, space);
    auto entry = std::lower_bound(entries_.begin(), entries_.end(), hash,
                                  [](const Entry& a, std::uint64_t wanted) { return a.hash < wanted; });
    for (; entry != entries_.end() && entry->hash == hash; ++entry) {
      if (std::ranges::equal(row, rows_.floats().row(entry->row))) return true;
    }
    return false;
  }

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::size_t row = 0;
  };

  static std::uint64_t hash_of(std::span<const float> row, std::vector<float>& space) {
    std::transform(row.begin(), row.end(), space.begin(), [](float value) { return value + 0.0F; });
    return std::hash<std::string_view>()({reinterpret_cast<const char*>(space.data()), space.size() * sizeof(float)});
  }

  const Templates& rows_;
  std::vector<Entry> entries_;
};

std::vector<std::string> released_columns(const ResolvedProtection& protection, const Dataset& dataset) {
  std::vector<std::string> columns = {protection.attributes};
  for (const KeptAttribute& kept : parse_kept_list(protection.parameters.text("keep"), "keep")) {
    columns.push_back(kept.name);
  }
  for (const std::string& name : columns) {
    if (name == dataset.identity_column || names_identities(name)) {
      throw_usage(fmt::format("'{}'", name), "says who somebody is, and would be released with the record",
                  "keep other attributes");
    }
  }
  return columns;
}

/// Numbers in the order of the release, and the attributes that were asked for.
LabelTable released_labels(const Dataset& dataset, const std::vector<std::string>& columns,
                           const std::vector<std::size_t>& order) {
  LabelTable labels("release", order.size());
  const int digits = std::max<int>(6, static_cast<int>(std::to_string(order.size()).size()));
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < order.size(); ++i) ids.push_back(fmt::format("{:0{}}", i + 1, digits));
  const bool taken = std::find(columns.begin(), columns.end(), "id") != columns.end();
  labels.add_column(taken ? "record" : "id", std::move(ids));
  for (const std::string& name : columns) {
    const std::vector<std::string>& column = dataset.labels.column(name);
    std::vector<std::string> values;
    for (const std::size_t row : order) values.push_back(column[row]);
    labels.add_column(name, std::move(values));
  }
  return labels;
}

/// The technique as whoever uses the data may know it: not what the features were ranked with, nor anything learned.
Provenance released_provenance(const ResolvedProtection& protection) {
  Provenance provenance{
      .technique = protection.declaration->name, .comparator = protection.comparator, .properties = {}};
  char separator = ':';
  for (const char* name : {"g", "t", "w", "rp", "cp", "keep", "form"}) {
    const std::string& value = protection.parameters.text(name);
    if (value.empty()) continue;
    provenance.technique += fmt::format("{}{}={}", separator, name, value);
    separator = ',';
  }
  provenance.properties["keeps"] = protection.attributes;
  return provenance;
}

}  // namespace

Released release_to_folder(const ResolvedProtection& protection, const Dataset& dataset,
                           const std::filesystem::path& folder) {
  BAUTA_ASSERT(protection.declaration->keeps);
  Released released;
  released.columns = released_columns(protection, dataset);
  released.provenance = released_provenance(protection);
  const ProtectContext context{.randomness = Randomness::operating_system(), .failed = dataset.failed()};
  std::vector<std::size_t> order;
  for (std::size_t row = 0; row < dataset.size(); ++row) {
    if (!context.failed[row]) order.push_back(row);
  }
  if (order.empty()) throw_input(dataset.origin, "holds no sample that could be released");
  context.randomness.stream("order of a release").shuffle(std::span(order));
  released.records = order.size();
  released.place.assign(dataset.size(), Released::nowhere);
  for (std::size_t i = 0; i < order.size(); ++i) released.place[order[i]] = i;

  std::optional<RowFinder> originals;
  std::optional<NpyTemplateWriter> writer;
  std::atomic<std::size_t> copies = 0;
  protect_stream(protection, dataset, context, [&](const Templates& shape) -> TakeBlock {
    released.features = shape.cols();
    originals.emplace(dataset.templates, context.failed);
    writer.emplace(folder / "templates.npy", shape.kind(), order.size(), shape.cols());
    return [&](std::size_t first, const Templates& block) {
      std::vector<float> space(block.cols());
      for (std::size_t i = 0; i < block.rows(); ++i) {
        if (context.failed[first + i]) continue;
        if (originals->holds(block.floats().row(i), space)) ++copies;
        writer->write(released.place[first + i], block.slice(i, 1));
      }
    };
  });
  released.exact_copies = copies;
  if (copies > 0) {
    throw_usage(released.provenance.technique,
                fmt::format("{} of {} records would be released as they are: each equals an original in every feature",
                            copies.load(), order.size()),
                "larger sets (g), or smaller weights (w) and shares (rp, --keep)");
  }
  writer->commit();
  const ElementKind kind = ElementKind::float32;
  write_description(folder, {released.provenance, {kind, released.features}},
                    released_labels(dataset, released.columns, order));
  return released;
}

LabelRisk label_risk(const Dataset& dataset, const std::vector<std::string>& columns) {
  std::vector<const std::vector<std::string>*> values;
  for (const std::string& name : columns) values.push_back(&dataset.labels.column(name));
  const std::vector<bool> failed = dataset.failed();
  std::map<std::vector<std::string>, std::size_t> counts;
  for (std::size_t row = 0; row < dataset.size(); ++row) {
    if (failed[row]) continue;
    std::vector<std::string> combination;
    for (const auto* column : values) combination.push_back((*column)[row]);
    ++counts[std::move(combination)];
  }
  LabelRisk risk{.combinations = counts.size()};
  for (const auto& [combination, count] : counts) {
    risk.smallest = risk.smallest == 0 ? count : std::min(risk.smallest, count);
    risk.alone += count == 1;
  }
  return risk;
}

}  // namespace bauta
