// What was made of the samples already, by whatever means: arrays beside the clear ones, or folders of masked media.
#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/data/npy.hpp"
#include "bauta/protect/protection.hpp"
#include "made_elsewhere.hpp"
#include "recorded_rows.hpp"

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

/// By what samples are known. Only ids may tell samples of several data sets apart.
enum class By { id, file, order };

/// What belongs to each sample.
struct Found {
  By by = By::order;
  std::vector<std::size_t> rows = {};  ///< of what was made; empty: found by the name of the file, without a table
  std::string remark = {};
};

/// The row of the same `id`, else the one whose record names the sample, else the one of the same `file`, else the one
/// that stands where the sample stands in its own data set.
Found rows_of_same(const Dataset& made, const Dataset& whole, const std::string& where) {
  const auto by_column = [&](const char* name, auto said) -> std::optional<std::vector<std::size_t>> {
    if (!made.labels.has(name) || !whole.labels.has(name)) return std::nullopt;
    std::vector<std::string> own = whole.labels.column(name), theirs = made.labels.column(name);
    for (std::string& text : own) text = said(text);
    for (std::string& text : theirs) text = said(text);
    return places_of(own, theirs, name, where);
  };
  if (auto rows = by_column("id", [](const std::string& text) { return text; })) return {By::id, *std::move(rows)};
  if (auto rows = rows_by_record(made, whole)) return {By::order, *std::move(rows)};
  // Files that were written under names of their own are no names of samples.
  if (auto rows = by_column("file", bare); rows && std::ranges::count(*rows, nowhere) < std::ssize(*rows)) {
    return {By::file, *std::move(rows)};
  }
  if (made.size() != whole.labels.rows_there()) {
    throw_input(where,
                fmt::format("holds {} samples, {} holds {}, and they share neither an 'id' nor a 'file'", made.size(),
                            whole.labels.origin(), whole.labels.rows_there()),
                "a row for each clear sample, in the same order, or a column 'id' on both sides");
  }
  Found found{.remark = fmt::format("{}: samples are taken in the order of {}", where, whole.labels.origin())};
  for (std::size_t row = 0; row < whole.size(); ++row) found.rows.push_back(whole.labels.row_there(row));
  return found;
}

Dataset made_templates(const fs::path& path) {
  if (fs::is_directory(path)) return read_made(path);
  Dataset made;
  made.templates = to_float_templates(read_npy(path));
  made.labels = LabelTable(path.string(), made.templates.rows());
  return made;
}

void tell(const Found& found) {
  if (!found.remark.empty()) warn(found.remark);
}

/// A sample is known by what the labels say of it. One that is not there, or failed there, is lost.
std::unique_ptr<const Protection> made_of(const Dataset& made, Found found, const std::vector<bool>& failed_before,
                                          const std::string& where) {
  if (made.templates.empty()) throw_input(where, "holds no templates");
  const std::vector<bool> failed = made.failed();
  std::ranges::replace_if(
      found.rows, [&](std::size_t row) { return row != nowhere && failed[row]; }, nowhere);
  return std::make_unique<MadeTemplates>(made.templates, std::move(found.rows), failed_before, nothing_made, where);
}

class FromFolder : public Protection {
 public:
  FromFolder(const fs::path& folder, const Dataset& whole) : where_("precomputed:path") {
    if (fs::exists(folder / "labels.csv")) {
      const Dataset made = read_made(folder);
      found_ = rows_of_same(made, whole, folder.string());
      const std::vector<bool> failed = made.failed();
      const auto& files = made.labels.column("file");
      for (const std::size_t row : found_.rows) {
        made_.emplace_back();
        if (row == nowhere || failed[row] || files[row].empty()) continue;
        made_.back().push_back(made.folder / files[row]);
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

  [[nodiscard]] const Found& found() const { return found_; }

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
  Found found_ = {.by = By::file};
  std::vector<std::vector<fs::path>> made_;
};

/// Whichever samples were chosen of it.
bool same_place(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return !a.empty() && fs::weakly_canonical(a, error) == fs::weakly_canonical(b, error) && !error;
}

bool same_sample(const Dataset& a, std::size_t i, const Dataset& b, std::size_t j) {
  if (!a.templates.empty() && !b.templates.empty()) {
    return a.templates.cols() == b.templates.cols() && a.templates.row_bytes(i) == b.templates.row_bytes(j);
  }
  try {
    return a.media && b.media && a.media->digest(i) == b.media->digest(j);
  } catch (const Error&) {
    return false;  // one of them cannot be read
  }
}

/// A sample that was made belongs to one clear sample: the first of `b` that would get one which is another's of `a`.
std::optional<std::size_t> first_shared(const Dataset& a, const Found& of_a, const Dataset& b, const Found& of_b) {
  std::unordered_map<std::size_t, std::size_t> owners;
  for (std::size_t i = 0; i < of_a.rows.size(); ++i) {
    if (of_a.rows[i] != nowhere) owners.emplace(of_a.rows[i], i);
  }
  for (std::size_t j = 0; j < of_b.rows.size(); ++j) {
    const auto owner = of_b.rows[j] == nowhere ? owners.end() : owners.find(of_b.rows[j]);
    if (owner != owners.end() && !same_sample(a, owner->second, b, j)) return j;
  }
  return std::nullopt;
}

/// What was made is known to be of one data set only, unless ids tell the samples of several apart.
void require_apart(const Dataset& a, const Found& of_a, const Dataset& b, const Found& of_b, const std::string& where) {
  if (same_place(a.labels.origin(), b.labels.origin())) return;
  const bool by_files = of_a.by == By::file && of_b.by == By::file;
  if (by_files && same_place(a.folder, b.folder)) return;
  const std::string hint =
      "give every sample of both an `id` of its own, here and there; or name the clear templates that these were made "
      "of (clear=CLEAR.npy); or ask nobody who learns from masked samples of the second";
  if (of_a.by != By::id && of_b.by != By::id) {
    throw_input(where,
                fmt::format("was made of one data set, and {} and {} would both get their samples from it by their {}",
                            a.origin, b.origin, by_files ? "files" : "order"),
                hint);
  }
  if (const auto shared = first_shared(a, of_a, b, of_b)) {
    throw_input(where,
                fmt::format("{} row {} would get what belongs to another sample, of {}", b.origin,
                            b.labels.row_there(*shared) + 1, a.origin),
                hint);
  }
}

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
    if (by_contents(whole)) return found_by_content(path_, clear_, whole, context);
    if (holds_media(whole)) {
      auto made = std::make_unique<FromFolder>(folder_for(whole), whole);
      tell(made->found());
      return made;
    }
    const Dataset made = made_templates(path_);
    const Found found = rows_of_same(made, whole, path_.string());
    tell(found);
    return made_of(made, found, context.failed, path_.string());
  }
  [[nodiscard]] std::vector<std::string> check_all(const std::vector<const Dataset*>& wholes) const override {
    std::vector<Found> all;
    std::vector<std::string> remarks;
    for (const Dataset* whole : wholes) {
      all.push_back(found(*whole));
      if (!all.back().remark.empty()) remarks.push_back(all.back().remark);
    }
    for (std::size_t b = 0; b < wholes.size(); ++b) {
      for (std::size_t a = 0; a < b && !by_contents(*wholes[b]); ++a) {
        require_apart(*wholes[a], all[a], *wholes[b], all[b], path_.string());
      }
    }
    return remarks;
  }
  [[nodiscard]] Guarantee guarantee(const ImageShape&) const override { return unknown_guarantee(); }
  [[nodiscard]] Templates protect(const Templates&, std::size_t, const ProtectContext&) const override {
    BAUTA_ASSERT(false);  // among() has made another of it
  }

 private:
  static bool holds_media(const Dataset& whole) { return whole.templates.empty() && whole.media; }
  [[nodiscard]] bool by_contents(const Dataset& whole) const { return !clear_.empty() && !holds_media(whole); }

  [[nodiscard]] const fs::path& folder_for(const Dataset& whole) const {
    if (fs::is_directory(path_)) return path_;
    throw_usage("precomputed:path", whole.origin + " holds media", "name the folder with masked ones");
  }

  /// Refuses what among() would refuse.
  [[nodiscard]] Found found(const Dataset& whole) const {
    if (by_contents(whole)) {
      (void)found_by_content(path_, clear_, whole, {.failed = whole.failed()});
      return {};
    }
    if (holds_media(whole)) return FromFolder(folder_for(whole), whole).found();
    const Dataset made = made_templates(path_);
    Found found = rows_of_same(made, whole, path_.string());
    (void)made_of(made, found, whole.failed(), path_.string());
    return found;
  }

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
             "known by the same `id`, else by the record of `bauta protect`, else by the same `file`, else by their "
             "order; all but ids know the samples of one data set only"},
            {"clear", ParameterType::file, "",
             "the clear templates that the array was made of (.npy), row by row, where they are not those of the data "
             "set in its order: samples are found there by their contents"},
            {"name", ParameterType::text, "", "what tables and figures call it"}},
       .example = "path=people/templates.npy,clear=people/templates.npy"},
      [](const Parameters& parameters) { return std::make_unique<Precomputed>(parameters); }};
}

}  // namespace bauta
