// Reading and writing labels.
#include "bauta/data/label_files.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/data/csv.hpp"
#include "bauta/data/npy.hpp"
#include "text.hpp"
#include "tidy_text.hpp"

namespace bauta {

namespace fs = std::filesystem;

namespace {

// The shared part ends at a separator: "sample_gender" and "sample_glasses" share "sample_", not "sample_g".
std::string array_column_name(const std::string& stem, const std::string& templates_stem) {
  std::size_t shared = 0;
  for (std::size_t i = 0; i < std::min(stem.size(), templates_stem.size()) && stem[i] == templates_stem[i]; ++i) {
    if (stem[i] == '_' || stem[i] == '-') shared = i + 1;
  }
  std::string name = stem.substr(shared);
  for (const std::string_view suffix : {"_labels", "-labels", "_label", "-label"}) {
    if (name.size() > suffix.size() && lower_case(name).ends_with(suffix)) name.resize(name.size() - suffix.size());
  }
  return name.empty() ? stem : name;
}

LabelTable read_label_array(const fs::path& path, const std::string& templates_stem,
                            std::vector<std::string>& remarks) {
  auto values = to_text_column(read_npy(path));
  const std::string name = array_column_name(path.stem().string(), templates_stem);
  for (std::size_t i = 0; i < values.size(); ++i) {
    check_label_text(fmt::format("{} row {}", path.string(), i + 1), name, values[i]);
  }
  remarks.push_back(fmt::format("labels '{}' are read from {}", name, path.filename().string()));
  LabelTable table(path.string(), values.size());
  table.add_column(name, std::move(values));
  return table;
}

std::vector<fs::path> split_list(const fs::path& list) {
  std::error_code ignored;
  if (fs::exists(list, ignored)) return {list};  // a comma may be part of a name
  std::vector<fs::path> paths;
  const std::string text = list.string();
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    if (end > start) paths.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  return paths;
}

}  // namespace

std::string folded_text(std::string_view text) {
  return without_case(tidy_text(text));
}

void check_label_text(const std::string& where, std::string_view column, std::string_view text) {
  if (is_plain_utf8(text)) return;
  throw_input(where, fmt::format("a value of column '{}' is not UTF-8 text", column),
              "convert the file, e.g. iconv -f LATIN1 -t UTF-8");
}

bool names_identities(std::string_view column) {
  static constexpr std::array<std::string_view, 18> known = {
      "identity",    "identities",  "ids",           "subject", "subjects",  "subject_id",
      "subject_ids", "subjectid",   "subject_label", "person",  "person_id", "personid",
      "people",      "identity_id", "y_id",          "y_ids",   "speaker",   "speaker_id"};
  return std::find(known.begin(), known.end(), lower_case(column)) != known.end();
}

LabelTable read_label_csv(const fs::path& path, std::vector<std::string>& remarks) {
  CsvReader reader(path);
  std::vector<std::string> names = reader.header();
  // Taking the first sample for the header would shift every label by one row.
  if (std::all_of(names.begin(), names.end(), parse_number)) {
    throw_input(reader.where(), fmt::format("'{}' stands where column names are expected", names.front()),
                "give the file a first line such as identity,gender");
  }
  // pandas leaves the name of its index column empty.
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (!names[c].empty()) continue;
    names[c] = fmt::format("column{}", c + 1);
    remarks.push_back(fmt::format("{}: column {} has no name and is called '{}'", path.string(), c + 1, names[c]));
  }
  if (reader.separator() != ',') {
    remarks.push_back(
        fmt::format("{}: fields are separated by {}", path.string(), reader.separator() == '\t' ? "tabs" : "';'"));
  }

  // The number of rows is known only at the end of the stream.
  std::vector<std::vector<std::string>> columns(names.size());
  std::vector<std::string_view> fields;
  while (reader.next(fields)) {
    for (std::size_t c = 0; c < fields.size(); ++c) {
      if (!is_plain_utf8(fields[c])) check_label_text(reader.where(), names[c], fields[c]);
      columns[c].emplace_back(fields[c]);
    }
  }
  LabelTable table(path.string(), columns.front().size());
  for (std::size_t c = 0; c < names.size(); ++c) table.add_column(names[c], std::move(columns[c]));
  return table;
}

LabelTable read_label_files(const fs::path& list, const std::string& templates_stem,
                            std::vector<std::string>& remarks) {
  const std::vector<fs::path> paths = split_list(list);
  if (paths.empty()) throw_usage("--labels", "names no file");
  std::vector<LabelTable> tables;
  for (const fs::path& path : paths) {
    tables.push_back(lower_case(path.extension().string()) == ".npy" ? read_label_array(path, templates_stem, remarks)
                                                                     : read_label_csv(path, remarks));
    if (tables.back().rows() != tables.front().rows()) {
      throw_input(
          path.string(),
          fmt::format("has {} rows, {} has {}", tables.back().rows(), paths.front().string(), tables.front().rows()),
          "all label files describe the same samples in the same order");
    }
  }
  if (tables.size() == 1) return std::move(tables.front());
  LabelTable merged(list.string(), tables.front().rows());
  for (const LabelTable& table : tables) {
    for (const std::string& name : table.names()) merged.add_column(name, table.column(name));
  }
  return merged;
}

void write_label_csv(const fs::path& path, const LabelTable& labels) {
  CsvWriter writer(path);
  // A table without columns still says how many samples there are.
  if (labels.names().empty()) {
    writer.row({"id"});
    for (std::size_t i = 0; i < labels.rows(); ++i) writer.row({std::to_string(i)});
    return writer.commit();
  }
  std::vector<const std::vector<std::string>*> columns;
  for (const std::string& name : labels.names()) {
    writer.field(name);
    columns.push_back(&labels.column(name));
  }
  writer.end_row();
  for (std::size_t i = 0; i < labels.rows(); ++i) {
    for (const auto* column : columns) writer.field((*column)[i]);
    writer.end_row();
  }
  writer.commit();
}

}  // namespace bauta
