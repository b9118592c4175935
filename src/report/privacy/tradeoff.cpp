// Recognition-attribute plots (S1, Fig. 5): what the attacker gets wrong against what recognition gets wrong, with
// lines of equal PIC.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "privacy.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

// Labels are placed for this size, so the page leaves it as it is.
constexpr double width = 800;
constexpr double height = 470;
constexpr double letter = 6.1;  // of 11 pixel text, on average
constexpr double line_height = 14;

/// One axis: logarithmic where errors differ tenfold or more, because small ones would otherwise lie on one heap.
struct Scale {
  bool log = false;
  double low = 0;
  double high = 1;
  double pixels = width;

  Scale(const std::vector<double>& values, double length) : pixels(length) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    log = *least > 0 && *most / *least >= 10;
    low = log ? *least / 1.7 : *least < *most / 2 ? 0 : std::max(0.0, *least - 0.3 * (*most - *least));
    high = std::min(1.0, *most * (log ? 1.5 : 1.12));
    if (high <= low) high = low + 0.1;
  }
  [[nodiscard]] double share(double value) const {
    return log ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  }
  [[nodiscard]] double value(double at) const { return log ? low * std::pow(high / low, at) : low + at * (high - low); }
  [[nodiscard]] Json channel(const char* name, const std::string& title) const {
    Json axis = few_ticks(percent_axis(title + (log ? " (%, logarithmic)" : " (%)")));
    if (log) {
      Json ticks = Json::array();
      for (const double tick :
           {1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0}) {
        if (tick >= low && tick <= high) ticks.push_back(tick);
      }
      axis["values"] = ticks;
    }
    Json scale = {{"type", log ? "log" : "linear"}, {"domain", {rounded(low), rounded(high)}}, {"nice", false}};
    if (!log) scale["zero"] = false;
    return {{"field", name}, {"type", "quantitative"}, {"scale", scale}, {"axis", axis}};
  }
};

struct Point {
  double x = 0;
  double y = 0;
};

struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;

  [[nodiscard]] bool meets(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

struct Plane {
  Scale x, y;

  /// In pixels, from the upper left.
  [[nodiscard]] Point place(double recognition, double attribute) const {
    return {width * x.share(recognition), height * (1 - y.share(attribute))};
  }
};

using Items = std::vector<const Strongest*>;

// Clear data, and how many techniques are measured against it.
struct Baseline {
  double recognition = 0, attribute = 0;
  std::size_t techniques = 0;
  std::string attacker;
};

// The one that most techniques share comes first; there are several where they were measured against different data.
std::vector<Baseline> baselines_of(const Items& items) {
  std::vector<Baseline> out;
  for (const Strongest* item : items) {
    const Number error = attacker_error_on_clear(*item), recognition = item->gain.pic->recognition.clear;
    if (!item->gain.on_clear || !error || !recognition) continue;
    const Baseline next{rounded(*recognition), rounded(*error), 1, item->gain.on_clear->attacker};
    const auto same = [&](const Baseline& other) {
      return other.recognition == next.recognition && other.attribute == next.attribute;
    };
    const auto found = std::find_if(out.begin(), out.end(), same);
    if (found == out.end()) {
      out.push_back(next);
    } else {
      ++found->techniques;
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const Baseline& a, const Baseline& b) {
    return a.techniques != b.techniques ? a.techniques > b.techniques : a.attribute < b.attribute;
  });
  return out;
}

std::string signed_number(double value) {
  const std::string digits = fmt::format("{:.3g}", std::abs(value));
  return value == 0 ? digits : (value < 0 ? "−" : "+") + digits;
}

// AE'/AE - RE'/RE = c, within the frame, from left to right. Walked along both axes: it may be steep.
std::vector<Point> equal_pic(const Baseline& from, double c, const Plane& plane) {
  constexpr int steps = 80;
  std::vector<Point> out;
  for (int i = 0; i <= steps; ++i) {
    const double at = static_cast<double>(i) / steps;
    const double x = plane.x.value(at);
    const double y = plane.y.value(at);
    const Point along_x{x, from.attribute * (c + x / from.recognition)};
    const Point along_y{from.recognition * (y / from.attribute - c), y};
    if (along_x.y >= plane.y.low && along_x.y <= plane.y.high) out.push_back(along_x);
    if (along_y.x >= plane.x.low && along_y.x <= plane.x.high) out.push_back(along_y);
  }
  std::sort(out.begin(), out.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
  return out;
}

// Lines of equal PIC with their values outside of the frame, as far as there is room for the values.
void add_lines(Json& rows, const Baseline& from, const Plane& plane) {
  if (from.recognition <= 0 || from.attribute <= 0) return;
  std::vector<double> levels = {0};
  for (const double size : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 0.5}) {
    levels.push_back(size);
    levels.push_back(-size);
  }
  std::vector<Box> taken;
  for (const double c : levels) {
    const std::vector<Point> line = equal_pic(from, c, plane);
    if (line.size() < 2) continue;
    const Point first = plane.place(line.front().x, line.front().y);
    const Point last = plane.place(line.back().x, line.back().y);
    if (std::hypot(last.x - first.x, last.y - first.y) < 60) continue;
    const bool top = last.y < 4;
    const std::string name = (c == 0 ? "PIC " : "") + signed_number(c);
    const double half = letter * static_cast<double>(name.size()) / 2 + 4;
    const Box label =
        top ? Box{last.x - half, -18, last.x + half, -2} : Box{width, last.y - 8, width + 2 * half, last.y + 8};
    if (std::any_of(taken.begin(), taken.end(), [&](const Box& box) { return box.meets(label); })) continue;
    taken.push_back(label);
    for (const Point& point : line) {
      rows.push_back({{"part", "line"}, {"level", c}, {"x", rounded(point.x)}, {"y", rounded(point.y)}});
    }
    rows.push_back({{"part", top ? "value-above" : "value-beside"},
                    {"x", rounded(line.back().x)},
                    {"y", rounded(line.back().y)},
                    {"text", name}});
  }
}

// Puts a name near its point where it covers neither points nor other names; a thin line leads to it from afar.
class Labels {
 public:
  void keep_clear(const Point& point, double radius) {
    taken_.push_back({point.x - radius, point.y - radius, point.x + radius, point.y + radius});
  }
  void keep_clear(const Box& box) { taken_.push_back(box); }

  struct Placed {
    Point at;  ///< of the text's middle, at the end nearer to the point
    bool right = true;
    bool far = false;
  };
  Placed place(const Point& point, const std::string& text) {
    const double length = letter * static_cast<double>(text.size());
    Placed best;
    double least = 1e9;
    for (const double reach : {11.0, 20.0, 32.0, 48.0, 68.0, 92.0, 120.0, 150.0, 190.0}) {
      for (int turn = 0; turn < 16; ++turn) {
        const double angle = M_PI * turn / 8;
        const Point at{point.x + reach * std::cos(angle), point.y - reach * std::sin(angle)};
        const bool right = std::cos(angle) > -1e-9;
        const Box box{right ? at.x : at.x - length, at.y - line_height / 2, right ? at.x + length : at.x,
                      at.y + line_height / 2};
        double cost = reach;
        if (box.left < 0 || box.right > width || box.top < 0 || box.bottom > height) cost += 1000;
        for (const Box& other : taken_) cost += box.meets(other) ? 300 : 0;
        if (cost < least) {
          least = cost;
          best = {at, right, reach > 15};
        }
      }
    }
    const Point& at = best.at;
    taken_.push_back({best.right ? at.x : at.x - length, at.y - line_height / 2, best.right ? at.x + length : at.x,
                      at.y + line_height / 2});
    return best;
  }

 private:
  std::vector<Box> taken_;
};

void add_label(Json& rows, Labels& labels, const Plane& plane, const Point& value, const std::string& text,
               const std::string& technique) {
  const Point point = plane.place(value.x, value.y);
  const Labels::Placed placed = labels.place(point, text);
  const double x = plane.x.value(placed.at.x / width);
  const double y = plane.y.value(1 - placed.at.y / height);
  rows.push_back({{"part", placed.right ? "label-right" : "label-left"},
                  {"x", rounded(x)},
                  {"y", rounded(y)},
                  {"text", text},
                  {"technique", technique}});
  if (placed.far) {
    rows.push_back({{"part", "leader"},
                    {"x", rounded(value.x)},
                    {"y", rounded(value.y)},
                    {"x2", rounded(x)},
                    {"y2", rounded(y)},
                    {"technique", technique}});
  }
}

// Every layer draws the rows of one part.
Json layers_of(const SeriesStyle& style, const Names& labels, double largest) {
  Json layers = Json::parse(R"({
    "line": {"mark": {"type": "line", "color": "currentColor", "opacity": 0.28, "strokeWidth": 1},
      "encoding": {"detail": {"field": "level"}, "order": {"field": "x", "type": "quantitative"}}},
    "value-above": {"mark": {"type": "text", "fontSize": 11, "align": "center", "baseline": "middle", "dy": -9,
      "color": "currentColor", "opacity": 0.75}, "encoding": {"text": {"field": "text"}}},
    "value-beside": {"mark": {"type": "text", "fontSize": 11, "align": "left", "baseline": "middle", "dx": 4,
      "color": "currentColor", "opacity": 0.75}, "encoding": {"text": {"field": "text"}}},
    "chance": {"mark": {"type": "rule", "color": "currentColor", "opacity": 0.7, "strokeDash": [5, 4]}, "encoding": {"x": null}},
    "gain": {"mark": {"type": "point", "shape": "circle", "filled": true, "opacity": 0.2, "clip": true}, "encoding": {}},
    "loss": {"mark": {"type": "point", "shape": "circle", "filled": false, "opacity": 0.75, "strokeDash": [3, 3],
      "strokeWidth": 1.3, "clip": true}, "encoding": {}},
    "leader": {"mark": {"type": "rule", "color": "currentColor", "opacity": 0.35, "strokeWidth": 0.8},
      "encoding": {"x2": {"field": "x2"}, "y2": {"field": "y2"}}},
    "technique": {"mark": {"type": "point", "filled": true, "size": 75, "opacity": 1}, "encoding": {"tooltip": [
      {"field": "technique"}, {"field": "attacker", "title": "strongest attacker"},
      {"field": "y", "title": "attribute error", "format": ".1%"},
      {"field": "x", "title": "recognition error", "format": ".2%"}, {"field": "pic", "title": "PIC", "format": "+.2f"}]}},
    "clear": {"mark": {"type": "point", "shape": "diamond", "filled": true, "size": 130, "color": "currentColor", "opacity": 1}},
    "other-clear": {"mark": {"type": "point", "shape": "diamond", "filled": false, "size": 90, "color": "currentColor", "opacity": 1}},
    "label-right": {"mark": {"type": "text", "fontSize": 11, "align": "left", "baseline": "middle", "color": "currentColor"},
      "encoding": {"text": {"field": "text"}}},
    "label-left": {"mark": {"type": "text", "fontSize": 11, "align": "right", "baseline": "middle", "color": "currentColor"},
      "encoding": {"text": {"field": "text"}}}})");
  Json color = style.color(labels);
  Json shape = style.shape(labels);
  color["legend"] = shape["legend"] = nullptr;
  const Json size = {{"field", "size"},
                     {"type", "quantitative"},
                     {"legend", nullptr},
                     {"scale", {{"domain", {0, largest}}, {"range", {0, 5200}}}}};
  for (const char* area : {"gain", "loss"}) layers[area]["encoding"] = {{"size", size}, {"color", color}};
  layers["technique"]["encoding"].update({{"color", color}, {"shape", shape}});
  Json out = Json::array();
  for (const auto& [part, layer] : layers.items()) {
    out.push_back(filtered(fmt::format("datum.part === '{}'", part), layer));
  }
  return out;
}

// Chance as a line with its name, out of the way of other names.
void add_chance(Json& rows, Labels& labels, const Plane& plane, double chance) {
  rows.push_back({{"part", "chance"}, {"y", rounded(chance)}});
  rows.push_back({{"part", "label-left"},
                  {"x", rounded(plane.x.value(0.995))},
                  {"y", rounded(plane.y.value(plane.y.share(chance) + 0.02))},
                  {"text", "chance"}});
  const Point right = plane.place(plane.x.high, chance);
  labels.keep_clear(Box{right.x - 52, right.y - 18, right.x, right.y + 2});
  labels.keep_clear(Box{0, right.y - 1, width, right.y + 1});
}

Point place_of(const Strongest& item) {
  return {item.gain.pic->recognition.protected_, attacker_error(item)};
}

void add_baselines(Json& rows, Labels& labels, const Plane& plane, const std::vector<Baseline>& baselines) {
  for (std::size_t i = 0; i < baselines.size(); ++i) {
    const Baseline& clear = baselines[i];
    rows.push_back({{"part", i == 0 ? "clear" : "other-clear"}, {"x", clear.recognition}, {"y", clear.attribute}});
    if (i > 0) continue;
    const std::string name = clear.attacker.empty() ? "unprotected" : "unprotected · " + clear.attacker;
    add_label(rows, labels, plane, {clear.recognition, clear.attribute}, name, "");
  }
}

// A technique's point, named with its attacker, and its PIC as a circle; false where PIC is undefined.
bool add_technique(Json& rows, Labels& labels, const Plane& plane, const Strongest& item) {
  const Point at = place_of(item);
  const std::string& name = item.series.label;
  const std::string& attacker = item.strongest.attacker;
  const Number pic = item.gain.pic->coefficient.value;
  Json row = {
      {"part", "technique"}, {"technique", name}, {"attacker", attacker}, {"x", rounded(at.x)}, {"y", rounded(at.y)}};
  if (pic) {
    row["pic"] = rounded(*pic);
    Json area = row;
    area["part"] = *pic < 0 ? "loss" : "gain";
    area["size"] = rounded(std::abs(*pic));
    rows.push_back(std::move(area));
  }
  rows.push_back(std::move(row));
  add_label(rows, labels, plane, at, attacker.empty() ? name : name + " · " + attacker, name);
  return pic.has_value();
}

Plane plane_of(const Items& items, const std::vector<Baseline>& baselines, Number chance) {
  std::vector<double> recognition, errors;
  for (const Baseline& clear : baselines) {
    recognition.push_back(clear.recognition);
    errors.push_back(clear.attribute);
  }
  for (const Strongest* item : items) {
    recognition.push_back(place_of(*item).x);
    errors.push_back(place_of(*item).y);
  }
  if (chance) errors.push_back(*chance);
  return {Scale(recognition, width), Scale(errors, height)};
}

Figure tradeoff_figure(const std::string& target, const Items& items, const SeriesStyle& style) {
  const std::vector<Baseline> baselines = baselines_of(items);
  const Finding& first = items.front()->strongest;
  const Number chance = first.chance ? Number(std::abs(first.certainty - *first.chance)) : std::nullopt;
  const Plane plane = plane_of(items, baselines, chance);
  Json rows = Json::array();
  if (!baselines.empty()) add_lines(rows, baselines.front(), plane);
  Labels labels;
  if (chance) add_chance(rows, labels, plane, *chance);
  for (const Baseline& clear : baselines) labels.keep_clear(plane.place(clear.recognition, clear.attribute), 8);
  for (const Strongest* item : items) labels.keep_clear(plane.place(place_of(*item).x, place_of(*item).y), 7);
  add_baselines(rows, labels, plane, baselines);
  Names names, undefined;
  double largest = 1;
  for (const Strongest* item : items) {
    names.push_back(item->series.label);
    if (!add_technique(rows, labels, plane, *item)) undefined.push_back(item->series.label);
    largest = std::max(largest, std::abs(item->gain.pic->coefficient.value.value_or(0)));
  }

  const std::string measure = items.front()->gain.pic->recognition.measure;
  Json spec = base_spec(fmt::format("Recognition against {}", target), std::move(rows));
  spec["width"] = width;
  spec["height"] = height;
  spec["usermeta"] = {{"fixed", true}};
  spec["encoding"] = {{"x", plane.x.channel("x", "Recognition error" + (measure.empty() ? "" : ", " + measure))},
                      {"y", plane.y.channel("y", fmt::format("Balanced error of the attacker on {}", target))}};
  spec["layer"] = layers_of(style, names, largest);
  std::string caption =
      "Upper left is better: the attacker errs, recognition does not. Each technique is named with its strongest "
      "attacker, over all questions. The area of a circle is the size of its PIC: shaded where the technique gains "
      "more privacy than it loses recognition, a dashed outline where it is the other way round. Grey lines join "
      "points "
      "of equal PIC.";
  if (baselines.size() > 1) {
    caption += " Lines start from the filled diamond; techniques with another level are judged from a hollow one.";
  }
  if (!undefined.empty()) caption += " PIC is undefined for " + joined(undefined) + ".";
  return {"tradeoff-" + slug(target), "Privacy against recognition, " + target,
          fmt::format("Balanced error of the strongest attacker on {} against recognition error, for clear data and {} "
                      "techniques, with lines of equal PIC and the chance level.",
                      target, items.size()),
          caption, std::move(spec)};
}

}  // namespace

std::vector<Figure> tradeoff_figures(const Runs& runs, const SeriesStyle& style) {
  std::vector<std::pair<std::string, Items>> targets;
  for (const RunResults& run : runs) {
    for (const Strongest& item : run.ranking) {
      if (item.unprotected || !item.gain.pic || !item.healthy) continue;
      const std::string target = target_name(item.about, item.attribute);
      const auto same = [&](const auto& entry) { return entry.first == target; };
      auto found = std::find_if(targets.begin(), targets.end(), same);
      if (found == targets.end()) found = targets.insert(targets.end(), {target, {}});
      found->second.push_back(&item);
    }
  }
  std::vector<Figure> out;
  for (const auto& [target, items] : targets) out.push_back(tradeoff_figure(target, items, style));
  return out;
}

}  // namespace bauta::report
