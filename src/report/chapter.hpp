// One question's part of the report: it reads the cells of that question and writes its tables, figures and sections.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "controls.hpp"
#include "figure_style.hpp"
#include "results.hpp"
#include "section.hpp"
#include "wording.hpp"

namespace bauta::report {

/// What chapters share with each other.
struct Shared {
  const Runs& runs;
  SeriesStyle style{runs};                ///< a technique looks the same in every figure
  Names attackers = {};                   ///< attackers that have a look of their own, in order
  std::vector<Controlled> controls = {};  ///< whether attacks can be trusted
};

class Chapter {
 public:
  virtual ~Chapter() = default;

  /// Whose cells it reads; none where it shows what the run as a whole left.
  [[nodiscard]] virtual Names questions() const { return {}; }
  virtual void read(const Cell& /*cell*/, const RunResults& /*run*/, Shared& /*shared*/) {}
  /// In the order of the page; sections without parts are left out.
  [[nodiscard]] virtual std::vector<Section> write(const Shared& shared) const = 0;
  /// Adds to the card at the top of the page what this chapter knows about the run's headline.
  virtual void tell(const RunResults& /*run*/, Card& /*card*/) const {}
};

/// All chapters, in the order of the page.
std::vector<std::unique_ptr<Chapter>> all_chapters();

}  // namespace bauta::report
