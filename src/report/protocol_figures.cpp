// The data flow of a privacy evaluation protocol (S1, Fig. 1, 2 and 4), with the folds of this run.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bauta/report/figure_style.hpp"
#include "bauta/report/figures.hpp"
#include "bauta/report/text.hpp"

namespace bauta::report {
namespace {

constexpr double width = 1010;
constexpr double height = 366;
// What a part of the data is for: its colour.
constexpr const char* train_color = "#0072B2";
constexpr const char* dev_color = "#E69F00";
constexpr const char* test_color = "#009E73";
constexpr const char* protection_color = "#CC79A7";
constexpr const char* plain = "currentColor";

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
  void text(double x, double y, const std::string& bold, const std::vector<std::string>& lines = {}) {
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
    const auto part = [](const char* name, Json mark, Json encoding = Json::object()) {
      return Json{{"transform", {{{"filter", fmt::format("datum.part === '{}'", name)}}}},
                  {"mark", std::move(mark)},
                  {"encoding", std::move(encoding)}};
    };
    const Json ends = {{"x2", {{"field", "x2"}}}, {"y2", {{"field", "y2"}}}};
    const Json words = {{"text", {{"field", "text"}}}};
    const Json color = {{"field", "color"}, {"type", "nominal"}, {"scale", nullptr}, {"legend", nullptr}};
    Json box = ends;
    box["fill"] = color;
    box["stroke"] = color;
    box["fillOpacity"] = {{"field", "fill"}, {"type", "quantitative"}, {"scale", nullptr}, {"legend", nullptr}};
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
    Json layers = Json::array();
    for (const Json& layer :
         {part("line", {{"type", "rule"}, {"color", plain}, {"strokeWidth", 1.3}}, ends),
          part("dashed", {{"type", "rule"}, {"color", plain}, {"strokeWidth", 1.3}, {"strokeDash", {4, 3}}}, ends),
          part("head",
               {{"type", "point"},
                {"shape", "triangle"},
                {"filled", true},
                {"size", 70},
                {"color", plain},
                {"opacity", 1}},
               {{"angle", {{"field", "angle"}, {"type", "quantitative"}, {"scale", nullptr}}}}),
          part("box", {{"type", "rect"}, {"cornerRadius", 6}, {"strokeWidth", 1.4}}, box),
          part("bold",
               {{"type", "text"}, {"fontSize", 13}, {"fontWeight", "bold"}, {"color", plain}, {"baseline", "middle"}},
               words),
          part("text", {{"type", "text"}, {"fontSize", 12}, {"color", plain}, {"baseline", "middle"}}, words)}) {
      layers.push_back(layer);
    }
    out["layer"] = std::move(layers);
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
void draw_folds(Drawing& sheet, const Protocol& protocol) {
  const auto count = [](Number value) { return value ? static_cast<int>(std::clamp(*value, 0.0, 20.0)) : 0; };
  const int train = count(protocol.train);
  const int dev = count(protocol.dev);
  const int folds = train + dev + count(protocol.test);
  const int rotations = std::min(count(protocol.rotations), folds);
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

Figure protocol_figure(const RunResults& run, const std::string& name) {
  const Protocol& protocol = *run.protocol;
  const bool strict = protocol.kind == "PEP-LBS";
  const bool learns = strict || protocol.kind == "PEP-LBL";
  constexpr const char* colors[] = {train_color, dev_color, test_color};
  Drawing sheet;
  draw_folds(sheet, protocol);

  const Number counts[] = {protocol.train, protocol.dev, protocol.test};
  const char* const part_names[] = {"train", "dev", "test"};
  for (int row = 0; row < 3; ++row) {
    sheet.box(parts[0], row_top[row], parts[1], row_top[row] + box_height, colors[row]);
    sheet.text((parts[0] + parts[1]) / 2, middle(row), std::string("D_") + part_names[row], {folds_text(counts[row])});
  }
  sheet.text((parts[0] + parts[1]) / 2, 38, "clear");
  sheet.text((transformed[0] + transformed[1]) / 2, 38, "protected");

  sheet.box(protection[0], row_top[0], protection[1], row_top[2] + box_height, protection_color);
  sheet.text((protection[0] + protection[1]) / 2, middle(1), "Protection",
             learns ? std::vector<std::string>{"learns, then", "transforms"}
                    : std::vector<std::string>{"transforms,", "learns nothing"});
  const double between = (parts[1] + protection[0]) / 2;
  for (int row = 0; row < 3; ++row) {
    const bool teaches = learns && row < 2;
    const bool passes = !strict || row == 2;
    const double shift = teaches && passes ? 15 : 0;
    if (teaches) {
      sheet.arrow(parts[1] + 2, middle(row) - shift, protection[0] - 2, middle(row) - shift, true);
      sheet.text(between, middle(row) - shift - 10, "", {row == 0 ? "trains it" : "tunes it"});
    }
    if (passes) sheet.arrow(parts[1] + 2, middle(row) + shift, protection[0] - 2, middle(row) + shift);
  }

  // Under the strict protocol attackers see nothing that the protection learned from.
  const double split = (protection[1] + transformed[0]) / 2 - 6;
  if (strict) {
    sheet.line(protection[1] + 2, middle(2), split, middle(2));
    sheet.line(split, middle(0), split, middle(2));
    sheet.text((protection[1] + transformed[0]) / 2, row_top[2] + box_height + 18, "", {"D_test alone, split again"});
  }
  for (int row = 0; row < 3; ++row) {
    sheet.arrow(strict ? split : protection[1] + 2, middle(row), transformed[0] - 2, middle(row));
    sheet.box(transformed[0], row_top[row], transformed[1], row_top[row] + box_height, colors[row]);
    sheet.text((transformed[0] + transformed[1]) / 2, middle(row), std::string("T_") + part_names[row],
               {strict ? "a third of D_test" : folds_text(counts[row])});
    sheet.arrow(transformed[1] + 2, middle(row), uses[0] - 2, middle(row));
  }

  const char* const verbs[] = {"Training", "Tuning", "Evaluation"};
  const std::vector<std::string> what[] = {
      {"of the estimators"}, {"of the estimators"}, {"of attackers", "and of recognition"}};
  for (int row = 0; row < 3; ++row) {
    sheet.box(uses[0], row_top[row], uses[1], row_top[row] + box_height, plain, 0.06);
    sheet.text((uses[0] + uses[1]) / 2, middle(row), verbs[row], what[row]);
    if (row < 2)
      sheet.arrow((uses[0] + uses[1]) / 2, row_top[row] + box_height + 2, (uses[0] + uses[1]) / 2,
                  row_top[row + 1] - 2);
  }

  const std::string overlap =
      strict ? "The protection learns from people whom no attacker and no evaluation sees."
      : learns
          ? "The protection has learned from the people on whom attackers train, but not from those of the evaluation."
          : "The protection learns from nobody.";
  const std::string rotations = protocol.rotations && *protocol.rotations > 1
                                    ? fmt::format(" Results pool T_test of {:.0f} rotations.", *protocol.rotations)
                                    : std::string();
  return {
      name,
      fmt::format("Data flow of {}", protocol.text) +
          (run.name.empty() || name == "protocol" ? "" : ", run " + run.name),
      fmt::format(
          "Data flow of protocol {}: parts D_train, D_dev and D_test of the clear data, the protection, and the "
          "protected parts T_train, T_dev and T_test on which estimators are trained, tuned and evaluated.",
          protocol.text),
      "Colours tell what a part is for: training, tuning, evaluation. Dashed arrows teach the protection, solid ones "
      "carry data through it. " +
          overlap + rotations,
      sheet.spec("Data flow of " + protocol.text)};
}

}  // namespace

std::vector<Figure> protocol_figures(const std::vector<RunResults>& runs) {
  std::vector<Figure> out;
  for (const RunResults& run : runs) {
    // Closed sets have no folds that flow anywhere.
    if (!run.protocol || run.protocol->kind.starts_with("closed-set")) continue;
    out.push_back(protocol_figure(run, runs.size() > 1 ? "protocol-" + slug(run.name) : "protocol"));
  }
  return out;
}

}  // namespace bauta::report
