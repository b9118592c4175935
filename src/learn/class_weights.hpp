// How much a sample of each class counts while something is learned.
#pragma once

#include <vector>

#include "bauta/core/declaration.hpp"
#include "occurring_classes.hpp"

namespace bauta {

inline Parameter weight_parameter() {
  return {.name = "weight",
          .type = ParameterType::choice,
          .default_value = "none",
          .doc =
              "what samples count: all alike, or all classes together alike (samples / (classes * samples of the "
              "class))",
          .choices = {"none", "balanced"}};
}

/// One per class, 0 for those that do not occur; empty where all samples count alike.
inline std::vector<double> class_weights(const Parameters& parameters, const OccurringClasses& classes) {
  std::vector<double> weights;
  if (parameters.text("weight") == "none") return weights;
  std::size_t samples = 0;
  for (const std::size_t count : classes.counts()) samples += count;
  weights.assign(classes.all(), 0);
  for (const std::size_t code : classes.codes()) {
    weights[code] = static_cast<double>(samples) / static_cast<double>(classes.count() * classes.counts()[code]);
  }
  return weights;
}

}  // namespace bauta
