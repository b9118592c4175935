// One look for all figures: what a series looks like, everywhere, and the colours of axes and text.
#pragma once

#include <string>
#include <vector>

#include "bauta/report/results.hpp"

namespace bauta::report {

/// Colour, line pattern and point shape of each series. Colours are Okabe and Ito's, which people with any common
/// colour vision can tell apart; their periods differ, so that shape and pattern still separate series when colours
/// repeat. Clear data has the colour of the text. Numbered over all runs, so that a technique looks the same in every
/// figure.
class SeriesStyle {
 public:
  explicit SeriesStyle(const std::vector<RunResults>& runs);
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
  std::vector<std::string> clear_;
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
/// Six significant digits: what a figure can show, at half the size.
double rounded(double value);

/// Distinct values of `data` over all verifications, in order of appearance.
std::vector<std::string> data_sets(const std::vector<RunResults>& runs);
/// Verifications on one data set, in order.
std::vector<const Verification*> verifications_on(const std::string& data, const std::vector<RunResults>& runs);

}  // namespace bauta::report
