// What a run left behind, read from RUN/results.json. Anything may be missing: what is absent or of the wrong kind is
// empty here, and what no chapter asks for ends up in the rest of the page, so that nothing is hidden.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bauta/measure/finding.hpp"
#include "ranking.hpp"
#include "series.hpp"
#include "values.hpp"

namespace bauta::report {

/// One question that was asked and answered.
struct Cell {
  std::string question, attribute;
  Json key;
  Series series;
  std::vector<Finding> findings;
  Values values;

  /// The series without fields of the key that are shown elsewhere.
  [[nodiscard]] Series series_without(const Names& shown_elsewhere) const;
};

using Cells = std::vector<const Cell*>;

/// A grid of settings: the first axis is drawn along x, further ones are series.
struct Sweep {
  struct Axis {
    std::string name;
    Names values;
  };
  std::vector<Axis> axes;
  Names techniques;  ///< last axis fastest

  /// The setting's place on each axis.
  [[nodiscard]] std::vector<std::size_t> place(std::size_t technique) const;
  /// "g = 8, w = 10": its values from this axis on.
  [[nodiscard]] std::string values_text(std::size_t technique, std::size_t from = 0) const;
};

struct FailedCell {
  std::string run, key, error;
};

struct RunResults {
  std::string name;      ///< the folder's
  bool several = false;  ///< other runs stand on the same page
  std::string version, title;
  Number seed;
  std::size_t asked = 0;                ///< cells, finished or not
  std::vector<Cell> cells, unanswered;  ///< of the second only remarks tell
  std::vector<FailedCell> failed;
  std::vector<Strongest> ranking;
  std::optional<Strongest> headline;
  std::vector<Sweep> sweeps;
  Json experiment, protocol, release, near_duplicates, people, lost;  ///< as they stand in the file
  Json techniques;              ///< the same, under the names that the page has for them
  std::string release_verdict;  ///< empty where nothing was released
  Names earlier_masks;  ///< what the data say that they went through before the run, the last one first
  Names remarks;
  Json rest = Json::array();  ///< fields and cells without a place

  /// "name: text" where other runs stand beside it.
  [[nodiscard]] std::string prefixed(const std::string& text) const { return several ? name + ": " + text : text; }
  /// File name of its own where other runs stand beside it.
  [[nodiscard]] std::string file_name(const std::string& name) const;
  /// Findings of its cells that a condition holds for.
  [[nodiscard]] std::vector<const Finding*> findings(const auto& wanted) const {
    std::vector<const Finding*> out;
    for (const Cell& cell : cells) {
      for (const Finding& finding : cell.findings) {
        if (wanted(finding)) out.push_back(&finding);
      }
    }
    return out;
  }
};

using Runs = std::vector<RunResults>;

/// Cells of these questions. Fields that are left out on purpose count as shown.
Cells cells_of(const RunResults& run, const Names& questions, std::initializer_list<const char*> left_out = {});
Cells cells_of(const Runs& runs, const Names& questions, std::initializer_list<const char*> left_out = {});

/// Where a folder has no results of its own but sub-folders that have, the variants of an experiment, those sub-folders
/// in sorted order; the folder itself otherwise.
std::vector<std::filesystem::path> with_variants(const std::vector<std::filesystem::path>& folders);

/// Reads every RUN/results.json. An input error names the file and what is wrong with it.
Runs read_runs(const std::vector<std::filesystem::path>& folders);
/// One document, already in memory.
RunResults read_results(const Json& document, const std::string& name, bool several = false);

}  // namespace bauta::report
