// A figure as a Vega-Lite specification with its data inline. The page, figures/*.vl.json and figures/*.svg all show
// the same specification.
#pragma once

#include <string>
#include <vector>

#include "values.hpp"

namespace bauta::report {

struct Figure {
  std::string name;  ///< file name without ending
  std::string title;
  std::string alt;         ///< what a person who cannot see the figure needs to know
  std::string caption;     ///< how to read it; also names what could not be drawn
  Json spec = {};          ///< null where there is nothing to draw
  bool secondary = false;  ///< on other data than the first; folded away until somebody asks
};

}  // namespace bauta::report
