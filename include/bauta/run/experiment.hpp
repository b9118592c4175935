// The experiment file: TOML with fixed sections and keys, where a list in place of a value makes a grid. Unknown keys
// are errors.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bauta/data/dataset.hpp"
#include "bauta/protocol/pep.hpp"
#include "bauta/protocol/selection.hpp"
#include "bauta/question/choosing.hpp"
#include "bauta/question/question.hpp"

namespace bauta {

struct DataReference {
  std::filesystem::path path;
  ReadOptions options;
};

/// A grid over parameters of a technique.
struct Sweep {
  struct Axis {
    std::string name;
    std::vector<std::string> values;
  };
  std::vector<Axis> axes;
  std::vector<std::string> techniques;  ///< one per point of the grid, the last axis fastest
};

struct Experiment {
  DataReference target;
  DataReference attacker;    ///< empty path: no attack across data bases, only recognition is measured
  DataReference dev;         ///< what estimators are tuned on; empty: a share of the attackers' subjects
  DataReference fit;         ///< what learning protections are fitted on; its subjects are nowhere else
  DataReference background;  ///< people whom representations are learned from
  std::vector<std::string> techniques;
  std::vector<Sweep> sweeps;  ///< around the first technique that does something; closed set only
  Setting setting;            ///< `techniques` there include those of the sweeps
  std::optional<Pep> pep;     ///< empty: across data bases, or a closed set
  bool closed_set = false;
  double test_share = 0.25;  ///< of each identity's samples, in a closed set
  std::size_t repeats = 0;   ///< rotations of the protocol that are run (0: all); of a closed set, so many splits
  std::vector<Selection> selections = {{}};  ///< of the people who take part, each by itself
  Choosing choosing;                         ///< by whom and what they are chosen, where not by chance
  bool strict = false;                       ///< near-duplicates between parts stop the run
  std::string title;

  /// Every setting, defaults included, as results and reports repeat it.
  [[nodiscard]] Json resolved() const;
};

/// Names of the [variant.NAME] tables of a file, in its order; empty: it is one experiment.
std::vector<std::string> experiment_variants(const std::filesystem::path& path);

/// `overrides`: "a.b=c" texts that replace a key before it is checked. Paths are relative to the experiment file.
/// `variant`: the table whose settings replace those of the file before that; in a file with variants one is needed.
Experiment read_experiment(const std::filesystem::path& path, const std::vector<std::string>& overrides = {},
                           const std::string& variant = {});

}  // namespace bauta
