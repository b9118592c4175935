// What was made of the samples already, by whatever means: arrays beside the clear ones, or folders of masked media.
#include <algorithm>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/data/npy.hpp"
#include "bauta/protect/protection.hpp"
#include "made_elsewhere.hpp"

namespace bauta {
namespace {

namespace fs = std::filesystem;

/// A sample is known by its clear template: whichever samples are asked for, in whatever order, none gets another's.
std::unique_ptr<const Protection> found_by_content(const fs::path& path, const fs::path& clear_path,
                                                   const Dataset& whole, const ProtectContext& context) {
  const Templates made = to_float_templates(read_npy(path)), clear = to_float_templates(read_npy(clear_path));
  if (made.rows() != clear.rows()) {
    throw_input(path.string(),
                fmt::format("holds {} rows, {} holds {}", made.rows(), clear_path.string(), clear.rows()),
                "a row for each clear template, in the same order");
  }
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t row = 0; row < clear.rows(); ++row) {
    const auto [place, fresh] = places.try_emplace(clear.row_bytes(row), row);
    if (fresh || made.row_bytes(place->second) == made.row_bytes(row)) continue;
    throw_input(
        clear_path.string(),
        fmt::format("rows {} and {} are equal, but what was made of them is not: nobody can tell whose is whose",
                    place->second + 1, row + 1),
        "leave one of them out of both arrays");
  }
  std::vector<std::size_t> rows;
  std::size_t unknown = 0, first = 0;
  for (std::size_t row = 0; row < whole.size(); ++row) {
    const auto found = places.find(whole.templates.row_bytes(row));
    const bool failed = !context.failed.empty() && context.failed[row];
    if (found == places.end() && !failed && unknown++ == 0) first = row + 1;
    rows.push_back(found == places.end() ? nowhere : found->second);
  }
  if (unknown > 0) {
    throw_input(whole.origin,
                fmt::format("{} of {} samples are not in {}, the first: row {}", unknown, whole.size(),
                            clear_path.string(), first),
                "precomputed:clear names the templates that the others were made of");
  }
  return std::make_unique<MadeTemplates>(made, std::move(rows), context.failed, nothing_made, path.string());
}

/// Without its extension, which masking may change.
std::string bare(const fs::path& file) {
  return fs::path(file).replace_extension().lexically_normal().generic_string();
}

/// Which row of `made` belongs to each sample of `whole`: the one of the same `id`, else of the same `file`, else the
/// one that stands where the sample stands in its own data set.
std::vector<std::size_t> rows_of_same(const LabelTable& made, const Dataset& whole, const std::string& where) {
  std::vector<std::size_t> rows;
  for (const char* name : {"id", "file"}) {
    if (!made.has(name) || !whole.labels.has(name)) continue;
    const bool files = std::string_view(name) == "file";
    std::vector<std::string> own = whole.labels.column(name), theirs = made.column(name);
    for (std::string& text : own) text = files ? bare(text) : text;
    for (std::string& text : theirs) text = files ? bare(text) : text;
    rows = places_of(own, theirs, name, where);
    // Files that were written under names of their own are no names of samples.
    if (!files || std::ranges::count(rows, nowhere) < std::ssize(rows)) return rows;
  }
  rows.clear();
  if (made.rows() != whole.labels.rows_there()) {
    throw_input(where,
                fmt::format("holds {} samples, {} holds {}, and they share neither an 'id' nor a 'file'", made.rows(),
                            whole.labels.origin(), whole.labels.rows_there()),
                "a row for each clear sample, in the same order, or a column 'id' on both sides");
  }
  warn(fmt::format("{}: samples are taken in the order of {}", where, whole.labels.origin()));
  for (std::size_t row = 0; row < whole.size(); ++row) rows.push_back(whole.labels.row_there(row));
  return rows;
}

/// A sample is known by what the labels say of it. One that is not there, or failed there, is lost.
std::unique_ptr<const Protection> found_by_label(const fs::path& path, const Dataset& whole,
                                                 const ProtectContext& context) {
  Dataset made;
  if (fs::is_directory(path)) {
    made = read_made(path);
  } else {
    made.templates = to_float_templates(read_npy(path));
    made.labels = LabelTable(path.string(), made.templates.rows());
  }
  if (made.templates.empty()) throw_input(path.string(), "holds no templates");
  std::vector<std::size_t> rows = rows_of_same(made.labels, whole, path.string());
  const std::vector<bool> failed = made.failed();
  std::ranges::replace_if(
      rows, [&](std::size_t row) { return row != nowhere && failed[row]; }, nowhere);
  return std::make_unique<MadeTemplates>(made.templates, std::move(rows), context.failed, nothing_made, path.string());
}

class FromFolder : public Protection {
 public:
  FromFolder(const fs::path& folder, const Dataset& whole) : where_("precomputed:path") {
    if (fs::exists(folder / "labels.csv")) {
      const Dataset made = read_made(folder);
      const std::vector<std::size_t> rows = rows_of_same(made.labels, whole, folder.string());
      const auto& files = made.labels.column("file");
      for (const std::size_t row : rows) {
        made_.emplace_back();
        if (row != nowhere && !files[row].empty()) made_.back().push_back(made.folder / files[row]);
      }
    } else {
      find_by_name(folder, whole);
    }
    if (std::ranges::all_of(made_, &std::vector<fs::path>::empty)) {
      throw_input(where_,
                  fmt::format("{} holds none of the {} media of {}", folder.string(), whole.size(), whole.origin),
                  "masked media have the names of the clear ones, folders included; extensions may differ");
    }
  }

  void check(const Templates&, const std::string&, const ProtectContext&) const override {}
  [[nodiscard]] Templates protect(const Templates&, std::size_t, const ProtectContext&) const override {
    BAUTA_ASSERT(false);  // media are masked
  }
  [[nodiscard]] Medium mask(const Medium& medium, std::size_t sample, const ProtectContext&) const override {
    return made_elsewhere(made_[sample], medium, where_);
  }

 private:
  void find_by_name(const fs::path& folder, const Dataset& whole) {
    if (!whole.labels.has("file")) throw_usage(where_, whole.origin + " has no column 'file' to find media by");
    std::map<std::string, std::vector<fs::path>> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) files[bare(fs::relative(entry.path(), folder))].push_back(entry.path());
    }
    for (const std::string& file : whole.labels.column("file")) {
      const auto found = file.empty() ? files.end() : files.find(bare(file));
      made_.push_back(found == files.end() ? std::vector<fs::path>() : found->second);
    }
  }

  std::string where_;
  std::vector<std::vector<fs::path>> made_;
};

class Precomputed : public Protection {
 public:
  explicit Precomputed(const Parameters& parameters)
      : path_(parameters.text("path")), clear_(parameters.text("clear")) {
    if (path_.empty()) {
      throw_usage("precomputed", "names nothing that was made", "precomputed:path=MADE.npy, or path=FOLDER");
    }
    if (!fs::exists(path_)) throw_usage("precomputed:path", "'" + path_.string() + "' is not there");
  }

  void check(const Templates& input, const std::string& where, const ProtectContext&) const override {
    require_floats(input, "precomputed", where);
  }
  [[nodiscard]] std::unique_ptr<const Protection> among(const Dataset& whole, const std::vector<std::string>&,
                                                        const ProtectContext& context) const override {
    if (whole.templates.empty() && whole.media) {
      if (fs::is_directory(path_)) return std::make_unique<FromFolder>(path_, whole);
      throw_usage("precomputed:path", whole.origin + " holds media", "name the folder with masked ones");
    }
    return clear_.empty() ? found_by_label(path_, whole, context) : found_by_content(path_, clear_, whole, context);
  }
  [[nodiscard]] Guarantee guarantee(const ImageShape&) const override { return unknown_guarantee(); }
  [[nodiscard]] Templates protect(const Templates&, std::size_t, const ProtectContext&) const override {
    BAUTA_ASSERT(false);  // among() has made another of it
  }

 private:
  fs::path path_, clear_;
};

}  // namespace

Entry<Protection> precomputed_protection() {
  return {
      {.name = "precomputed",
       .paper = "",
       .doc =
           "what somebody has made of the samples already: rows of an array, a data set, or a folder of masked media",
       .medium = "any",
       .claim = "what its makers say",
       .broken_by = "nobody knows yet",
       .parameters =
           {{"path", ParameterType::file, "",
             "what was made: an array with a row for each row of the data set (.npy), or a folder, whose samples are "
             "known by the same `id`, else by the same `file`, else by their order"},
            {"clear", ParameterType::file, "",
             "the clear templates that the array was made of (.npy), row by row, where they are not those of the data "
             "set in its order: samples are found there by their contents"},
            {"name", ParameterType::text, "", "what tables and figures call it"}},
       .example = "path=people/templates.npy,clear=people/templates.npy"},
      [](const Parameters& parameters) { return std::make_unique<Precomputed>(parameters); }};
}

}  // namespace bauta
