// The chapter about controls: an attack that finds nothing proves protection only if it finds what was planted.
#include "controls.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "chapter.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

std::optional<Planted> read_planted(const Json& values) {
  const std::optional<Measured> balanced = measured(values, "balanced");
  if (!balanced) return std::nullopt;
  return Planted{number(values, "size"), *balanced, is_true(values, "found")};
}

// What the planted leaks came to: "60 % missed, 75 % found".
std::string planted_text(const Controls& control) {
  Names out;
  for (const Planted& leak : control.planted) {
    out.push_back(percent_name(*leak.size) + (leak.found ? " found" : " missed"));
  }
  return joined(out);
}

Table health_table(const std::vector<Controlled>& all) {
  Table table{"health", "Attack health and controls",
              "Null control: nothing to find, so chance is right. Planted leaks are named by the balanced accuracy of "
              "an attacker who knows what was planted; smaller leaks than the smallest one found could have stayed "
              "unseen in this experiment. † To be distrusted: unhealthy, or found something where nothing is."};
  for (const Controlled& item : all) {
    const Controls& control = item.controls;
    if (control.empty() && !item.healthy) continue;
    const std::size_t planted = control.planted.size();
    const auto seen =
        std::count_if(control.planted.begin(), control.planted.end(), [](const Planted& leak) { return leak.found; });
    const Measured null = control.null ? control.null->balanced : Measured{};
    Row row(table);
    row.series(item.series)
        .text("Attribute", "attribute", item.attribute)
        .field("kind", Json(item.question))
        .text("Attack", "attack", item.attack)
        .show("Health",
              {!item.healthy   ? "not checked"
               : *item.healthy ? "healthy"
                               : "unhealthy"},
              Table::Align::left)
        .star(item.healthy == false)
        .health(item.healthy)
        .rate("Null control", "null", null)
        .star(control.null && control.null->found)
        .field("null_found", control.null ? Json(control.null->found) : Json())
        .show("Planted leaks found", {planted ? fmt::format("{} of {}", seen, planted) : "–", planted_text(control)})
        .field("planted", Json(planted))
        .field("planted_found", Json(seen))
        .show("Smallest leak found", {control.smallest ? percent(control.smallest) : (planted ? "none of these" : "–")})
        .field("smallest", control.smallest);
  }
  return table;
}

constexpr double end_of_axis = 1.02;

// A line from one point to another in every panel, on the axes of the marks.
Json guide(Json x, Json y, const Json& ends, const Json& dash) {
  x["field"] = "x";
  y["field"] = "y";
  return {{"data", {{"values", Json::array({ends})}}},
          {"mark", {{"type", "rule"}, {"color", "currentColor"}, {"opacity", 0.55}, {"strokeDash", dash}}},
          {"encoding", {{"x", x}, {"x2", {{"field", "x2"}}}, {"y", y}, {"y2", {{"field", "y2"}}}}}};
}

Json control_layers(const Json& rows, const SeriesStyle& style, const Names& attacks, double chance) {
  const Json x = numeric("at", few_ticks(percent_axis("Planted leak (%)")),
                         {{"domain", {rounded(chance - 0.03), end_of_axis}}, {"nice", false}, {"zero", false}});
  const Json y = numeric("balanced", percent_axis("Balanced accuracy (%)"), {{"zero", false}});
  Json low = y;
  low["field"] = "low";
  const Json tooltip = tooltip_of({{"technique"},
                                   {"estimator", "attack"},
                                   {"size", "planted", ".1%"},
                                   {"balanced", "balanced accuracy", ".1%"},
                                   {"low", "95 % from", ".1%"},
                                   {"high", "95 % to", ".1%"},
                                   {"found", "told from chance"}});
  const Json color = style.color(attacks);
  const Json mark = {
      {"mark", {{"type", "point"}, {"filled", true}, {"size", 45}, {"opacity", 1}}},
      {"encoding", {{"x", x}, {"y", y}, {"color", color}, {"shape", style.shape(attacks)}, {"tooltip", tooltip}}}};
  Json hollow = mark;
  hollow["mark"]["filled"] = false;
  const double level = rounded(chance);
  Json layers = Json::array();
  layers.push_back(guide(x, y, {{"x", level}, {"x2", 1}, {"y", level}, {"y2", 1}}, {1, 3}));
  layers.push_back(
      guide(x, y, {{"x", rounded(chance - 0.03)}, {"x2", end_of_axis}, {"y", level}, {"y2", level}}, {4, 4}));
  layers.push_back({{"mark", {{"type", "rule"}, {"opacity", 0.5}}},
                    {"encoding", {{"x", x}, {"y", low}, {"y2", {{"field", "high"}}}, {"color", color}}}});
  add_where(layers, rows, "found", "found", mark);
  add_where(layers, rows, "found", "not found", hollow);
  return layers;
}

Figure control_figure(const std::string& attribute, const Shared& shared) {
  Json rows = Json::array();
  Names techniques, attacks;
  double chance = 0;
  for (const Controlled& item : shared.controls) {
    if (item.attribute != attribute || item.controls.empty() || !item.chance) continue;
    chance = *item.chance;
    const auto add = [&](const Planted& leak, double size) {
      rows.push_back({{"technique", item.series.label},
                      {"estimator", item.name},
                      {"size", rounded(size)},
                      {"found", leak.found ? "found" : "not found"}});
      put(rows.back(), "balanced", leak.balanced);
    };
    if (item.controls.null) add(*item.controls.null, chance);
    for (const Planted& leak : item.controls.planted) add(leak, *leak.size);
    add_once(techniques, item.series.label);
    add_once(attacks, item.name);
  }
  Figure out{
      "controls-" + slug(attribute), "Controls, " + attribute,
      fmt::format("What the attacks on {} found of planted leaks of known size, one panel per technique ({}).",
                  attribute, techniques.size()),
      "Each planted leak stands at the success of an attacker who knows it; an attack on the dotted diagonal finds "
      "all of it, one on the dashed line nothing. Filled marks were told from chance, hollow ones were not. "
      "Leftmost, nothing was planted."};
  if (rows.empty()) return out;
  // Attacks stand side by side, or their marks would hide each other.
  for (Json& row : rows) {
    const auto place = std::find(attacks.begin(), attacks.end(), row["estimator"].get<std::string>()) - attacks.begin();
    const double from_middle = static_cast<double>(place) - 0.5 * static_cast<double>(attacks.size() - 1);
    row["at"] = rounded(row["size"].get<double>() + 0.006 * from_middle);
  }
  Json layers = control_layers(rows, {"estimator", shared.attackers}, attacks, chance);
  out.spec = base_spec(fmt::format("Controls, {}", attribute), std::move(rows));
  in_small_panels(out.spec, techniques, std::move(layers));
  return out;
}

class ControlsChapter : public Chapter {
 public:
  [[nodiscard]] std::vector<Section> write(const Shared& shared) const override {
    Section out{"health", "Controls", "Can the attacks be trusted?",
                "An attack that finds nothing proves protection only if it finds leaks that were planted, and stays "
                "silent where there is nothing."};
    out.definitions = {{"Healthy", "An attacker beats chance on clear data, and finds nothing where nothing is."},
                       {"Controls",
                        "Null: data with nothing to find. Planted: a leak of known size, named by the balanced "
                        "accuracy of an attacker who knows it."}};
    out.add_long(health_table(shared.controls), "Attack health and controls in numbers");
    Names attributes;
    for (const Controlled& item : shared.controls) add_once(attributes, item.attribute);
    std::vector<Figure> figures;
    for (const std::string& attribute : attributes) figures.push_back(control_figure(attribute, shared));
    out.add_panels(std::move(figures), "Planted leaks, one panel per technique");
    return {out};
  }
};

}  // namespace

Controls read_controls(const Json& values) {
  Controls out;
  out.null = read_planted(field(values, "null"));
  for (const Json& item : field(values, "planted")) {
    if (const std::optional<Planted> leak = read_planted(item); leak && leak->size) out.planted.push_back(*leak);
  }
  std::sort(out.planted.begin(), out.planted.end(),
            [](const Planted& a, const Planted& b) { return *a.size < *b.size; });
  out.smallest = number(values, "smallest");
  return out;
}

std::unique_ptr<Chapter> controls_chapter() {
  return std::make_unique<ControlsChapter>();
}

}  // namespace bauta::report
