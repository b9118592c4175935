// Labels that leave the house: no value, and no combination of values, that belongs to a few people only.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bauta/data/dataset.hpp"
#include "bauta/run/release.hpp"

namespace bauta {

struct ReleasedLabels {
  LabelTable values;              ///< of the columns, a row per record that is released
  std::vector<std::size_t> rows;  ///< of the data set that these are, in their order
  LabelRisk risk;
};

/// Values of `columns` of these rows, in this order, under the rule. A usage error where it refuses: it counts, and
/// never names a value.
ReleasedLabels released_labels(const Dataset& dataset, const std::vector<std::string>& columns,
                               const std::vector<std::size_t>& rows, const ReleaseRule& rule);

}  // namespace bauta
