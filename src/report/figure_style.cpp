// The look of all figures.
#include "figure_style.hpp"

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

}  // namespace

SeriesStyle::SeriesStyle(const Runs& runs) : labels_{""} {
  const auto add = [&](const Series& series) {
    if (!series.unprotected) add_once(labels_, series.label);
  };
  for (const RunResults& run : runs) {
    for (const Cell& cell : run.cells) add(cell.series);
    for (const Strongest& entry : run.ranking) add(entry.series);
  }
}

SeriesStyle::SeriesStyle(std::string field, const Names& labels) : field_(std::move(field)), labels_{""} {
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
  static const Json config =
      Json::parse(R"({"background": null, "font": "system-ui, sans-serif", "view": {"stroke": null},
    "title": {"color": "currentColor", "fontSize": 14, "anchor": "start", "offset": 12},
    "axis": {"labelColor": "currentColor", "titleColor": "currentColor", "labelFontSize": 12, "titleFontSize": 12,
      "titleFontWeight": "normal", "titlePadding": 8, "domainColor": "currentColor", "domainOpacity": 0.5,
      "tickColor": "currentColor", "tickOpacity": 0.5, "gridColor": "currentColor", "gridOpacity": 0.12},
    "header": {"labelColor": "currentColor", "titleColor": "currentColor", "labelFontSize": 12, "labelFontWeight": "bold"},
    "legend": {"labelColor": "currentColor", "titleColor": "currentColor", "labelFontSize": 12, "labelLimit": 0,
      "symbolOpacity": 1, "symbolStrokeWidth": 2}})");
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

void put(Json& row, const char* field, const Measured& value) {
  row[field] = rounded(*value.value);
  row["low"] = rounded(value.ci ? value.ci->low : *value.value);
  row["high"] = rounded(value.ci ? value.ci->high : *value.value);
}

bool any_row(const Json& rows, const char* field) {
  return std::any_of(rows.begin(), rows.end(), [&](const Json& row) { return row.contains(field); });
}

Json tooltip_of(std::initializer_list<Told> lines) {
  Json out = Json::array();
  for (const Told& line : lines) {
    out.push_back({{"field", line.field}});
    if (!line.title.empty()) out.back()["title"] = line.title;
    if (*line.format != '\0') out.back()["format"] = line.format;
    if (!line.interval) continue;
    out.push_back({{"field", "low"}, {"title", "95 % from"}, {"format", line.format}});
    out.push_back({{"field", "high"}, {"title", "95 % to"}, {"format", line.format}});
  }
  return out;
}

Json numeric(const char* field, Json axis, Json scale) {
  return {{"field", field}, {"type", "quantitative"}, {"axis", std::move(axis)}, {"scale", std::move(scale)}};
}

Json filtered(const std::string& test, Json layer) {
  layer["transform"] = {{{"filter", test}}};
  return layer;
}

void add_where(Json& layers, const Json& rows, const char* field, const std::string& value, const Json& layer) {
  const auto has = [&](const Json& row) { return row.value(field, "") == value; };
  if (std::none_of(rows.begin(), rows.end(), has)) return;
  layers.push_back(filtered(fmt::format("datum.{} === '{}'", field, value), layer));
}

void in_panels(Json& spec, const char* field, const Names& order, std::size_t columns, Json layers) {
  spec["facet"] = {{"field", field}, {"type", "nominal"}, {"title", nullptr}, {"sort", order}};
  spec["columns"] = std::min(columns, order.size());
  spec["spec"] = {{"layer", std::move(layers)}};
}

void in_small_panels(Json& spec, const Names& techniques, Json layers) {
  in_panels(spec, "technique", techniques, 3, std::move(layers));
  spec["spec"]["width"] = 250;
  spec["spec"]["height"] = 190;
  spec["bounds"] = "flush";
  spec["spacing"] = {{"row", 42}, {"column", 24}};
}

Json technique_axis(const Names& techniques) {
  return {{"field", "technique"},
          {"type", "nominal"},
          {"sort", techniques},
          {"title", nullptr},
          {"axis", {{"labelLimit", 260}, {"grid", true}, {"domain", false}, {"ticks", false}, {"labelPadding", 8}}}};
}

}  // namespace bauta::report
