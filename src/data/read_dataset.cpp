// The forms in which people have their data: dataset folder, folder per subject, .npz, .npy with labels.
#include <algorithm>
#include <array>
#include <fstream>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/data/dataset.hpp"
#include "bauta/data/label_files.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/data/npy.hpp"
#include "bauta/data/npz.hpp"
#include "bauta/data/provenance_file.hpp"
#include "odd_labels.hpp"
#include "sample_check.hpp"
#include "text.hpp"
#include "tidy_labels.hpp"
#include "tidy_text.hpp"

namespace bauta {

namespace fs = std::filesystem;

namespace {

// In order of preference.
constexpr std::array<std::string_view, 6> template_keys = {"x",         "embeddings", "features",
                                                           "templates", "embedding",  "feature"};
constexpr std::array<std::string_view, 17> media_extensions = {".jpg", ".jpeg", ".png",  ".bmp", ".pgm",  ".ppm",
                                                               ".tif", ".tiff", ".webp", ".wav", ".flac", ".npy",
                                                               ".bvh", ".trc",  ".c3d",  ".csv", ".mocap"};

Templates read_templates(const fs::path& path, const Storage& storage) {
  const NpyArray array = read_npy(path);
  switch (storage.kind) {
    case ElementKind::code8:
      return Templates(to_codes(array));
    case ElementKind::bits:
      return to_bit_templates(array, storage.bits);
    case ElementKind::float32:
      break;
  }
  return to_float_templates(array);
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// labels.csv with templates.npy (and probes.npy), or with a column of media files.
Dataset read_folder(const fs::path& path, const ReadOptions& options) {
  Dataset dataset;
  dataset.folder = path;
  Storage storage;
  if (is_file(path / "dataset.toml")) {
    DatasetFile content = read_dataset_file(path / "dataset.toml");
    storage = content.storage;
    dataset.provenance = std::move(content.provenance);
  }
  dataset.labels = options.labels.empty() ? read_label_csv(path / "labels.csv", dataset.remarks)
                                          : read_label_files(options.labels, "templates", dataset.remarks);
  if (!options.labels.empty() && is_file(path / "labels.csv")) {
    dataset.remarks.push_back(
        fmt::format("{} takes the place of the labels.csv in the folder", options.labels.string()));
  }
  if (is_file(path / "templates.npy")) {
    dataset.templates = read_templates(path / "templates.npy", storage);
    if (is_file(path / "probes.npy")) dataset.probe_templates = read_templates(path / "probes.npy", storage);
  } else if (!dataset.labels.has("file")) {
    throw_input(path.string(), "has neither templates.npy nor a column `file` in its labels",
                "a dataset folder is labels.csv with templates.npy, or labels.csv with a column of media files");
  }
  return dataset;
}

std::vector<fs::path> sorted_children(const fs::path& folder) {
  std::vector<fs::path> children;
  for (const auto& entry : fs::directory_iterator(folder)) {
    // .git, .DS_Store and the like are no subjects.
    if (!entry.path().filename().string().starts_with('.')) children.push_back(entry.path());
  }
  std::sort(children.begin(), children.end());
  return children;
}

// What a folder holds beside media.
struct LeftOut {
  std::size_t others = 0;  // files that are not media
  std::size_t linked = 0;  // links to folders, which might lead round and round
  std::size_t empty = 0;   // sub-folders without media
};

std::vector<std::string> media_in(const fs::path& folder, const fs::path& base, LeftOut& left_out) {
  std::vector<std::string> media;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_symlink() && entry.is_directory()) ++left_out.linked;
    if (!entry.is_regular_file()) continue;
    const std::string extension = lower_case(entry.path().extension().string());
    if (std::find(media_extensions.begin(), media_extensions.end(), extension) == media_extensions.end()) {
      ++left_out.others;
      continue;
    }
    media.push_back(entry.path().lexically_relative(base).generic_string());
  }
  std::sort(media.begin(), media.end());
  return media;
}

// A sub-folder is a subject; media may lie deeper in it (speaker/session/file). Sorted, so that row numbers are stable.
Dataset read_subject_folders(const fs::path& path) {
  Dataset dataset;
  dataset.folder = path;
  std::vector<std::string> subjects;
  std::vector<std::string> files;
  LeftOut left_out;
  for (const fs::path& folder : sorted_children(path)) {
    if (!fs::is_directory(folder)) continue;
    std::vector<std::string> media = media_in(folder, path, left_out);
    if (media.empty()) ++left_out.empty;
    for (std::string& file : media) {
      check_label_text(path.string(), "file", file);
      subjects.push_back(folder.filename().string());
      files.push_back(std::move(file));
    }
  }
  if (files.empty()) {
    throw_input(path.string(), "has no labels.csv, and no sub-folders with media files",
                "expected labels.csv with templates.npy or a column `file`, or one sub-folder per subject");
  }
  dataset.remarks.push_back(fmt::format("sub-folders are taken as subjects: {} files", files.size()));
  const auto [others, linked, empty] = left_out;
  if (others > 0) dataset.remarks.push_back(fmt::format("{} files that are not media are left out", others));
  if (linked > 0) dataset.remarks.push_back(fmt::format("{} links to folders are not followed", linked));
  if (empty > 0) dataset.remarks.push_back(fmt::format("{} sub-folders hold no media", empty));
  dataset.labels = LabelTable(path.string(), files.size());
  dataset.labels.add_column("identity", std::move(subjects));
  dataset.labels.add_column("file", std::move(files));
  return dataset;
}

std::string list_arrays(const std::vector<NpzArray>& arrays) {
  std::vector<std::string> texts;
  texts.reserve(arrays.size());
  for (const auto& [key, array] : arrays) {
    texts.push_back(fmt::format("{} ({} {})", key, array.shape_text(), array.type_name()));
  }
  return join(texts, ", ");
}

// A well-known name wins; without one, the only matrix of real numbers.
const NpzArray& find_template_array(const std::vector<NpzArray>& arrays, const fs::path& path,
                                    const ReadOptions& options, std::vector<std::string>& remarks) {
  if (!options.key.empty()) {
    for (const NpzArray& entry : arrays) {
      if (entry.key == options.key) return entry;
    }
    throw_usage(path.string(), fmt::format("no array '{}'", options.key), "there are: " + list_arrays(arrays));
  }
  const auto matrix = [](const NpzArray& entry) { return entry.array.shape.size() == 2 && !entry.array.is_text(); };
  const NpzArray* chosen = nullptr;
  for (const std::string_view name : template_keys) {
    for (const NpzArray& entry : arrays) {
      if (chosen == nullptr && matrix(entry) && lower_case(entry.key) == name) chosen = &entry;
    }
  }
  if (chosen == nullptr) {
    for (const NpzArray& entry : arrays) {
      if (!matrix(entry) || entry.array.type != NpyType::real) continue;
      if (chosen != nullptr) {
        throw_usage(path.string(), "several arrays could be the templates",
                    "choose with --key: " + list_arrays(arrays));
      }
      chosen = &entry;
    }
  }
  if (chosen == nullptr) {
    throw_input(path.string(), "no array of samples x features",
                arrays.empty() ? "the archive holds no readable array" : "there are: " + list_arrays(arrays));
  }
  remarks.push_back(fmt::format("array '{}' ({} {}) is taken as the templates", chosen->key, chosen->array.shape_text(),
                                chosen->array.type_name()));
  return *chosen;
}

Dataset read_npz_dataset(const fs::path& path, const ReadOptions& options) {
  Dataset dataset;
  dataset.folder = path.parent_path();
  const std::vector<NpzArray> arrays = read_npz(path, options.key, dataset.remarks);
  const NpzArray& chosen = find_template_array(arrays, path, options, dataset.remarks);
  dataset.templates = to_float_templates(chosen.array);
  // Labels that the user names replace those inside.
  if (!options.labels.empty()) {
    dataset.labels = read_label_files(options.labels, path.stem().string(), dataset.remarks);
    return dataset;
  }
  const std::size_t rows = dataset.templates.rows();
  dataset.labels = LabelTable(path.string(), rows);
  for (const auto& [key, array] : arrays) {
    if (&array == &chosen.array) continue;
    const bool column = array.shape.size() == 1 || (array.shape.size() == 2 && array.shape[1] == 1);
    // Other lengths are class names or centroids, unless the name says that each sample should have one.
    if (column && array.shape[0] == rows) {
      auto values = to_text_column(array);
      for (const std::string& value : values) check_label_text(array.origin, key, value);
      dataset.labels.add_column(key, std::move(values));
      dataset.remarks.push_back(fmt::format("array '{}' is taken as a label", key));
    } else if (column && (names_identities(key) || key == options.identity || key == "failed")) {
      throw_input(array.origin, fmt::format("has {} values for {} templates in '{}'", array.shape[0], rows, chosen.key),
                  "one label per sample is needed");
    } else {
      dataset.remarks.push_back(fmt::format("array '{}' ({}) is left out", key, array.shape_text()));
    }
  }
  return dataset;
}

Dataset read_npy_dataset(const fs::path& path, const ReadOptions& options) {
  Dataset dataset;
  dataset.folder = path.parent_path();
  dataset.templates = to_float_templates(read_npy(path));
  if (!options.labels.empty()) {
    dataset.labels = read_label_files(options.labels, path.stem().string(), dataset.remarks);
  } else if (options.identity_required) {
    throw_usage(path.string(), "holds templates without labels", "name the file with them: --labels L.csv");
  } else {
    dataset.labels = LabelTable(path.string(), dataset.templates.rows());
    dataset.remarks.push_back("no labels were given");
  }
  return dataset;
}

std::string first_bytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string start(6, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  return start;
}

Dataset read_any(const fs::path& path, const ReadOptions& options) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) throw_input(path.string(), "does not exist", "check the path");
  if (fs::is_directory(status)) {
    // A folder with a part of a data set is meant as one, so that the missing part is named.
    const bool described = is_file(path / "labels.csv") || is_file(path / "templates.npy") || !options.labels.empty();
    return described ? read_folder(path, options) : read_subject_folders(path);
  }
  // The content decides, not the name.
  const std::string start = first_bytes(path);
  if (start == "\x93NUMPY") return read_npy_dataset(path, options);
  if (start.starts_with("PK")) return read_npz_dataset(path, options);
  const std::string extension = lower_case(path.extension().string());
  if (extension == ".npy") return read_npy_dataset(path, options);
  if (extension == ".npz") return read_npz_dataset(path, options);
  throw_input(path.string(), "is not a data set",
              "expected a dataset folder, a folder per subject, a .npz, or X.npy with --labels L.csv");
}

Dataset only_those(const Dataset& dataset, const std::string& only, const std::string& identity) {
  const std::size_t equals = only.find('=');
  if (equals == std::string::npos) throw_usage("only " + only, "COLUMN=VALUE is expected", "e.g. part=evaluation");
  const std::string column = tidy_text(only.substr(0, equals)), wanted = tidy_text(only.substr(equals + 1));
  const auto& values = dataset.labels.column(column);
  // 30.0 is 30; but 007 and 7 are two people.
  const bool names = names_identities(column) || column == identity;
  const std::optional<double> number = names ? std::nullopt : parse_number(wanted);
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (values[row] == wanted || (number && parse_number(values[row]) == number)) rows.push_back(row);
  }
  if (rows.empty()) {
    throw_usage("only " + only, fmt::format("no sample of {} has it", dataset.labels.origin()),
                fmt::format("'{}' has: {}", column, join(dataset.labels.categorical(column).classes, ", ")));
  }
  return dataset.select(rows);
}

}  // namespace

Dataset read_dataset(const fs::path& path, const ReadOptions& options) {
  try {
    Dataset dataset = read_any(path, options);
    dataset.origin = path.string();
    if (!options.key.empty() && fs::is_directory(path)) {
      dataset.remarks.push_back(
          fmt::format("the key '{}' names an array of a .npz, and this is a folder", options.key));
    }
    tidy_labels(dataset.labels, options.missing, dataset.remarks);
    unite_numbers(dataset.labels, options.identity, dataset.remarks);
    if (dataset.labels.has("file")) dataset.media = file_media(dataset.folder, dataset.labels.column("file"));
    if (!options.only.empty()) dataset = only_those(dataset, options.only, options.identity);
    check_samples(dataset, options);
    remark_odd_labels(dataset);
    return dataset;
  } catch (const fs::filesystem_error& error) {
    throw_environment(path.string(), std::string("cannot be read: ") + error.code().message());
  }
}

}  // namespace bauta
