// Recognition: whether two samples are of one person.
#pragma once

#include <string>
#include <vector>

#include "chapter.hpp"

namespace bauta::report {

/// Distinct data sets, in order of appearance.
Names data_sets(const Cells& cells);
Cells cells_on(const std::string& data, const Cells& cells);
/// Operating points: the false non-match rate at a false match rate that the data can resolve.
inline bool is_resolvable(const Json& point) {
  return flag_of(field(point, "resolvable")).value_or(true);
}

/// ROC and DET per data set.
std::vector<Figure> curve_figures(const Cells& cells, const SeriesStyle& style);
/// Mated and non-mated score densities, and non-mated ones of the same and of a different attribute, per technique.
std::vector<Figure> score_figures(const Cells& cells);

}  // namespace bauta::report
