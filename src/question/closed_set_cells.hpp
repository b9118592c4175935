// Questions that are asked of a closed set once per technique and representation: their cells, and their data.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bauta/question/question.hpp"
#include "standings.hpp"

namespace bauta {

/// Media of which nothing makes templates that are not a recogniser's own.
bool without_templates(const Setting& setting);

/// None outside a closed set, and none without templates.
std::vector<Asked> closed_set_cells(const Setting& setting, const Views& views, const std::string& technique,
                                    const std::string& question, const Json& parameters);

/// What is learned from and what is judged in one repetition, without samples that failed; whoever is then unknown is
/// not judged.
struct ClosedSetData {
  Dataset enrol, probe;                                     ///< clear
  std::optional<Dataset> protected_enrol, protected_probe;  ///< the same rows; empty: the technique does nothing
  People people = {};                                       ///< who is judged, by names that hold in all repetitions
  std::size_t failures = 0, masked_failures = 0;            ///< samples lost, and those lost only when they are masked

  /// What is judged.
  [[nodiscard]] const Dataset& judged() const { return protected_probe ? *protected_probe : probe; }
};

/// Shows one repetition after the other. Gives what all of them hold together, for values: records, train_records,
/// failures, split and, where there are any, masked_failures and repetitions.
Json each_repetition(const Asked& asked, Views& views,
                     const std::function<void(const ClosedSetData& data, std::size_t repetition)>& look);

}  // namespace bauta
