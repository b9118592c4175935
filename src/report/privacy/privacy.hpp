// What the protection took from the attacker beside what it took from recognition (S1).
#pragma once

#include <string>
#include <vector>

#include "chapter.hpp"

namespace bauta::report {

/// The error of the strongest attacker, protected and on clear data: the distance from certainty.
double attacker_error(const Strongest& entry);
Number attacker_error_on_clear(const Strongest& entry);

/// Attacker's error against recognition error with lines of equal PIC, one figure per target.
std::vector<Figure> tradeoff_figures(const Runs& runs, const SeriesStyle& style);

}  // namespace bauta::report
