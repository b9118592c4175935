// The report as one HTML page.
#pragma once

#include <string>
#include <vector>

#include "results.hpp"
#include "section.hpp"
#include "wording.hpp"

namespace bauta::report {

struct Report {
  Runs runs;
  std::vector<Card> cards;  ///< one per run
  std::vector<Section> sections;

  [[nodiscard]] std::vector<const Table*> tables() const;
  [[nodiscard]] std::vector<const Figure*> figures() const;
};

/// Takes what the chapters write of the runs. What none of them asked for stays in the runs' rest. `parameters`: what
/// those of techniques are.
Report make_report(Runs runs, const std::vector<Definition>& parameters = {});

/// Complete HTML: nothing is loaded from anywhere, and a content security policy keeps it that way. Every text that
/// comes from a run is escaped.
std::string render_page(const Report& report);

/// Runs, remarks, and definitions of the words that sections use.
Section method_section(const Report& report);
/// What the runs recorded and no chapter asked for, folded away; empty where there is nothing.
std::string rest_section(const Runs& runs);

}  // namespace bauta::report
