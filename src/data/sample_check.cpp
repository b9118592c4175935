// Checks and remarks that do not depend on the file format.
#include "sample_check.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/finite.hpp"
#include "bauta/core/row_blocks.hpp"
#include "bauta/data/label_files.hpp"
#include "text.hpp"

namespace bauta {

namespace fs = std::filesystem;

namespace {

void check_finite(const Templates& templates, const std::vector<bool>& failed, const std::string& origin) {
  if (templates.empty() || templates.kind() != ElementKind::float32) return;
  const auto values = templates.floats();
  for_row_blocks(templates, mebibyte_rows(templates), [&](std::size_t first, std::size_t count) {
    // Nearly always the whole block passes in one sweep; only a bad one is looked at row by row.
    if (values.contiguous() && all_finite({values.row(first).data(), count * values.cols})) return;
    for (std::size_t i = first; i < first + count; ++i) {
      const auto row = values.row(i);
      if (failed[i] || all_finite(row)) continue;
      const auto bad = std::find_if(row.begin(), row.end(), [](float value) { return !std::isfinite(value); });
      throw_input(fmt::format("{} row {} column {}", origin, i + 1, bad - row.begin() + 1),
                  fmt::format("{} in a template, expected a finite number", *bad),
                  "if nothing could be extracted from this sample, mark it with 1 in a column `failed`");
    }
  });
}

void find_identity(Dataset& dataset, const ReadOptions& options) {
  // A name that the user chose is never replaced by a guess.
  const LabelTable& labels = dataset.labels;
  if (labels.has(options.identity)) {
    dataset.identity_column = options.identity;
  } else if (options.identity == "identity") {
    const auto guess = std::find_if(labels.names().begin(), labels.names().end(), names_identities);
    if (guess != labels.names().end()) {
      dataset.identity_column = *guess;
      dataset.remarks.push_back(fmt::format("column '{}' is taken as the identity", *guess));
    }
  }
  if (dataset.identity_column.empty()) {
    if (!options.identity_required) return;
    throw_input(labels.origin(), fmt::format("no column '{}' that names the subjects", options.identity),
                labels.names().empty()
                    ? "give a file with subjects: --labels"
                    : fmt::format("name it with --identity; there are: {}", join(labels.names(), ", ")));
  }
  const auto& subjects = labels.column(dataset.identity_column);
  // Samples without a subject would all count as non-mated with each other.
  const auto missing = std::find(subjects.begin(), subjects.end(), "");
  if (missing == subjects.end()) return;
  const auto row = missing - subjects.begin() + 1;
  if (options.identity_required) {
    throw_input(fmt::format("{} row {}", labels.origin(), row),
                fmt::format("no value in column '{}', expected a subject", dataset.identity_column),
                "give every sample a subject or leave it out; --missing says which words name nobody");
  }
  dataset.remarks.push_back(fmt::format("row {} and perhaps others name no subject", row));
}

void check_counts(const Dataset& dataset) {
  for (const auto& [name, templates] :
       {std::pair{"templates", &dataset.templates}, {"probe templates", &dataset.probe_templates}}) {
    if (templates->empty() || templates->rows() == dataset.labels.rows()) continue;
    throw_input(dataset.labels.origin(),
                fmt::format("{} labels for {} {}", dataset.labels.rows(), templates->rows(), name),
                "one label row per sample is needed, and a header line that is not counted");
  }
  // What is presented is compared with what is stored.
  const auto& [stored, presented] = std::tie(dataset.templates, dataset.probe_templates);
  if (!presented.empty() && (presented.kind() != stored.kind() || presented.cols() != stored.cols())) {
    throw_input(dataset.origin,
                fmt::format("probes of {} {}, templates of {} {}", presented.cols(), to_text(presented.kind()),
                            stored.cols(), to_text(stored.kind())),
                "both sides need the same features");
  }
  if (dataset.labels.rows() == 0) throw_input(dataset.origin, "holds no samples");
}

void check_failed(const LabelTable& labels) {
  if (!labels.has("failed")) return;
  const auto& values = labels.column("failed");
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].empty() || values[i] == "0" || values[i] == "1") continue;
    throw_input(fmt::format("{} row {}", labels.origin(), i + 1),
                fmt::format("'{}' in column 'failed', expected 0 or 1", values[i]),
                "this column says whether extraction failed; rename it if it means something else");
  }
}

/// Folders of links are a way to choose samples; but what lies elsewhere was perhaps not meant to be read.
void remark_links(Dataset& dataset) {
  std::error_code error;
  const fs::path inside = fs::canonical(dataset.folder.empty() ? fs::path(".") : dataset.folder, error);
  if (error) return;
  const auto& files = dataset.labels.column("file");
  std::size_t count = 0, first = 0;
  for (std::size_t i = files.size(); i-- > 0;) {
    if (files[i].empty()) continue;
    const fs::path real = fs::canonical(dataset.folder / files[i], error);
    if (error || std::mismatch(inside.begin(), inside.end(), real.begin(), real.end()).first == inside.end()) continue;
    ++count;
    first = i;
  }
  if (count == 0) return;
  dataset.remarks.push_back(
      fmt::format("{} files are links that lead out of the folder, and are read, e.g. row {}", count, first + 1));
}

// Outputs are written under the same relative names, so a path that leaves the folder could overwrite anything.
void check_media(const Dataset& dataset) {
  const auto& files = dataset.labels.column("file");
  const std::vector<bool> failed = dataset.failed();
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (failed[i] && files[i].empty()) continue;  // there was nothing to write
    const std::string where = fmt::format("{} row {}", dataset.labels.origin(), i + 1);
    const fs::path file(files[i]);
    // ".." is refused even where it would stay inside: outputs mirror these names.
    const bool leaves = std::find(file.begin(), file.end(), "..") != file.end();
    if (file.empty() || file.is_absolute() || leaves) {
      throw_input(where, fmt::format("file '{}', expected a path inside the folder of the data set", files[i]));
    }
    std::error_code ignored;
    if (!fs::is_regular_file(dataset.folder / file, ignored)) {
      throw_input(where, fmt::format("there is no file '{}' in {}", files[i], dataset.folder.string()),
                  "paths in column `file` are relative to the folder of the data set");
    }
  }
}

}  // namespace

void check_samples(Dataset& dataset, const ReadOptions& options) {
  // Counts first: all later checks walk through labels and templates side by side.
  check_counts(dataset);
  check_failed(dataset.labels);
  find_identity(dataset, options);
  if (dataset.templates.empty()) {
    if (options.templates_required) {
      throw_usage(dataset.origin, "holds media files, expected templates",
                  "make templates first: bauta extract EXTRACTOR");
    }
    check_media(dataset);
    remark_links(dataset);
  }
  const std::vector<bool> failed = dataset.failed();
  check_finite(dataset.templates, failed, dataset.origin);
  check_finite(dataset.probe_templates, failed, dataset.origin + " (probes)");
}

}  // namespace bauta
