// One look for all figures: what a series looks like, everywhere, and the colours of axes and text.
#pragma once

#include <string>
#include <vector>

#include "results.hpp"

namespace bauta::report {

/// Colour, line pattern and point shape of each series. Colours are Okabe and Ito's, which people with any common
/// colour vision can tell apart; their periods differ, so that shape and pattern still separate series when colours
/// repeat. Clear data has the colour of the text. Numbered over all runs, so that a technique looks the same in every
/// figure.
class SeriesStyle {
 public:
  explicit SeriesStyle(const Runs& runs);
  /// For other names than those of series; rows carry them as `field`.
  SeriesStyle(std::string field, const std::vector<std::string>& labels);

  /// Encoding channels for these labels, in their order.
  [[nodiscard]] Json color(const std::vector<std::string>& labels) const;
  [[nodiscard]] Json shape(const std::vector<std::string>& labels) const;
  /// Line pattern of rows that carry pattern(label) as "pattern". Not a scale, because its legend would fray the
  /// shapes.
  [[nodiscard]] static Json dash();
  [[nodiscard]] std::size_t pattern(const std::string& label) const;

 private:
  [[nodiscard]] std::size_t index(const std::string& label) const;
  [[nodiscard]] Json channel(const std::vector<std::string>& labels, const Json& (*value)(std::size_t index)) const;

  std::string field_ = "technique";
  std::vector<std::string> labels_;  // labels_[0] stands for all clear data
};

/// More series than this are too many to find in a legend below a small figure.
constexpr std::size_t few_series = 8;

/// A specification with our schema, look and data. Text and axes use currentColor: black in a file, the page's own in
/// the page.
Json base_spec(const std::string& title, Json rows);
/// A quantitative axis over rates in [0, 1] with percent labels.
Json percent_axis(const std::string& title);
/// The same axis with no more ticks than a wide figure needs.
Json few_ticks(Json axis);
/// Puts `field`, low and high of a row; without an interval both ends are the value.
void put(Json& row, const char* field, const Measured& value);
/// Whether any row has the field.
bool any_row(const Json& rows, const char* field);
/// What the pointer tells: fields with their titles and formats, ".1%" for rates; with the interval low to high.
struct Told {
  const char* field;
  std::string title = {};
  const char* format = "";
  bool interval = false;
};
Json tooltip_of(std::initializer_list<Told> lines);
/// A channel of numbers.
Json numeric(const char* field, Json axis, Json scale);
/// A layer of rows that a test holds for.
Json filtered(const std::string& test, Json layer);
/// The layer of rows whose field has this value; none where there are no such rows, which would have no scale.
void add_where(Json& layers, const Json& rows, const char* field, const std::string& value, const Json& layer);
/// One panel per value of `field`, in this order; at most `columns` beside each other.
void in_panels(Json& spec, const char* field, const Names& order, std::size_t columns, Json layers);
/// Small panels, one per technique, in line whatever the length of their names.
void in_small_panels(Json& spec, const Names& techniques, Json layers);
/// Techniques along y, each with its name beside its marks.
Json technique_axis(const Names& techniques);
/// Six significant digits: what a figure can show, at half the size.
double rounded(double value);

}  // namespace bauta::report
