// The look of all figures.
#include "bauta/report/figure_style.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

namespace bauta::report {
namespace {

const Json& color_value(std::size_t index) {
  static const Json clear = "currentColor";
  static const Json values = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"};
  return index == 0 ? clear : values[(index - 1) % values.size()];
}

const Json& dash_values() {
  static const Json values = {{1, 0}, {6, 3}, {2, 2}, {9, 3, 2, 3}, {12, 4}};
  return values;
}

const Json& shape_value(std::size_t index) {
  static const Json clear = "diamond";
  static const Json values = {"circle",        "square",         "triangle-up",  "cross",
                              "triangle-down", "triangle-right", "triangle-left"};
  return index == 0 ? clear : values[(index - 1) % values.size()];
}

void add_once(std::vector<std::string>& list, const std::string& item) {
  if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

}  // namespace

SeriesStyle::SeriesStyle(const std::vector<RunResults>& runs) : labels_{""} {
  const auto add = [&](const Series& series) { add_once(series.clear() ? clear_ : labels_, series.label); };
  for (const RunResults& run : runs) {
    for (const Verification& item : run.verifications) add(item.series);
    for (const AttributeAttack& item : run.attacks) add(item.series);
  }
}

SeriesStyle::SeriesStyle(std::string field, const std::vector<std::string>& labels)
    : field_(std::move(field)), labels_{""} {
  for (const std::string& label : labels) add_once(labels_, label);
}

std::size_t SeriesStyle::index(const std::string& label) const {
  const auto found = std::find(labels_.begin(), labels_.end(), label);
  return found == labels_.end() ? 0 : static_cast<std::size_t>(found - labels_.begin());
}

Json SeriesStyle::channel(const std::vector<std::string>& labels, const Json& (*value)(std::size_t)) const {
  Json range = Json::array();
  for (const std::string& label : labels) range.push_back(value(index(label)));
  Json legend = {{"orient", "bottom"}, {"columns", 2}};
  if (labels.size() > few_series) legend = {{"orient", "right"}, {"columns", 1}};
  return {{"field", field_},
          {"type", "nominal"},
          {"title", nullptr},
          {"scale", {{"domain", labels}, {"range", range}}},
          {"legend", legend}};
}

Json SeriesStyle::color(const std::vector<std::string>& labels) const {
  return channel(labels, color_value);
}
Json SeriesStyle::shape(const std::vector<std::string>& labels) const {
  return channel(labels, shape_value);
}

Json SeriesStyle::dash() {
  Json choices = Json::array();
  for (std::size_t i = 1; i < dash_values().size(); ++i) {
    choices.push_back({{"test", fmt::format("datum.pattern === {}", i)}, {"value", dash_values()[i]}});
  }
  return {{"condition", choices}, {"value", dash_values()[0]}};
}

std::size_t SeriesStyle::pattern(const std::string& label) const {
  const std::size_t place = index(label);
  return place == 0 ? 0 : (place - 1) % dash_values().size();
}

Json base_spec(const std::string& title, Json rows) {
  const Json text = "currentColor";
  const Json config = {
      {"background", nullptr},
      {"font", "system-ui, sans-serif"},
      {"view", {{"stroke", nullptr}}},
      {"title", {{"color", text}, {"fontSize", 14}, {"anchor", "start"}, {"offset", 12}}},
      {"axis",
       {{"labelColor", text},
        {"titleColor", text},
        {"labelFontSize", 12},
        {"titleFontSize", 12},
        {"titleFontWeight", "normal"},
        {"titlePadding", 8},
        {"domainColor", text},
        {"domainOpacity", 0.5},
        {"tickColor", text},
        {"tickOpacity", 0.5},
        {"gridColor", text},
        {"gridOpacity", 0.12}}},
      {"header", {{"labelColor", text}, {"titleColor", text}, {"labelFontSize", 12}, {"labelFontWeight", "bold"}}},
      {"legend",
       {{"labelColor", text},
        {"titleColor", text},
        {"labelFontSize", 12},
        {"labelLimit", 0},
        {"symbolOpacity", 1},
        {"symbolStrokeWidth", 2}}}};
  return {{"$schema", "https://vega.github.io/schema/vega-lite/v6.json"},
          {"title", title},
          {"config", config},
          {"data", {{"values", std::move(rows)}}}};
}

Json percent_axis(const std::string& title) {
  return {{"title", title}, {"labelExpr", "format(100 * datum.value, '.4~g')"}, {"labelOverlap", "greedy"}};
}

Json few_ticks(Json axis) {
  axis["tickCount"] = 8;
  return axis;
}

double rounded(double value) {
  return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr);
}

std::vector<std::string> data_sets(const std::vector<RunResults>& runs) {
  std::vector<std::string> out;
  for (const RunResults& run : runs) {
    for (const Verification& item : run.verifications) add_once(out, item.series.data);
  }
  return out;
}

std::vector<const Verification*> verifications_on(const std::string& data, const std::vector<RunResults>& runs) {
  std::vector<const Verification*> out;
  for (const RunResults& run : runs) {
    for (const Verification& item : run.verifications) {
      if (item.series.data == data) out.push_back(&item);
    }
  }
  return out;
}

}  // namespace bauta::report
