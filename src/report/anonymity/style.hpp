// What the figures of anonymised settings share: axes of parameters, reference lines, and one mark for one kind of
// attacker: hollow and dashed for uninformed ones, filled and solid for informed ones.
#pragma once

#include <string>
#include <vector>

#include "settings.hpp"

namespace bauta::report {

/// A parameter along x: logarithmic or linear, whichever spaces its values more evenly, and by rank where neither does.
class ParameterAxis {
 public:
  ParameterAxis(const std::string& name, const Names& values);

  [[nodiscard]] Json channel() const;
  /// The value at a place of the axis, as rows carry it.
  [[nodiscard]] Json at(std::size_t index) const;
  [[nodiscard]] const std::string& type() const { return type_; }  ///< "log", "linear" or "ordinal"

 private:
  std::string title_, type_;
  Names texts_;
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
Json line_layers(const Json& rows, const Json& x, Json y, const SeriesStyle& style, const Names& labels,
                 const Json& tooltip);
/// One panel per value of `panel`, in this order.
void in_named_panels(Json& spec, const Names& panels, Json layers);

/// Utility against mixture of all settings: what is claimed, and what informed attackers leave of it.
Figure anonymity_tradeoff_figure(const AnonymisedRun& run);
/// Utility beside mixture along each sweep (S2, Fig. 1 to 5), and the same for several representations (Fig. 8).
std::vector<Figure> sweep_figures(const AnonymisedRun& run);
/// Mixture within k guesses (S2, Fig. 6), and how far the attackers' beliefs are from guessing (Fig. 7).
std::vector<Figure> quality_figures(const AnonymisedRun& run);

/// Every anonymised setting: what it is good for, and what attackers leave of its mixture.
Table anonymity_table(const Settings& settings);
/// Every attacker on every anonymised setting.
Table reidentifier_table(const Settings& settings);
/// What estimators and attackers reach on clear data.
Table clear_level_table(const Settings& settings);
/// Parameters of anonymised settings, and on how many records they were measured.
Table setting_table(const Settings& settings);

}  // namespace bauta::report
