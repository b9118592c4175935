// Identification cells, person by person: what differences between them are made of.
#pragma once

#include <string>
#include <vector>

#include "bauta/measure/people_contrast.hpp"
#include "results.hpp"

namespace bauta::report {

/// How the people of a cell were chosen; all empty: everybody.
struct Choice {
  std::string way, looked_at, size;

  [[nodiscard]] bool everybody() const { return size.empty(); }
  /// "classification on masked", "random".
  [[nodiscard]] std::string name() const { return looked_at.empty() ? way : way + " on " + looked_at; }
};

struct NamedCell {
  const Finding* finding = nullptr;
  std::string technique, system, adversary;  ///< system: recogniser, with its representation where there are several
  bool unprotected = false;
  Choice choice;
  double enrolled = 0;  ///< people, in one repetition
  std::vector<PersonHits> people;
  std::vector<double> repeats;  ///< rate in each repetition

  [[nodiscard]] double rate() const { return finding->value; }
  [[nodiscard]] double chance() const { return finding->chance.value_or(0); }
};

/// Cells that tell about people; who undid the protection first stays out of it.
std::vector<NamedCell> named_cells(const RunResults& run);

/// Whose knowledge is the fullest short of undoing: who retrained (the paper's parrot, where something is learned from
/// other people), else the parrot, else who is like them; empty: nobody learned from masked samples only.
std::string informed_adversary(const std::vector<NamedCell>& cells);

}  // namespace bauta::report
