// Figures as SVG files, drawn by node with the same Vega that is inlined in the page.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "figure.hpp"

namespace bauta::report {

/// Figure name -> SVG text. Where node is missing or fails, a warning says so and the map is empty: the page needs no
/// SVG.
std::map<std::string, std::string> render_svg(const std::vector<const Figure*>& figures);

}  // namespace bauta::report
