#include "lines.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "text.hpp"

namespace bauta::report {
namespace {

constexpr double panel_width = 300;
constexpr double panel_height = 230;

std::vector<double> parsed(const Names& texts) {
  std::vector<double> out;
  for (const std::string& text : texts) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !std::isfinite(value)) return {};
    out.push_back(value);
  }
  return out;
}

// Largest gap between neighbours over the smallest: 1 where they are evenly spaced.
double unevenness(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  double least = HUGE_VAL;
  double most = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    least = std::min(least, values[i] - values[i - 1]);
    most = std::max(most, values[i] - values[i - 1]);
  }
  return least > 0 ? most / least : HUGE_VAL;
}

// A step of more than this many times another one squeezes the smaller ones together.
constexpr double too_uneven = 6;

std::string scale_of(const std::vector<double>& values) {
  if (values.size() < 2) return "ordinal";
  const double linear = unevenness(values);
  double log = HUGE_VAL;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  if (*least > 0) {
    std::vector<double> logs;
    for (const double value : values) logs.push_back(std::log(value));
    log = unevenness(logs);
  }
  // Two values are evenly spaced either way.
  if (values.size() == 2) return *least > 0 && *most / *least >= 8 ? "log" : "linear";
  if (std::min(linear, log) > too_uneven) return "ordinal";
  return log < linear ? "log" : "linear";
}

}  // namespace

ParameterAxis::ParameterAxis(std::string name, const Names& values)
    : name_(std::move(name)), texts_(values), numbers_(parsed(values)) {
  type_ = scale_of(numbers_);
}

Json ParameterAxis::channel() const {
  Json axis = {{"title", name_}, {"labelAngle", 0}, {"grid", false}, {"labelOverlap", "greedy"}};
  if (type_ == "ordinal")
    return {{"field", "x"}, {"type", "ordinal"}, {"sort", texts_}, {"axis", axis}, {"scale", {{"padding", 0.4}}}};
  axis["values"] = numbers_;
  axis["format"] = "~g";
  if (type_ == "log") axis["title"] = name_ + " (logarithmic)";
  return {{"field", "x"}, {"type", "quantitative"}, {"axis", axis}, {"scale", padded_scale(type_ == "log", 14)}};
}

Json ParameterAxis::at(std::size_t index) const {
  return type_ == "ordinal" ? Json(texts_[index]) : Json(numbers_[index]);
}

Json padded_scale(bool log, double padding) {
  Json out = {{"type", log ? "log" : "linear"}, {"nice", false}, {"padding", padding}};
  if (!log) out["zero"] = false;
  return out;
}

Json share_channel(const std::string& title) {
  Json axis = percent_axis(title);
  axis["values"] = {0, 0.2, 0.4, 0.6, 0.8, 1};
  return {{"axis", axis}, {"scale", {{"domain", {0, 1.08}}, {"nice", false}}}};
}

Json level_line(const char* field, const char* aggregate, const char* name) {
  const bool chance = std::string(field) == "chance";
  // The name stands above its line, where the frame ends at the latest; the two names keep to different sides.
  Json out = Json::parse(R"([{"mark": {"type": "rule", "color": "currentColor", "opacity": 0.6}},
    {"mark": {"type": "text", "baseline": "bottom", "dy": -3, "fontSize": 11, "color": "currentColor", "opacity": 0.8}}])");
  out[0]["mark"]["strokeDash"] = chance ? Json{4, 4} : Json{1, 0};
  out[1]["mark"]["align"] = chance ? "right" : "left";
  for (Json& layer : out) {
    layer["encoding"]["y"] = {{"aggregate", aggregate}, {"field", field}, {"type", "quantitative"}};
  }
  out[1]["encoding"].update({{"x", {{"value", chance ? Json("width") : Json(2)}}}, {"text", {{"value", name}}}});
  return out;
}

Json line_layers(const Json& rows, const Json& x, Json y, const SeriesStyle& style, const Names& labels,
                 const Json& tooltip) {
  const Json color = style.color(labels);
  const Json detail = {{"field", "pattern"}};
  y["field"] = "y";
  y["type"] = "quantitative";
  Json low = y;
  low["field"] = "low";
  const Json point = {{"x", x}, {"y", y}, {"color", color}, {"shape", style.shape(labels)}, {"tooltip", tooltip}};
  Json out = Json::array();
  for (const auto& [field, aggregate, name] : {std::tuple{"chance", "max", "chance"}, {"clear", "min", "clear data"}}) {
    if (!any_row(rows, field)) continue;
    for (Json layer : level_line(field, aggregate, name)) {
      for (const char* part : {"axis", "scale"}) {
        if (y.contains(part)) layer["encoding"]["y"][part] = y[part];
      }
      out.push_back(std::move(layer));
    }
  }
  out.push_back({{"mark", {{"type", "rule"}, {"strokeWidth", 1.4}, {"opacity", 0.55}}},
                 {"encoding", {{"x", x}, {"y", low}, {"y2", {{"field", "high"}}}, {"color", color}}}});
  out.push_back(
      {{"mark", {{"type", "line"}, {"strokeWidth", 1.8}}},
       {"encoding", {{"x", x}, {"y", y}, {"color", color}, {"strokeDash", SeriesStyle::dash()}, {"detail", detail}}}});
  // A hollow mark would show the line behind it through its middle were it not a second mark on top of the line. A
  // layer without rows would have no scale.
  for (const bool hollow : {false, true}) {
    const auto has = [&](const Json& row) { return row["hollow"] == hollow; };
    if (std::none_of(rows.begin(), rows.end(), has)) continue;
    Json mark = {{"type", "point"}, {"filled", !hollow}, {"size", 55}, {"opacity", 1}};
    if (hollow) mark["strokeWidth"] = 1.6;
    out.push_back(filtered(hollow ? "datum.hollow" : "!datum.hollow", {{"mark", mark}, {"encoding", point}}));
  }
  return out;
}

void LineRows::add(Json row, const std::string& panel, const std::string& label, bool hollow) {
  row["panel"] = panel;
  row["line"] = label;
  row["hollow"] = hollow;
  row["pattern"] = hollow ? 1 : 0;
  add_once(labels, label);
  add_once(panels, panel);
  rows.push_back(std::move(row));
}

void in_named_panels(Json& spec, const Names& panels, Json layers) {
  in_panels(spec, "panel", panels, 3, std::move(layers));
  spec["facet"]["header"] = {{"labelAnchor", "start"}};
  spec["spec"]["width"] = panels.size() > 2 ? panel_width : 390;
  spec["spec"]["height"] = panel_height;
}

std::vector<Stop> stops_of(const Sweep& sweep, const Settings& settings, const std::string& representation,
                           std::size_t lines_from) {
  const ParameterAxis axis(sweep.axes[0].name, sweep.axes[0].values);
  std::vector<Stop> out;
  for (std::size_t i = 0; i < sweep.techniques.size(); ++i) {
    const auto found = std::find_if(settings.begin(), settings.end(), [&](const Setting& setting) {
      return setting.series.technique == sweep.techniques[i] && setting.representation == representation;
    });
    if (found != settings.end()) out.push_back({axis.at(sweep.place(i)[0]), sweep.values_text(i, lines_from), &*found});
  }
  return out;
}

}  // namespace bauta::report
