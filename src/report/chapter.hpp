// One question's part of the report: it reads the cells of that question and writes its tables, figures and sections.
// What of a cell no chapter asks for is shown at the end of the page.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "figure_style.hpp"
#include "results.hpp"
#include "section.hpp"
#include "wording.hpp"

namespace bauta::report {

/// An attack and what speaks for it; chapters hand theirs in.
struct Controlled {
  Series series;
  std::string question, attribute;
  std::string attack;  ///< in full
  std::string name;    ///< in figures
  Number chance;
  std::optional<bool> healthy;
  Json control;  ///< "null", "planted" and the "smallest" planted leak that was found
};

/// What chapters share with each other.
struct Shared {
  const Runs& runs;
  const std::vector<Definition>& parameters;  ///< what those of techniques are
  SeriesStyle style{runs};                    ///< a technique looks the same in every figure
  Names attackers = {};                       ///< attackers that have a look of their own, in order
  std::vector<Controlled> controls = {};      ///< whether attacks can be trusted
};

struct Chapter {
  /// In the order of the page; sections without parts are left out.
  std::vector<Section> (*write)(const Shared& shared);
  /// Adds what other chapters need to know; comes before all else.
  void (*share)(Shared& shared) = nullptr;
  /// Adds to the card at the top of the page what this chapter knows about the run's headline.
  void (*tell)(const RunResults& run, Card& card) = nullptr;
};

/// One figure per attribute that cells are about, made of all cells.
std::vector<Figure> per_attribute(const Cells& cells, const auto& make, const SeriesStyle& style) {
  Names attributes;
  for (const Cell* cell : cells) add_once(attributes, attribute_of(*cell));
  std::vector<Figure> out;
  for (const std::string& attribute : attributes) out.push_back(make(attribute, cells, style));
  return out;
}

/// All chapters, in the order of the page.
std::vector<Chapter> all_chapters();

}  // namespace bauta::report
