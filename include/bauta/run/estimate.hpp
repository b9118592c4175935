// What classifiers learn from protected data: trained on the attacker's, tested on the target's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bauta/data/dataset.hpp"
#include "bauta/run/json.hpp"

namespace bauta {

struct EstimateRun {
  std::string attribute;
  std::vector<std::string> estimators = {"logistic", "random-forest", "knn"};  ///< specifications
  std::string preparation = "unit";                                            ///< steps, fitted on training data only
  std::size_t bootstrap = 1000;
  std::uint64_t seed = 1;
};

/// Both data sets are protected alike, or not at all. Codes are learned from as classes, not as numbers. Guesses weigh
/// every class alike, whatever its share in the training data. Fields as promised for `attack estimate --json`.
Json run_estimate(const Dataset& train, const Dataset& test, const EstimateRun& run);

}  // namespace bauta
