// The report as one HTML page.
#pragma once

#include <string>
#include <vector>

#include "bauta/report/figures.hpp"
#include "bauta/report/results.hpp"
#include "bauta/report/table.hpp"

namespace bauta::report {

struct Report {
  std::vector<RunResults> runs;
  Table summary, recognition, leakage, attacks, estimators, health, regression, privacy, protocol, decisions, linkage,
      recovery, anonymity, reidentifiers, clear_levels, settings;
  std::vector<Figure> curves, scores, successes, estimations, learning, controls, tradeoffs, protocols, anonymities;

  /// Tables that have rows.
  [[nodiscard]] std::vector<Table> tables() const;
  [[nodiscard]] std::vector<Figure> all_figures() const;
};

Report make_report(std::vector<RunResults> runs);

/// Complete HTML: nothing is loaded from anywhere, and a content security policy keeps it that way. Every text that
/// comes from a run is escaped.
std::string render_page(const Report& report);

}  // namespace bauta::report
