// The strongest attackers as results.json ranks them. Nothing is ranked again here.
#pragma once

#include "bauta/measure/ranking.hpp"
#include "series.hpp"
#include "values.hpp"

namespace bauta::report {

/// The strongest attacker against one technique and target, with a name for people.
struct Strongest : RankedTarget {
  Series series = {};
  std::string unmasked = "clear data";  ///< what data are without the technique, which masks may have gone before

  /// The value with the interval that allows for the choice.
  [[nodiscard]] Measured value() const { return {strongest.value, ci ? ci : strongest.ci}; }
  /// The strongest attacker on clear data, chosen anew; the same attacker where nobody was chosen.
  [[nodiscard]] Measured on_clear() const {
    if (gain.on_clear) return {gain.on_clear->value, gain.on_clear->ci};
    return strongest.clear ? Measured{strongest.clear->value, strongest.clear->ci} : Measured{};
  }
  /// Whose level that is.
  [[nodiscard]] std::string on_clear_name() const {
    return gain.on_clear ? unmasked : "the same attacker on " + unmasked;
  }
  [[nodiscard]] bool same_target(const Strongest& other) const {
    return series.run == other.series.run && technique == other.technique && people == other.people &&
           about == other.about && attribute == other.attribute;
  }
};

}  // namespace bauta::report
