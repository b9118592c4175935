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
class FromArrays : public Protection {
 public:
  FromArrays(const fs::path& path, const fs::path& clear_path, const Dataset& whole, const ProtectContext& context) {
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
      rows.push_back(found == places.end() ? 0 : found->second);
    }
    if (unknown > 0) {
      throw_input(whole.origin,
                  fmt::format("{} of {} samples are not in {}, the first: row {}", unknown, whole.size(),
                              clear_path.string(), first),
                  "precomputed:clear names the templates that the others were made of");
    }
    made_ = made.select(rows);
  }

  void check(const Templates&, const std::string&, const ProtectContext&) const override {}
  [[nodiscard]] Templates protect(const Templates& block, std::size_t first, const ProtectContext&) const override {
    return made_.slice(first, block.rows());
  }

 private:
  Templates made_;
};

/// Without its extension, which masking may change.
std::string bare(const fs::path& file) {
  return fs::path(file).replace_extension().lexically_normal().generic_string();
}

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

/// Which row of `made` belongs to each sample of `whole`: the one of the same `id`, else of the same `file`, else the
/// one that stands where the sample stands in its own data set.
std::vector<std::size_t> rows_of_same(const LabelTable& made, const Dataset& whole, const std::string& where) {
  std::vector<std::size_t> rows;
  for (const char* name : {"id", "file"}) {
    if (!made.has(name) || !whole.labels.has(name)) continue;
    const bool files = std::string_view(name) == "file";
    const auto known_as = [&](const std::string& text) { return files ? bare(text) : text; };
    std::unordered_map<std::string, std::size_t> places;
    const std::vector<std::string>& names = made.column(name);
    for (std::size_t row = 0; row < names.size(); ++row) {
      if (names[row].empty() || places.try_emplace(known_as(names[row]), row).second) continue;
      throw_input(where, fmt::format("'{}' stands twice in column '{}'", names[row], name));
    }
    for (const std::string& own : whole.labels.column(name)) {
      const auto found = own.empty() ? places.end() : places.find(known_as(own));
      rows.push_back(found == places.end() ? nowhere : found->second);
    }
    // Files that were written under names of their own are no names of samples.
    if (!files || std::ranges::count(rows, nowhere) < std::ssize(rows)) return rows;
    rows.clear();
  }
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

Dataset read_made(const fs::path& path) {
  if (!fs::is_directory(path)) {
    Dataset made;
    made.templates = to_float_templates(read_npy(path));
    made.labels = LabelTable(path.string(), made.templates.rows());
    return made;
  }
  ReadOptions options;
  options.identity_required = options.templates_required = false;
  return read_dataset(path, options);
}

class FromRows : public Protection {
 public:
  FromRows(const fs::path& path, const Dataset& whole, const ProtectContext& context) {
    const Dataset made = read_made(path);
    if (made.templates.empty()) throw_input(path.string(), "holds no templates");
    std::vector<std::size_t> rows = rows_of_same(made.labels, whole, path.string());
    const std::vector<bool> lost = made.failed();
    std::size_t missing = 0, first = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const bool there = rows[row] != nowhere && !lost[rows[row]];
      if (!there && (context.failed.empty() || !context.failed[row]) && missing++ == 0) first = row;
      if (!there) rows[row] = 0;
    }
    if (missing > 0) {
      throw_input(path.string(), fmt::format("{} of {} samples of {} are not there, the first: row {}", missing,
                                             whole.size(), whole.labels.origin(), whole.labels.row_there(first) + 1));
    }
    made_ = made.templates.select(rows);
  }

  void check(const Templates&, const std::string&, const ProtectContext&) const override {}
  [[nodiscard]] Templates protect(const Templates& block, std::size_t first, const ProtectContext&) const override {
    return made_.slice(first, block.rows());
  }

 private:
  Templates made_;
};

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
    if (clear_.empty()) return std::make_unique<FromRows>(path_, whole, context);
    return std::make_unique<FromArrays>(path_, clear_, whole, context);
  }
  [[nodiscard]] Templates protect(const Templates&, std::size_t, const ProtectContext&) const override {
    BAUTA_ASSERT(false);  // on() has made another of it
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
