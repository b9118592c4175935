// Settings: the output of one technique in one representation, with all that was found of it.
#pragma once

#include <string>
#include <vector>

#include "chapter.hpp"

namespace bauta::report {

using Findings = std::vector<const Finding*>;

struct Setting {
  Series series;
  std::string representation;  ///< empty where templates were given
  std::string name;            ///< short: what tells it from the run's others
  Cells cells = {};
  const std::vector<Strongest>* ranking = nullptr;  ///< of its run

  [[nodiscard]] Findings findings(const auto& wanted) const {
    Findings out;
    for (const Cell* cell : cells) {
      for (const Finding& finding : cell->findings) {
        if (wanted(finding)) out.push_back(&finding);
      }
    }
    return out;
  }
};

using Settings = std::vector<Setting>;

/// In order of appearance; with cells of these questions only, where any are named.
Settings settings_of(const RunResults& run, const Names& questions = {});
Settings settings_of(const Runs& runs, const Names& questions);
/// Those that are protected indeed, without the clear data beside them.
Settings protected_only(Settings settings);
/// The first that the card's headline is about, or null: the same technique and people, and the same representation
/// where both have one.
const Setting* headline_setting(const Settings& settings, const Card& card);
/// Representations in order of appearance; one empty name where templates were given.
Names representations_of(const Settings& settings);

/// A row with run, technique and representation under the setting's short name.
Row setting_row(Table& table, const Setting& setting);

/// A setting at its place in a sweep.
struct Stop {
  Json x;
  std::string line;  ///< what else is varied
  const Setting* setting = nullptr;
};

}  // namespace bauta::report
