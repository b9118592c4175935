// Figures 8 to 19 of Hanisch et al. (S4) from the cells of a run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figure.hpp"
#include "named.hpp"

namespace bauta::report {

/// The end of a caption that names its counterparts in the paper, which are about faces or gaits, whatever is shown here;
/// empty where there are none.
std::string counterparts(std::string_view figures);

/// Every recogniser against every technique (Fig. 8, 9); empty where there is one recogniser.
Figure recogniser_figure(const RunResults& run, const std::vector<NamedCell>& cells);
/// What happens among fewer people, technique by technique, a panel for each way to choose them (Fig. 10, 11, 14, 15,
/// 17, 19); one figure per recogniser.
std::vector<Figure> people_figures(const RunResults& run, const std::vector<NamedCell>& cells);
/// Ways to choose people, as means over techniques, before the range of the random choices (Fig. 12, 13, 16, 18).
std::vector<Figure> choice_figures(const RunResults& run, const std::vector<NamedCell>& cells);

}  // namespace bauta::report
