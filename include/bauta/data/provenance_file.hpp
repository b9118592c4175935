// dataset.toml: flat key = "value" lines about how a data set was made and how its elements are stored.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

#include "bauta/core/templates.hpp"
#include "bauta/data/dataset.hpp"

namespace bauta {

/// What the bytes of templates.npy mean; a plain uint8 array without a mark holds features.
struct Storage {
  ElementKind kind = ElementKind::float32;
  std::size_t bits = 0;  ///< elements of a row, for packed bits
};

struct DatasetFile {
  std::optional<Provenance> provenance;  ///< absent if the file speaks of storage alone
  Storage storage;
};

/// Refuses tables, arrays and unknown values of `elements` and `bits`, naming the line.
DatasetFile read_dataset_file(const std::filesystem::path& path);
void write_dataset_file(const std::filesystem::path& path, const DatasetFile& content);

/// What makes written arrays a data set: dataset.toml (where there is anything to say) and labels.csv, which comes
/// last.
void write_description(const std::filesystem::path& folder, const DatasetFile& content, const LabelTable& labels);

}  // namespace bauta
