// The chapter about controls: an attack that finds nothing proves protection only if it finds what was planted.
#include <algorithm>

#include <fmt/format.h>

#include "chapter.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

/// Planted leaks in order of their size: the balanced accuracy of an attacker who knows what was planted.
std::vector<const Json*> planted_leaks(const Json& control) {
  std::vector<const Json*> out;
  for (const Json* leak : objects(control, "planted")) {
    if (number(*leak, "size") && number(*leak, "balanced")) out.push_back(leak);
  }
  std::sort(out.begin(), out.end(),
            [](const Json* a, const Json* b) { return *number(*a, "size") < *number(*b, "size"); });
  return out;
}

/// Where nothing was planted; null where that was not tried.
const Json* null_control(const Json& control) {
  const Json& out = field(control, "null");
  return number(out, "balanced") ? &out : nullptr;
}

bool has_controls(const Json& control) {
  return null_control(control) || !planted_leaks(control).empty();
}

Table health_table(const std::vector<Controlled>& all) {
  Table table{"health", "Attack health and controls",
              "Null control: nothing to find, so chance is right. Planted leaks are named by the balanced accuracy of "
              "an attacker who knows what was planted; smaller leaks than the smallest one found could have stayed "
              "unseen in this experiment. † To be distrusted: unhealthy, or found something where nothing is."};
  for (const Controlled& item : all) {
    if (!has_controls(item.control) && !item.healthy) continue;
    const Json* null = null_control(item.control);
    const std::vector<const Json*> planted = planted_leaks(item.control);
    const Number smallest = number(item.control, "smallest");
    Names told;
    std::size_t seen = 0;
    for (const Json* leak : planted) {
      const bool found = is_true(*leak, "found");
      told.push_back(percent_name(*number(*leak, "size")) + (found ? " found" : " missed"));
      seen += found ? 1 : 0;
    }
    Row(table)
        .series(item.series)
        .text("Attribute", "attribute", item.attribute)
        .field("kind", Json(item.question))
        .text("Attack", "attack", item.attack)
        .health("Health", item.healthy)
        .rate("Null control", "null", null ? measured(*null, "balanced") : Measured{})
        .star(null && is_true(*null, "found"))
        .field("null_found", null ? Json(is_true(*null, "found")) : Json())
        .show("Planted leaks found",
              {planted.empty() ? "–" : fmt::format("{} of {}", seen, planted.size()), joined(told)})
        .field("planted", Json(planted.size()))
        .field("planted_found", Json(seen))
        .show("Smallest leak found", {smallest          ? percent(smallest)
                                      : planted.empty() ? "–"
                                                        : "none of these"})
        .field("smallest", smallest);
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
                                   {"balanced", "balanced accuracy", ".1%", true},
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
    if (item.attribute != attribute || !has_controls(item.control) || !item.chance) continue;
    chance = *item.chance;
    const auto add = [&](const Json& leak, double size) {
      rows.push_back({{"technique", item.series.label},
                      {"estimator", item.name},
                      {"size", rounded(size)},
                      {"found", is_true(leak, "found") ? "found" : "not found"}});
      put(rows.back(), "balanced", measured(leak, "balanced"));
    };
    if (const Json* null = null_control(item.control)) add(*null, chance);
    for (const Json* leak : planted_leaks(item.control)) add(*leak, *number(*leak, "size"));
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

std::vector<Section> write(const Shared& shared) {
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

}  // namespace

Chapter controls_chapter() {
  return {.write = write};
}

}  // namespace bauta::report
