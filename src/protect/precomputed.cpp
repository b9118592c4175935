// What was made of the samples already, by whatever means: arrays beside the clear ones, or folders of masked media.
#include <algorithm>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
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

class FromFolder : public Protection {
 public:
  FromFolder(const fs::path& folder, const Dataset& whole) : where_("precomputed:folder") {
    if (!whole.labels.has("file")) throw_usage(where_, whole.origin + " has no column 'file' to find media by");
    std::map<std::string, std::vector<fs::path>> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) files[bare(fs::relative(entry.path(), folder))].push_back(entry.path());
    }
    for (const std::string& file : whole.labels.column("file")) {
      const auto found = file.empty() ? files.end() : files.find(bare(file));
      made_.push_back(found == files.end() ? std::vector<fs::path>() : found->second);
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
  std::string where_;
  std::vector<std::vector<fs::path>> made_;
};

class Precomputed : public Protection {
 public:
  explicit Precomputed(const Parameters& parameters)
      : path_(parameters.text("path")), clear_(parameters.text("clear")), folder_(parameters.text("folder")) {
    if (folder_.empty() == path_.empty() || path_.empty() != clear_.empty()) {
      throw_usage("precomputed", "names nothing that was made",
                  "templates: precomputed:path=MADE.npy,clear=CLEAR.npy; media: precomputed:folder=FOLDER");
    }
  }

  void check(const Templates& input, const std::string& where, const ProtectContext&) const override {
    require_floats(input, "precomputed", where);
  }
  [[nodiscard]] std::unique_ptr<const Protection> on(const Dataset& whole, const std::vector<std::string>&,
                                                     const ProtectContext& context) const override {
    const bool media = whole.templates.empty() && whole.media;
    if (media != path_.empty()) {
      throw_usage(
          "precomputed", fmt::format("{} holds {}", whole.origin, media ? "media" : "templates"),
          media ? "name the folder with masked ones: folder=FOLDER" : "name two arrays: path=MADE.npy,clear=CLEAR.npy");
    }
    if (media) return std::make_unique<FromFolder>(folder_, whole);
    return std::make_unique<FromArrays>(path_, clear_, whole, context);
  }
  [[nodiscard]] Templates protect(const Templates&, std::size_t, const ProtectContext&) const override {
    BAUTA_ASSERT(false);  // on() has made another of it
  }

 private:
  fs::path path_, clear_, folder_;
};

}  // namespace

Entry<Protection> precomputed_protection() {
  return {
      {.name = "precomputed",
       .paper = "",
       .doc = "what somebody has made of the samples already: rows of an array beside the clear ones, or a folder of "
              "masked media",
       .medium = "any",
       .claim = "what its makers say",
       .broken_by = "nobody knows yet",
       .parameters = {{"path", ParameterType::file, "", "templates that were made (.npy)"},
                      {"clear", ParameterType::file, "",
                       "the clear templates that they were made of (.npy), row by row; samples are found there by "
                       "their contents"},
                      {"folder", ParameterType::folder, "",
                       "masked media under the names of the clear ones; extensions may differ"}},
       .example = "path=people/templates.npy,clear=people/templates.npy"},
      [](const Parameters& parameters) { return std::make_unique<Precomputed>(parameters); }};
}

}  // namespace bauta
