// The experiment file: TOML with fixed sections and keys, where a list in place of a value makes a grid. Unknown keys
// are errors.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bauta/attack/similarity.hpp"
#include "bauta/data/dataset.hpp"
#include "bauta/protocol/pep.hpp"
#include "bauta/run/json.hpp"

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
  DataReference attacker;  ///< empty path: no attack across data bases, only recognition is measured
  DataReference dev;       ///< what estimators are tuned on; empty: a share of the attacker's subjects
  DataReference fit;       ///< what learning protections are fitted on; its subjects are nowhere else
  std::vector<std::string> attributes;
  std::vector<std::string> hide;                       ///< what learning protections hide; default: the attributes
  std::map<std::string, std::vector<double>> classes;  ///< edges between classes of continuous attributes
  std::map<std::string, double> keep;        ///< additional attributes whose utility counts, with their weights
  std::vector<std::string> representations;  ///< extractors of media; closed set only
  std::vector<std::string> techniques = {"none"};
  std::vector<Sweep> sweeps;  ///< around the first technique that does something; closed set only
  std::optional<Pep> pep;     ///< empty: across data bases, or a closed set
  bool closed_set = false;
  double test_share = 0.25;  ///< of each identity's samples, in a closed set
  std::size_t repeats = 0;   ///< rotations of the protocol that are run; 0: all
  bool strict = false;       ///< near-duplicates between parts stop the run
  std::vector<SimilarityRule> rules;
  std::vector<std::size_t> n = {1, 5, 11, 51};
  std::vector<double> decision_fmr;     ///< similarity attack with decisions only, at these false match rates
  std::vector<std::string> estimators;  ///< specifications
  std::string preparation = "unit";     ///< steps before learning; under a protocol "unit,zscore"
  std::string search;                   ///< how estimators are tuned: grid, random, bayesian; empty: not
  std::size_t trials = 20;              ///< of the search
  bool controls = true;                 ///< floor and planted leaks for every estimator and attack
  bool learning_curve = false;
  std::vector<std::string> recoveries;  ///< specifications
  std::size_t enrolments = 10;          ///< of each sample, for recoveries that need several
  std::vector<std::size_t> queries;     ///< of the online attack; empty: none
  std::vector<double> fmr = {0.1, 0.01, 0.001};
  std::vector<std::string> recognisers = {"mlp", "lda"};  ///< estimators that name identities
  std::vector<std::size_t> top = {1, 2, 5, 10, 20, 50};   ///< k of the mixture at k
  double temperature = 1;                                 ///< of the softmax of cosines
  std::size_t bootstrap = 1000;
  bool unlinkability = false;  ///< of keyed protections, across two applications
  std::string title;

  /// Techniques and what sweeps make of them, each once.
  [[nodiscard]] std::vector<std::string> all_techniques() const;
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
