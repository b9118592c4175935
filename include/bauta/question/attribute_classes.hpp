// What is guessed of an attribute: its classes; of a number also the number itself.
#pragma once

#include <string>
#include <vector>

#include "bauta/data/dataset.hpp"

namespace bauta {

struct AttributeClasses {
  std::string attribute;
  bool continuous = false;
  std::vector<double> edges = {};  ///< of a continuous attribute: class c holds edges[c - 1] <= value < edges[c]
};

/// A continuous attribute is cut at `edges` (ascending) or, where there are none, at the tertiles of the labelled
/// samples of `data`. Edges for an attribute that is no number: usage error.
AttributeClasses attribute_classes(const Dataset& data, const std::string& attribute, std::vector<double> edges = {});

/// The data set with classes ("1: below 26", "2: 26 to 45", ...) in place of the numbers of a continuous attribute.
Dataset with_classes(Dataset data, const AttributeClasses& classes);

}  // namespace bauta
