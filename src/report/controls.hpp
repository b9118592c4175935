// Whether attacks can be trusted: what each found of leaks of known size, and where there was nothing to find.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "series.hpp"
#include "values.hpp"

namespace bauta::report {

/// A leak of known size that was planted, and whether the attack saw it.
struct Planted {
  Number size;  ///< balanced accuracy of an attacker who knows what was planted; absent for the null control
  Measured balanced;
  bool found = false;
};

struct Controls {
  std::optional<Planted> null;
  std::vector<Planted> planted;  ///< in order of size
  Number smallest;               ///< the smallest planted leak that was found

  [[nodiscard]] bool empty() const { return !null && planted.empty(); }
};

Controls read_controls(const Json& values);

/// An attack and what speaks for it; chapters hand theirs in.
struct Controlled {
  Series series;
  std::string question, attribute;
  std::string attack;  ///< in full
  std::string name;    ///< in figures
  Number chance;
  std::optional<bool> healthy;
  Controls controls;
};

}  // namespace bauta::report
