// What classifiers learn from protected data: trained on the attacker's, tested on the target's.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bauta/data/dataset.hpp"
#include "bauta/learn/tuning.hpp"
#include "bauta/measure/usual.hpp"
#include "bauta/question/attack_data.hpp"
#include "bauta/question/attribute_classes.hpp"

namespace bauta {

/// Calls `compute`, unless what it gives is known from before. `key` says what is computed, besides the data: `clear`
/// whether on clear data.
using Remember = std::function<Json(const Json& key, const std::function<Json()>& compute)>;

/// The steps that were asked for or, where none were, those that fit the arrangement.
std::string preparation_in(const Arrangement& arrangement, const std::string& asked);

struct EstimateRun {
  std::string attribute;
  std::vector<std::string> estimators = {"logistic", "random-forest", "knn"};  ///< specifications
  std::string preparation = "unit";                                            ///< steps, fitted on training data only
  std::vector<double> edges = {};  ///< between classes of a continuous attribute; empty: tertiles of the training data
  std::string search = {};         ///< tuning: grid, random, bayesian; empty: none
  std::size_t trials = TuningOptions().trials;  ///< of the search
  bool controls = false;        ///< also the floor with exchanged labels and planted leaks, in the first rotation
  bool learning_curve = false;  ///< also with shares of the training subjects, in the first rotation
  std::size_t bootstrap = usual_draws;
  std::uint64_t seed = 1;
  Remember remember = [](const Json&, const std::function<Json()>& compute) { return compute(); };
};

/// Codes are learned from as classes, not as numbers. Guesses weigh every class alike, whatever its share in the
/// training data. Guesses of all rotations are pooled. Fields as promised for `attack estimate --json`.
Answer run_estimate(const AttackData& data, const EstimateRun& run);
Answer run_estimate(const Dataset& train, const Dataset& test, const EstimateRun& run);

}  // namespace bauta
