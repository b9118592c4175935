// Figures of lines over a parameter, or over the number of guesses: one mark for one kind of attacker, hollow and
// dashed for uninformed ones, filled and solid for informed ones.
#pragma once

#include <string>
#include <vector>

#include "settings.hpp"

namespace bauta::report {

/// A parameter along x: logarithmic or linear, whichever spaces its values more evenly, and by rank where neither does.
class ParameterAxis {
 public:
  ParameterAxis(std::string name, const Names& values);

  [[nodiscard]] Json channel() const;
  /// The value at a place of the axis, as rows carry it.
  [[nodiscard]] Json at(std::size_t index) const;
  [[nodiscard]] const std::string& type() const { return type_; }  ///< "log", "linear" or "ordinal"

 private:
  std::string name_, type_;
  Names texts_;
  std::vector<double> numbers_;
};

/// As far as the values go, with room for marks.
Json padded_scale(bool log, double padding);
/// The y channel of rates: whole range, with room above for the name of a line at 100 %.
Json share_channel(const std::string& title);
/// Rows carry the level as `field`, in every row of a panel; one line with its name above it.
Json level_line(const char* field, const char* aggregate, const char* name);
/// Lines, intervals and points over rows {x, y, low, high, line, hollow, pattern, ...} with levels {chance, clear}.
Json line_layers(const Json& rows, const Json& x, Json y, const SeriesStyle& style, const Names& labels,
                 const Json& tooltip);

/// Rows of such a figure, with the names that occur in them.
struct LineRows {
  Json rows = Json::array();
  Names labels, panels;

  void add(Json row, const std::string& panel, const std::string& label, bool hollow);
};
/// One panel per value of `panel`, in this order.
void in_named_panels(Json& spec, const Names& panels, Json layers);

/// Settings of a representation along a sweep; lines are named by what its axes from this one on vary.
std::vector<Stop> stops_of(const Sweep& sweep, const Settings& settings, const std::string& representation,
                           std::size_t lines_from = 1);

}  // namespace bauta::report
