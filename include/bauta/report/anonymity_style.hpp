// What the figures of anonymised settings share: axes of parameters, reference lines, and one mark for one kind of
// attacker: hollow and dashed where he is uninformed, filled and solid where he is informed.
#pragma once

#include <string>
#include <vector>

#include "bauta/report/figure_style.hpp"
#include "bauta/report/figures.hpp"

namespace bauta::report {

/// A parameter along x: logarithmic or linear, whichever spaces its values more evenly, and by rank where neither does.
class ParameterAxis {
 public:
  ParameterAxis(const std::string& name, const std::vector<std::string>& values);

  [[nodiscard]] Json channel() const;
  /// The value at a place of the axis, as rows carry it.
  [[nodiscard]] Json at(std::size_t index) const;
  [[nodiscard]] const std::string& type() const { return type_; }  ///< "log", "linear" or "ordinal"

 private:
  std::string title_, type_;
  std::vector<std::string> texts_;
  std::vector<double> numbers_;
};

/// As far as the values go, with room for marks.
Json padded_scale(bool log, double padding);
/// "Set purity t" for "t".
std::string parameter_title(const std::string& name);
/// The y channel of rates: whole range, with room above for the name of a line at 100 %.
Json share_channel(const std::string& title);
/// Rows carry the level as `field`, in every row of a panel; one line with its name above it.
Json level_line(const char* field, const char* aggregate, const char* name);
/// Lines, intervals and points over rows {x, y, low, high, line, hollow, pattern, ...} with levels {chance, clear}.
Json line_layers(const Json& rows, const Json& x, Json y, const SeriesStyle& style,
                 const std::vector<std::string>& labels, const Json& tooltip);
/// One panel per value of `panel`, in this order.
void in_panels(Json& spec, const std::vector<std::string>& panels, Json layers);
/// y, low and high of a row.
void put(Json& row, const Measured& measured);
/// "voice: Set purity t" where there are several runs.
std::string of_run(const std::string& title, const RunResults& run, const std::vector<RunResults>& runs);
/// File name, with the run where there are several.
std::string name_of_run(const std::string& name, const RunResults& run, const std::vector<RunResults>& runs);

/// Utility against mixture of all settings: what is claimed, and what informed attackers leave of it.
Figure anonymity_tradeoff_figure(const RunResults& run, const std::vector<RunResults>& runs);
/// Utility beside mixture along each sweep (S2, Fig. 1 to 5), and the same for several representations (Fig. 8).
std::vector<Figure> sweep_figures(const RunResults& run, const std::vector<RunResults>& runs);
/// Mixture within k guesses (S2, Fig. 6), and how far the attackers' beliefs are from guessing (Fig. 7).
std::vector<Figure> quality_figures(const RunResults& run, const std::vector<RunResults>& runs);

/// Representations of a run's settings, in order of appearance; one empty name where templates were given.
std::vector<std::string> representations_of(const RunResults& run);
/// The setting of this technique and representation, or null.
const Anonymised* setting_of(const RunResults& run, const std::string& technique, const std::string& representation);
/// The attribute of interest of the first setting that has one.
std::string interest_of(const RunResults& run);

}  // namespace bauta::report
