// A data set: what is known about each sample, and its templates or the media files they come from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bauta/core/labels.hpp"
#include "bauta/core/templates.hpp"

namespace bauta {

class MediaSource;

/// What `dataset.toml` beside the data says of how it was made. Never holds a key.
struct Provenance {
  std::string technique;                          ///< resolved specification, e.g. "pe-miu:block=8,cost=l2"
  std::string comparator;                         ///< the technique's own comparator as a specification, or empty
  std::map<std::string, std::string> properties;  ///< further flat key = "value" pairs, kept as they are
};

struct Dataset {
  std::string origin;         ///< as the user named it, for messages
  LabelTable labels;          ///< one row per sample
  Templates templates;        ///< empty if the samples are media files; as stored (reference side)
  Templates probe_templates;  ///< only where the probe side looks different (negative templates); else empty
  std::shared_ptr<const MediaSource> media;  ///< null: there are none; shared between copies, decoded when asked for
  std::filesystem::path folder;              ///< where a `file` column is relative to
  std::string identity_column;               ///< empty if the data names no identities
  std::optional<Provenance> provenance;
  std::vector<std::string> remarks;  ///< what was guessed or mapped while reading, for people

  [[nodiscard]] std::size_t size() const { return labels.rows(); }
  /// Samples whose `failed` column is 1: nothing could be extracted. They are counted, never compared.
  [[nodiscard]] std::vector<bool> failed() const;
  void mark_failed(const std::vector<bool>& marks);
  [[nodiscard]] Dataset select(const std::vector<std::size_t>& rows) const;
};

/// Texts that stand for a missing value unless a user names others: NA, nan, None, null, - and the like.
std::vector<std::string> missing_words();

struct ReadOptions {
  std::filesystem::path labels;       ///< for X.npy: the CSV with its labels
  std::string identity = "identity";  ///< column that names the subject
  bool identity_required = true;      ///< otherwise a missing column leaves identity_column empty
  std::string key;                    ///< for .npz: the array with the templates; empty: guess and remark
  std::string only;                   ///< "COLUMN=VALUE": samples of this value alone; empty: all
  bool templates_required = true;     ///< otherwise media data sets pass
  std::vector<std::string> missing = missing_words();  ///< values that are unknown, beside blank ones
};

/// Of labels, templates or media, and identity column: the data as it enters a step, wherever it lies.
std::string digest(const Dataset& dataset);

/// Reads a dataset folder, a folder per subject, a `.npz`, or `X.npy` with labels. Every value is checked: a row with a
/// NaN or infinity that is not marked in a `failed` column is an input error that names it. Labels come without blanks
/// around them, with composed letters, and empty where they are missing; remarks say where that changed any.
Dataset read_dataset(const std::filesystem::path& path, const ReadOptions& options = {});

/// Writes labels.csv, templates.npy (probes.npy, dataset.toml) into an existing folder, mode 0600.
void write_dataset(const std::filesystem::path& folder, const Dataset& dataset);

}  // namespace bauta
