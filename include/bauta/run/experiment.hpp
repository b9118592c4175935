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
  std::vector<std::string> attributes;
  std::vector<std::string> techniques = {"none"};
  std::vector<SimilarityRule> rules;
  std::vector<std::size_t> n = {1, 5, 11, 51};
  std::vector<double> fmr = {0.1, 0.01, 0.001};
  std::size_t bootstrap = 1000;
  std::string title;

  /// Every setting, defaults included, as results and reports repeat it.
  [[nodiscard]] Json resolved() const;
};

/// `overrides`: "a.b=c" texts that replace a key before it is checked. Paths are relative to the experiment file.
Experiment read_experiment(const std::filesystem::path& path, const std::vector<std::string>& overrides = {});

}  // namespace bauta
