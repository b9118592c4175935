// Questions that are asked of a closed set once per technique and representation: their cells, and their data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bauta/question/question.hpp"

namespace bauta {

/// Media of which nothing makes templates that are not a recogniser's own.
bool without_templates(const Setting& setting);

/// None outside a closed set, and none without templates.
std::vector<Asked> closed_set_cells(const Setting& setting, const Views& views, const std::string& technique,
                                    const std::string& question, const Json& parameters);

/// What is learned from and what is judged, without samples that failed; whoever is then unknown is not judged.
struct ClosedSetData {
  Dataset enrol, probe;                                     ///< clear
  std::optional<Dataset> protected_enrol, protected_probe;  ///< the same rows; empty: the technique does nothing
  Json counts;                                              ///< records, train_records, failures and split, for values

  /// What is judged.
  [[nodiscard]] const Dataset& judged() const { return protected_probe ? *protected_probe : probe; }
};

ClosedSetData closed_set_data(const Asked& asked, Views& views);

}  // namespace bauta
