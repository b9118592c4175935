// Probabilities that mean what they say: scores of samples that were not learned from are mapped to the shares of the
// classes among them, as scikit-learn's CalibratedClassifierCV(cv=5, ensemble=False) does.
#pragma once

#include <vector>

#include "bauta/learn/estimator.hpp"

namespace bauta {

/// Adds the parameter `calibration`, which every estimator has, and what it does.
Entry<Estimator> with_calibration(Entry<Estimator> entry);

/// Folds of about equal size and shares of the classes. Without subjects they are blocks in the order of the rows,
/// dealt out as scikit-learn's StratifiedKFold does; with subjects all rows of one are in the same fold.
std::vector<std::size_t> calibration_folds(std::span<const std::int32_t> codes, std::size_t classes, std::size_t folds,
                                           const FitOptions& options);

}  // namespace bauta
