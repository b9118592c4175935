// The chapter about the protocol: which data served for what.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "chapter.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

/// "PEP-TF-3-1-1"; empty where the data has no folds.
std::string protocol_name(const Json& protocol) {
  const std::string name = text(protocol, "text");
  return name.empty() || text(protocol, "kind").empty() ? text(protocol, "kind") : name;
}

// The data flow of a privacy evaluation protocol (S1, Fig. 1, 2 and 4), with the folds of this run.

constexpr double width = 1010;
constexpr double height = 366;
// What a part of the data is for: its colour.
constexpr const char* train_color = "#0072B2";
constexpr const char* dev_color = "#E69F00";
constexpr const char* test_color = "#009E73";
constexpr const char* protection_color = "#CC79A7";
constexpr const char* plain_color = "currentColor";

constexpr double row_top[] = {58, 158, 258};
constexpr double box_height = 74;
// Left and right edges of the columns: D, protection, T, what is done with it.
constexpr double parts[] = {205, 335}, protection[] = {445, 565}, transformed[] = {665, 795}, uses[] = {845, 1005};

double middle(int row) {
  return row_top[row] + box_height / 2;
}

/// Boxes, texts and arrows on a sheet whose units are pixels.
class Drawing {
 public:
  void box(double left, double top, double right, double bottom, const char* color, double opacity = 0.2) {
    rows_.push_back(
        {{"part", "box"}, {"x", left}, {"y", top}, {"x2", right}, {"y2", bottom}, {"color", color}, {"fill", opacity}});
  }
  /// Lines of text, centred.
  void text(double x, double y, const std::string& bold, const Names& lines = {}) {
    const double from = y - 8.0 * static_cast<double>(lines.size());
    if (!bold.empty()) rows_.push_back({{"part", "bold"}, {"x", x}, {"y", from}, {"text", bold}});
    for (std::size_t i = 0; i < lines.size(); ++i) {
      rows_.push_back({{"part", "text"},
                       {"x", x},
                       {"y", from + 16.0 * static_cast<double>(i + (bold.empty() ? 0 : 1))},
                       {"text", lines[i]}});
    }
  }
  void line(double x, double y, double x2, double y2, bool dashed = false) {
    rows_.push_back({{"part", dashed ? "dashed" : "line"}, {"x", x}, {"y", y}, {"x2", x2}, {"y2", y2}});
  }
  void arrow(double x, double y, double x2, double y2, bool dashed = false) {
    line(x, y, x2, y2, dashed);
    // A triangle points up unless it is turned.
    const double angle = std::atan2(x2 - x, y - y2) * 180 / M_PI;
    const double reach = 4 / std::max(1.0, std::hypot(x2 - x, y2 - y));
    rows_.push_back({{"part", "head"}, {"x", x2 - (x2 - x) * reach}, {"y", y2 - (y2 - y) * reach}, {"angle", angle}});
  }

  [[nodiscard]] Json spec(const std::string& title) {
    static const Json layers = Json::parse(R"([
      {"transform": [{"filter": "datum.part === 'line'"}], "mark": {"type": "rule", "color": "currentColor", "strokeWidth": 1.3},
       "encoding": {"x2": {"field": "x2"}, "y2": {"field": "y2"}}},
      {"transform": [{"filter": "datum.part === 'dashed'"}],
       "mark": {"type": "rule", "color": "currentColor", "strokeWidth": 1.3, "strokeDash": [4, 3]},
       "encoding": {"x2": {"field": "x2"}, "y2": {"field": "y2"}}},
      {"transform": [{"filter": "datum.part === 'head'"}],
       "mark": {"type": "point", "shape": "triangle", "filled": true, "size": 70, "color": "currentColor", "opacity": 1},
       "encoding": {"angle": {"field": "angle", "type": "quantitative", "scale": null}}},
      {"transform": [{"filter": "datum.part === 'box'"}], "mark": {"type": "rect", "cornerRadius": 6, "strokeWidth": 1.4},
       "encoding": {"x2": {"field": "x2"}, "y2": {"field": "y2"},
         "fill": {"field": "color", "type": "nominal", "scale": null, "legend": null},
         "stroke": {"field": "color", "type": "nominal", "scale": null, "legend": null},
         "fillOpacity": {"field": "fill", "type": "quantitative", "scale": null, "legend": null}}},
      {"transform": [{"filter": "datum.part === 'bold'"}],
       "mark": {"type": "text", "fontSize": 13, "fontWeight": "bold", "color": "currentColor", "baseline": "middle"},
       "encoding": {"text": {"field": "text"}}},
      {"transform": [{"filter": "datum.part === 'text'"}],
       "mark": {"type": "text", "fontSize": 12, "color": "currentColor", "baseline": "middle"},
       "encoding": {"text": {"field": "text"}}}])");
    const auto axis = [](const char* name, const Json& domain) {
      return Json{{"field", name},
                  {"type", "quantitative"},
                  {"axis", nullptr},
                  {"scale", {{"domain", domain}, {"nice", false}, {"zero", false}}}};
    };
    Json out = base_spec(title, std::move(rows_));
    out["width"] = width;
    out["height"] = height;
    out["usermeta"] = {{"fixed", true}};
    out["encoding"] = {{"x", axis("x", {0, width})}, {"y", axis("y", {height, 0})}};
    out["layer"] = layers;
    return out;
  }

 private:
  Json rows_ = Json::array();
};

std::string folds_text(Number count) {
  if (!count) return {};
  return fmt::format("{:.0f} {}", *count, *count == 1 ? "fold" : "folds");
}

// Which fold serves for what: rotation r begins with fold r.
void draw_folds(Drawing& sheet, const Json& protocol) {
  const auto count = [](Number value) { return value ? static_cast<int>(std::clamp(*value, 0.0, 20.0)) : 0; };
  const int train = count(number(protocol, "train"));
  const int dev = count(number(protocol, "dev"));
  const int folds = train + dev + count(number(protocol, "test"));
  const int rotations = std::min(count(number(protocol, "rotations")), folds);
  if (folds < 1 || rotations < 1) return;
  const double side = std::min(24.0, std::min(130.0 / folds, 250.0 / rotations));
  const double left = 36;
  const double top = row_top[0] + 12;
  sheet.text(left + side * folds / 2, 38, fmt::format("{} folds", folds), {});
  sheet.text(left + side * folds / 2, top - 4 + side * rotations + 20, "",
             {rotations > 1 ? "one row per rotation" : "one split"});
  for (int rotation = 0; rotation < rotations; ++rotation) {
    for (int step = 0; step < folds; ++step) {
      const int fold = (rotation + step) % folds;
      const char* color = step < train ? train_color : step < train + dev ? dev_color : test_color;
      sheet.box(left + side * fold + 1, top + side * rotation + 1, left + side * (fold + 1) - 1,
                top + side * (rotation + 1) - 1, color, 0.55);
    }
  }
  for (int row = 0; row < 3; ++row)
    sheet.arrow(left + side * folds + 6, top + side * rotations / 2, parts[0] - 2, middle(row));
}

constexpr const char* colors[] = {train_color, dev_color, test_color};
constexpr const char* part_names[] = {"train", "dev", "test"};

double centre(const double (&column)[2]) {
  return (column[0] + column[1]) / 2;
}

// What the protection may learn from, and who sees what it learned from.
struct Learning {
  bool learns = false;
  bool strict = false;  ///< attackers see nothing that the protection learned from

  explicit Learning(const std::string& kind) : learns(kind.starts_with("PEP-LB")), strict(kind == "PEP-LBS") {}
};

void draw_clear_parts(Drawing& sheet, const Json& protocol) {
  const Number counts[] = {number(protocol, "train"), number(protocol, "dev"), number(protocol, "test")};
  sheet.text(centre(parts), 38, "clear");
  for (int row = 0; row < 3; ++row) {
    sheet.box(parts[0], row_top[row], parts[1], row_top[row] + box_height, colors[row]);
    sheet.text(centre(parts), middle(row), std::string("D_") + part_names[row], {folds_text(counts[row])});
  }
}

void draw_protection(Drawing& sheet, const Learning& how) {
  sheet.box(protection[0], row_top[0], protection[1], row_top[2] + box_height, protection_color);
  sheet.text(centre(protection), middle(1), "Protection",
             how.learns ? Names{"learns, then", "transforms"} : Names{"transforms,", "learns nothing"});
  const double between = (parts[1] + protection[0]) / 2;
  for (int row = 0; row < 3; ++row) {
    const bool teaches = how.learns && row < 2;
    const bool passes = !how.strict || row == 2;
    const double shift = teaches && passes ? 15 : 0;
    if (teaches) {
      sheet.arrow(parts[1] + 2, middle(row) - shift, protection[0] - 2, middle(row) - shift, true);
      sheet.text(between, middle(row) - shift - 10, "", {row == 0 ? "trains it" : "tunes it"});
    }
    if (passes) sheet.arrow(parts[1] + 2, middle(row) + shift, protection[0] - 2, middle(row) + shift);
  }
}

void draw_protected_parts(Drawing& sheet, const Json& protocol, const Learning& how) {
  const Number counts[] = {number(protocol, "train"), number(protocol, "dev"), number(protocol, "test")};
  sheet.text(centre(transformed), 38, "protected");
  const double split = (protection[1] + transformed[0]) / 2 - 6;
  if (how.strict) {
    sheet.line(protection[1] + 2, middle(2), split, middle(2));
    sheet.line(split, middle(0), split, middle(2));
    sheet.text((protection[1] + transformed[0]) / 2, row_top[2] + box_height + 18, "", {"D_test alone, split again"});
  }
  for (int row = 0; row < 3; ++row) {
    sheet.arrow(how.strict ? split : protection[1] + 2, middle(row), transformed[0] - 2, middle(row));
    sheet.box(transformed[0], row_top[row], transformed[1], row_top[row] + box_height, colors[row]);
    sheet.text(centre(transformed), middle(row), std::string("T_") + part_names[row],
               {how.strict ? "a third of D_test" : folds_text(counts[row])});
    sheet.arrow(transformed[1] + 2, middle(row), uses[0] - 2, middle(row));
  }
}

void draw_uses(Drawing& sheet) {
  const char* const verbs[] = {"Training", "Tuning", "Evaluation"};
  const Names what[] = {{"of the estimators"}, {"of the estimators"}, {"of attackers", "and of recognition"}};
  for (int row = 0; row < 3; ++row) {
    sheet.box(uses[0], row_top[row], uses[1], row_top[row] + box_height, plain_color, 0.06);
    sheet.text(centre(uses), middle(row), verbs[row], what[row]);
    if (row < 2) sheet.arrow(centre(uses), row_top[row] + box_height + 2, centre(uses), row_top[row + 1] - 2);
  }
}

std::string overlap_text(const Learning& how) {
  if (how.strict) return "The protection learns from people whom no attacker and no evaluation sees.";
  if (!how.learns) return "The protection learns from nobody.";
  return "The protection has learned from the people on whom attackers train, but not from those of the evaluation.";
}

// Null where nothing flows.
Figure data_flow_figure(const RunResults& run) {
  const Json& protocol = run.protocol;
  const std::string kind = text(protocol, "kind");
  // Closed sets have no folds that flow anywhere.
  if (kind.empty() || kind.starts_with("closed-set")) return {};
  const Learning how(kind);
  Drawing sheet;
  draw_folds(sheet, protocol);
  draw_clear_parts(sheet, protocol);
  draw_protection(sheet, how);
  draw_protected_parts(sheet, protocol, how);
  draw_uses(sheet);
  const double count = number(protocol, "rotations").value_or(1);
  const std::string title = "Data flow of " + protocol_name(protocol);
  return {run.file_name("protocol"), title + (run.several ? ", run " + run.name : ""),
          title +
              ": parts D_train, D_dev and D_test of the clear data, the protection, and the protected parts T_train, "
              "T_dev and T_test on which estimators are trained, tuned and evaluated.",
          "Colours tell what a part is for: training, tuning, evaluation. Dashed arrows teach the protection, solid "
          "ones carry data through it. " +
              overlap_text(how) + (count > 1 ? fmt::format(" Results pool T_test of {:.0f} rotations.", count) : ""),
          sheet.spec(title)};
}

Table protocol_table(const Runs& runs) {
  Names names, classes;
  for (const RunResults& run : runs) {
    for (const Json* fold : objects(run.protocol, "balance")) {
      add_once(names, protocol_name(run.protocol));
      for (const auto& [name, count] : named_numbers_of(field(*fold, "classes"))) add_once(classes, name);
    }
  }
  Table table{"protocol", "What is in the folds of " + joined(names),
              "Nobody stands in two folds. The more alike the folds, the less a result depends on the split."};
  for (const RunResults& run : runs) {
    for (const Json* fold : objects(run.protocol, "balance")) {
      Row row(table);
      row.field("run", Json(run.name))
          .field("protocol", Json(protocol_name(run.protocol)))
          .show("Fold", {run.prefixed("Fold " + grouped(number(*fold, "fold")))}, Table::Align::left)
          .field("fold", number(*fold, "fold"))
          .count("Identities", "identities", number(*fold, "identities"))
          .count("Samples", "samples", number(*fold, "samples"));
      for (const std::string& name : classes) {
        row.count(name, name.c_str(), number(field(*fold, "classes"), name.c_str()));
      }
    }
  }
  return table;
}

std::vector<Section> write(const Shared& shared) {
  Section out{"protocol", "Protocol", "Which data served for what?",
              "Follow the data from left to right: what a protection or an attacker has learned from is never what "
              "it is judged on.",
              true};
  std::vector<Figure> figures;
  for (const RunResults& run : shared.runs) figures.push_back(data_flow_figure(run));
  out.add(std::move(figures));
  out.add(protocol_table(shared.runs));
  return {out};
}

void tell(const RunResults& run, Card& card) {
  std::string name = protocol_name(run.protocol);
  if (name.empty()) name = text(field(run.experiment, "protocol"), "kind");
  if (!name.empty() && card.headline) card.threat_model.push_back("Protocol: " + name + ".");
}

}  // namespace

Chapter protocol_chapter() {
  return {.write = write, .tell = tell};
}

}  // namespace bauta::report
