// The experiment file: TOML with fixed sections and keys, where a list in place of a value makes a grid. Unknown keys
// are errors.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "bauta/attack/similarity.hpp"
#include "bauta/data/dataset.hpp"
#include "bauta/run/json.hpp"

namespace bauta {

struct DataReference {
  std::filesystem::path path;
  ReadOptions options;
};

struct Experiment {
  DataReference target;
  DataReference attacker;  ///< empty path: no attack across data bases, only recognition is measured
  DataReference fit;       ///< what learning protections are fitted on; its subjects are nowhere else
  std::vector<std::string> attributes;
  std::vector<std::string> hide;  ///< what learning protections hide; default: the attributes
  std::vector<std::string> techniques = {"none"};
  std::vector<SimilarityRule> rules;
  std::vector<std::size_t> n = {1, 5, 11, 51};
  std::vector<double> decision_fmr;     ///< similarity attack with decisions only, at these false match rates
  std::vector<std::string> estimators;  ///< specifications
  std::vector<std::string> recoveries;  ///< specifications
  std::size_t enrolments = 10;          ///< of each sample, for recoveries that need several
  std::vector<std::size_t> queries;     ///< of the online attack; empty: none
  std::vector<double> fmr = {0.1, 0.01, 0.001};
  std::size_t bootstrap = 1000;
  bool unlinkability = false;  ///< of keyed protections, across two applications
  std::string title;

  /// Every setting, defaults included, as results and reports repeat it.
  [[nodiscard]] Json resolved() const;
};

/// `overrides`: "a.b=c" texts that replace a key before it is checked. Paths are relative to the experiment file.
Experiment read_experiment(const std::filesystem::path& path, const std::vector<std::string>& overrides = {});

}  // namespace bauta
