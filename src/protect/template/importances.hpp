// How much each feature tells about an attribute.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/data/dataset.hpp"
#include "bauta/learn/forest.hpp"

namespace bauta {

/// An attribute with the samples that it is known of.
struct AttributeTarget {
  std::string name;
  std::vector<std::size_t> rows = {};
  std::vector<std::int32_t> codes = {};
  std::size_t classes = 0;  ///< 0: numbers
  std::vector<double> numbers = {};
};

/// Samples that did not fail.
std::vector<bool> usable_samples(const Dataset& dataset);

/// Classes of a column, or numbers of a continuous one; samples of `usable` only. An input error where there are fewer
/// than two classes or samples.
AttributeTarget target_of(const Dataset& train, const std::string& attribute, const std::vector<bool>& usable,
                          std::string_view technique);

/// By a forest of classes or of numbers; row i of `x` is sample target.rows[i].
std::vector<double> forest_importances(MatrixView<const float> x, const AttributeTarget& target,
                                       const ForestOptions& options);

/// Fisher score: the variance of class means over the mean variance within classes, classes weighed by their samples.
/// Infinite where only the class makes the feature vary, 0 where nothing does.
std::vector<double> fisher_scores(MatrixView<const float> x, const AttributeTarget& target);

}  // namespace bauta
