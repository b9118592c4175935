// ROC with a logarithmic false match rate, and DET on normal-deviate (probit) axes.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "text.hpp"
#include "verification.hpp"

namespace bauta::report {
namespace {

struct CurvePoint {
  Number threshold;
  double fmr = 0;
  double fnmr = 0;
};

struct Curve {
  const Cell* cell = nullptr;
  std::vector<CurvePoint> points = {};

  [[nodiscard]] const std::string& label() const { return cell->series.label; }
};

using Curves = std::vector<Curve>;

Curves curves_of(const Cells& cells) {
  Curves out;
  for (const Cell* cell : cells) {
    Curve curve{cell};
    for (const Json* point : objects(cell->values, "det")) {
      const Number fmr = number(*point, "fmr");
      const Number fnmr = number(*point, "fnmr");
      if (fmr && fnmr) curve.points.push_back({number(*point, "threshold"), *fmr, *fnmr});
    }
    if (!curve.points.empty()) out.push_back(std::move(curve));
  }
  return out;
}

// Rates that get a tick on a DET axis.
constexpr std::array det_ticks = {1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999};

Names labels_of(const Curves& curves) {
  Names out;
  for (const Curve& curve : curves) out.push_back(curve.label());
  return out;
}

// Points that repeat their neighbours' rates draw nothing new.
std::vector<CurvePoint> corners(const std::vector<CurvePoint>& curve) {
  std::vector<CurvePoint> out;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const bool inside = i > 0 && i + 1 < curve.size();
    const auto same = [&](const CurvePoint& other) { return other.fmr == curve[i].fmr && other.fnmr == curve[i].fnmr; };
    if (!inside || !same(curve[i - 1]) || !same(curve[i + 1])) out.push_back(curve[i]);
  }
  return out;
}

Json point_row(const Curve& curve, Number threshold, double fmr, double fnmr) {
  Json row = {{"technique", curve.label()}, {"fmr", rounded(fmr)}, {"fnmr", rounded(fnmr)}, {"tmr", rounded(1 - fnmr)}};
  if (threshold) row["threshold"] = rounded(*threshold);
  return row;
}

Json curve_rows(const Curves& curves, const SeriesStyle& style) {
  Json rows = Json::array();
  for (const Curve& curve : curves) {
    std::size_t step = 0;
    for (const CurvePoint& point : corners(curve.points)) {
      rows.push_back(point_row(curve, point.threshold, point.fmr, point.fnmr));
      rows.back()["step"] = step++;
      rows.back()["pattern"] = style.pattern(curve.label());
    }
  }
  return rows;
}

Json operating_rows(const Curves& curves) {
  Json rows = Json::array();
  for (const Curve& curve : curves) {
    for (const Json* point : objects(curve.cell->values, "fnmr_at_fmr")) {
      const Number fmr = number(*point, "fmr");
      const Measured fnmr = measured(*point, "fnmr");
      if (!fmr || !fnmr.value || !is_resolvable(*point)) continue;
      Json row = point_row(curve, number(*point, "threshold"), *fmr, *fnmr.value);
      put(row, "fnmr", fnmr);
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

// A line per series, unseen points that answer the pointer, and the operating points of the table with their intervals.
Json layers(const Curves& curves, const SeriesStyle& style, const char* interval_low, const char* interval_high) {
  const Names labels = labels_of(curves);
  const Json tooltip =
      tooltip_of({{"technique"}, {"fmr", "FMR", ".3%"}, {"fnmr", "FNMR", ".2%"}, {"threshold", "threshold", ".4~g"}});
  const Json faded = {{"condition", {{"param", "picked"}, {"value", 1}}}, {"value", 0.12}};
  // Along the thresholds: points of equal FMR would otherwise be joined in any order.
  Json out = Json::parse(R"([
    {"mark": {"type": "line", "strokeWidth": 2, "clip": true},
     "params": [{"name": "picked", "select": {"type": "point", "fields": ["technique"]}, "bind": "legend"}],
     "encoding": {"order": {"field": "step", "type": "quantitative"}}},
    {"mark": {"type": "point", "opacity": 0, "size": 90, "filled": true, "clip": true}},
    {"mark": {"type": "rule", "strokeWidth": 1.2, "clip": true}},
    {"mark": {"type": "point", "filled": true, "size": 70, "clip": true}}])");
  for (const int i : {0, 2, 3}) {
    out[i]["encoding"]["color"] = style.color(labels);
    out[i]["encoding"]["opacity"] = faded;
  }
  for (const int i : {2, 3}) out[i]["data"] = {{"values", operating_rows(curves)}};
  for (const int i : {1, 3}) out[i]["encoding"]["tooltip"] = tooltip;
  out[0]["encoding"]["strokeDash"] = SeriesStyle::dash();
  out[2]["encoding"]["y"] = {{"field", interval_low}, {"type", "quantitative"}};
  out[2]["encoding"]["y2"] = {{"field", interval_high}};
  out[3]["encoding"]["shape"] = style.shape(labels);
  return out;
}

// The smallest positive rate of any curve, at most this.
double lowest_rate(const Curves& curves, double CurvePoint::*rate, double lowest) {
  for (const Curve& curve : curves) {
    for (const CurvePoint& point : curve.points) {
      if (point.*rate > 0) lowest = std::min(lowest, point.*rate);
    }
  }
  return lowest;
}

Figure roc_figure(const std::string& data, const Curves& curves, const SeriesStyle& style) {
  const double lowest = lowest_rate(curves, &CurvePoint::fmr, 0.1);
  Json decades = Json::array();
  const int first = std::max(-9, static_cast<int>(std::floor(std::log10(lowest))));
  for (int power = first; power <= 0; ++power) decades.push_back(std::pow(10.0, power));

  Json spec = base_spec(fmt::format("ROC ({} data)", data), curve_rows(curves, style));
  spec["width"] = 480;
  spec["height"] = 360;
  // A logarithmic axis has no place for FMR 0.
  spec["transform"] = {{{"filter", "datum.fmr > 0"}},
                       {{"calculate", "1 - datum.high"}, {"as", "tmr_low"}},
                       {{"calculate", "1 - datum.low"}, {"as", "tmr_high"}}};
  Json x_axis = percent_axis("False match rate, FMR (%, logarithmic)");
  x_axis["values"] = decades;
  spec["encoding"] = {{"x", numeric("fmr", x_axis, {{"type", "log"}, {"domain", {decades.front(), 1}}})},
                      {"y", numeric("tmr", percent_axis("True match rate, 1 − FNMR (%)"), {{"zero", false}})}};
  spec["layer"] = layers(curves, style, "tmr_low", "tmr_high");
  // Layers with their own rows do not see the transforms above.
  for (Json& layer : spec["layer"]) {
    if (layer.contains("data")) layer["transform"] = spec["transform"];
  }
  return {
      "roc-" + slug(data), fmt::format("ROC, {} data", data),
      fmt::format("ROC curves of {} series on {} data: true match rate against false match rate.", curves.size(), data),
      "Higher is better recognition. Marks are the operating points of the table with their 95 % intervals. Choose a "
      "name "
      "in the legend to see one technique alone.",
      std::move(spec)};
}

// "[quantileNormal(a), ...]" for the ticks within [low, high]; Vega does the probit, the rows keep plain rates.
std::string probit_list(double low, double high) {
  std::string out;
  for (const double tick : det_ticks) {
    if (tick >= low && tick <= high) out += fmt::format("{}quantileNormal({})", out.empty() ? "" : ", ", tick);
  }
  return "[" + out + "]";
}

Json det_channel(const char* field, const char* title, double low, double high) {
  const auto probit = [](double rate) { return Json{{"expr", fmt::format("quantileNormal({})", rate)}}; };
  return numeric(field,
                 {{"title", title},
                  {"values", {{"expr", probit_list(low, high)}}},
                  {"labelOverlap", "greedy"},
                  {"labelExpr", "format(100 * cumulativeNormal(datum.value), '.3~g')"}},
                 {{"domain", {probit(low), probit(high)}}, {"nice", false}, {"zero", false}});
}

// The tick at or below the smallest positive rate; a curve that reaches 0 leaves the figure there.
double lower_limit(const Curves& curves, double CurvePoint::*rate) {
  const double lowest = lowest_rate(curves, rate, 0.05);
  double limit = det_ticks.front();
  for (const double tick : det_ticks) {
    if (tick <= lowest * (1 + 1e-9)) limit = tick;
  }
  return limit;
}

Figure det_figure(const std::string& data, const Curves& curves, const SeriesStyle& style) {
  std::string undrawn;
  bool weak = false;
  for (const Curve& curve : curves) {
    const bool drawn = std::any_of(curve.points.begin(), curve.points.end(), [](const CurvePoint& point) {
      return point.fmr > 0 && point.fmr < 1 && point.fnmr > 0 && point.fnmr < 1;
    });
    if (!drawn) undrawn += (undrawn.empty() ? "" : ", ") + curve.label();
    weak |= number(curve.cell->values, "eer").value_or(0) > 0.4;
  }
  // Curves of useful systems stay below 50 %; one near guessing crosses there.
  const double high = weak ? 0.95 : 0.5;
  Json spec = base_spec(fmt::format("DET ({} data)", data), curve_rows(curves, style));
  spec["width"] = 420;
  spec["height"] = 360;
  spec["transform"] = {{{"filter", "datum.fmr > 0 && datum.fmr < 1 && datum.fnmr > 0 && datum.fnmr < 1"}},
                       {{"calculate", "quantileNormal(datum.fmr)"}, {"as", "x"}},
                       {{"calculate", "quantileNormal(datum.fnmr)"}, {"as", "y"}}};
  const double low_x = lower_limit(curves, &CurvePoint::fmr);
  const double low_y = lower_limit(curves, &CurvePoint::fnmr);
  spec["encoding"] = {{"x", det_channel("x", "False match rate, FMR (%, normal deviate)", low_x, high)},
                      {"y", det_channel("y", "False non-match rate, FNMR (%, normal deviate)", low_y, high)}};
  spec["layer"] = layers(curves, style, "y_low", "y_high");
  // Intervals end at the frame: what is clipped away still counts as the figure's size.
  Json operating = spec["transform"];
  operating.push_back({{"filter", fmt::format("datum.fmr <= {0} && datum.fnmr <= {0}", high)}});
  for (const char* end : {"low", "high"}) {
    operating.push_back({{"calculate", fmt::format("quantileNormal(clamp(datum.{}, {}, {}))", end, low_y, high)},
                         {"as", fmt::format("y_{}", end)}});
  }
  for (Json& layer : spec["layer"]) {
    if (layer.contains("data")) layer["transform"] = operating;
  }
  const double corner = std::max(low_x, low_y);
  const Json diagonal = {
      {"data", {{"values", {{{"fmr", corner}, {"fnmr", corner}}, {{"fmr", high}, {"fnmr", high}}}}}},
      {"transform", spec["transform"]},
      {"mark",
       {{"type", "line"}, {"color", "currentColor"}, {"opacity", 0.35}, {"strokeDash", {3, 4}}, {"strokeWidth", 1}}}};
  spec["layer"].insert(spec["layer"].begin(), diagonal);
  std::string caption =
      "Lower left is better recognition. A curve meets the dotted diagonal at its equal error rate; two Gaussian score "
      "distributions give a straight line.";
  if (!undrawn.empty()) caption += " Not drawn, because no threshold leaves both errors possible: " + undrawn + ".";
  return {
      "det-" + slug(data), fmt::format("DET, {} data", data),
      fmt::format("DET curves of {} series on {} data: false non-match rate against false match rate, both on normal "
                  "deviate axes.",
                  curves.size(), data),
      caption, std::move(spec)};
}

}  // namespace

std::vector<Figure> curve_figures(const Cells& cells, const SeriesStyle& style) {
  std::vector<Figure> out;
  for (const std::string& data : data_sets(cells)) {
    const Curves curves = curves_of(cells_on(data, cells));
    if (curves.empty()) continue;
    out.push_back(roc_figure(data, curves, style));
    out.push_back(det_figure(data, curves, style));
    if (data != data_sets(cells).front()) out.end()[-2].secondary = out.back().secondary = true;
  }
  return out;
}

}  // namespace bauta::report
