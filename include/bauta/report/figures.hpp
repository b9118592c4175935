// Figures as Vega-Lite specifications with their data inline. The page, figures/*.vl.json and figures/*.svg all show
// the same specification.
#pragma once

#include <string>
#include <vector>

#include "bauta/report/results.hpp"

namespace bauta::report {

struct Figure {
  std::string name;  ///< file name without ending
  std::string title;
  std::string alt;      ///< what a person who cannot see the figure needs to know
  std::string caption;  ///< how to read it; also names what could not be drawn
  Json spec;
  bool secondary = false;  ///< on other data than the first; folded away until somebody asks
};

/// ROC and DET per data set.
std::vector<Figure> curve_figures(const std::vector<RunResults>& runs);
/// Mated and non-mated score densities, and non-mated ones of the same and of a different attribute, per technique.
std::vector<Figure> score_figures(const std::vector<RunResults>& runs);
/// Attack success per rule and n, one figure per attribute.
std::vector<Figure> attack_figures(const std::vector<RunResults>& runs);
/// Every estimator on every technique, one figure per attribute.
std::vector<Figure> estimator_figures(const std::vector<RunResults>& runs);
/// Balanced accuracy against training identities, one figure per attribute.
std::vector<Figure> learning_figures(const std::vector<RunResults>& runs);
/// What each attack found of leaks of known size, one figure per attribute.
std::vector<Figure> control_figures(const std::vector<RunResults>& runs);
/// Attribute error against recognition error with lines of equal PIC, one figure per attribute.
std::vector<Figure> tradeoff_figures(const std::vector<RunResults>& runs);
/// Utility and identity mixture of anonymised settings (S2, Fig. 1 to 8), each run's own.
std::vector<Figure> anonymity_figures(const std::vector<RunResults>& runs);
/// Data flow of each run's protocol.
std::vector<Figure> protocol_figures(const std::vector<RunResults>& runs);

}  // namespace bauta::report
