// The data set itself: selection, failures, and writing it as a folder.
#include "bauta/data/dataset.hpp"

#include <tuple>

#include "bauta/core/error.hpp"
#include "bauta/data/label_files.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/data/npy.hpp"
#include "bauta/data/provenance_file.hpp"

namespace bauta {

namespace fs = std::filesystem;

std::vector<bool> Dataset::failed() const {
  std::vector<bool> marks(size(), false);
  if (!labels.has("failed")) return marks;
  const auto& values = labels.column("failed");
  for (std::size_t i = 0; i < values.size(); ++i) marks[i] = values[i] == "1";
  return marks;
}

void Dataset::mark_failed(const std::vector<bool>& marks) {
  std::vector<std::string> values;
  for (const bool failed : marks) values.emplace_back(failed ? "1" : "0");
  labels.set_column("failed", std::move(values));
}

Dataset Dataset::select(const std::vector<std::size_t>& rows) const {
  // Field by field: a copy of all labels would be held for the sake of a few.
  Dataset part{.origin = origin,
               .labels = labels.select(rows),
               .templates = {},
               .probe_templates = {},
               .media = media ? select_media(media, rows) : nullptr,
               .folder = folder,
               .identity_column = identity_column,
               .provenance = provenance,
               .remarks = remarks};
  // Media data sets have no templates, and most have no separate probes.
  if (!templates.empty()) part.templates = templates.select(rows);
  if (!probe_templates.empty()) part.probe_templates = probe_templates.select(rows);
  return part;
}

void write_dataset(const fs::path& folder, const Dataset& dataset) {
  const auto& [templates, probes] = std::tie(dataset.templates, dataset.probe_templates);
  // dataset.toml describes both arrays with one mark, hence the same kind (and number of bits) on both sides.
  BAUTA_ASSERT(templates.empty() || templates.rows() == dataset.size());
  BAUTA_ASSERT(probes.empty() || (probes.rows() == dataset.size() && probes.kind() == templates.kind()));
  BAUTA_ASSERT(probes.empty() || probes.kind() != ElementKind::bits || probes.cols() == templates.cols());

  // The folder must not mix this data set with parts of an older one.
  for (const char* name : {"templates.npy", "probes.npy", "dataset.toml"}) {
    std::error_code error;
    fs::remove(folder / name, error);
    if (error) throw_environment((folder / name).string(), "cannot be replaced: " + error.message());
  }
  if (!templates.empty()) write_npy(folder / "templates.npy", templates);
  if (!probes.empty()) write_npy(folder / "probes.npy", probes);
  DatasetFile content{dataset.provenance, {}};
  if (!templates.empty()) content.storage = {templates.kind(), templates.cols()};
  write_description(folder, content, dataset.labels);
}

void write_description(const fs::path& folder, const DatasetFile& content, const LabelTable& labels) {
  if (content.provenance || content.storage.kind != ElementKind::float32) {
    write_dataset_file(folder / "dataset.toml", content);
  }
  write_label_csv(folder / "labels.csv", labels);
}

}  // namespace bauta
