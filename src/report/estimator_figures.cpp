// Estimators in pictures: success per technique, learning curves, and what was found of planted leaks.
#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "bauta/report/figure_style.hpp"
#include "bauta/report/figures.hpp"
#include "bauta/report/text.hpp"

namespace bauta::report {
namespace {

using Names = std::vector<std::string>;

const char* const similarity_name = "similarity attack";

void add_once(Names& list, const std::string& item) {
  if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

/// Names of all estimators, so that one looks the same in every figure; the similarity attack is black.
SeriesStyle estimator_style(const std::vector<RunResults>& runs) {
  Names names;
  for (const RunResults& run : runs) {
    for (const AttributeAttack& attack : run.attacks) {
      if (attack.kind != "estimate") continue;
      for (const AttackResult& result : attack.results) add_once(names, result.rule);
    }
  }
  return {"estimator", names};
}

Names attributes_of(const std::vector<RunResults>& runs) {
  Names out;
  for (const RunResults& run : runs) {
    for (const AttributeAttack& attack : run.attacks) add_once(out, attack.attribute);
  }
  return out;
}

/// One figure per attribute for which `make` finds something to draw.
std::vector<Figure> per_attribute(const std::vector<RunResults>& runs,
                                  const std::function<Figure(const std::string& attribute)>& make) {
  std::vector<Figure> out;
  for (const std::string& attribute : attributes_of(runs)) out.push_back(make(attribute));
  std::erase_if(out, [](const Figure& figure) { return figure.spec.is_null(); });
  return out;
}

void add_measured(Json& row, const Measured& value) {
  row["balanced"] = rounded(*value.value);
  row["low"] = rounded(value.ci ? value.ci->low : *value.value);
  row["high"] = rounded(value.ci ? value.ci->high : *value.value);
}

// A line from one point to another in every panel, on the axes of the marks.
Json guide(Json x, Json y, const Json& ends, const Json& dash) {
  x["field"] = "x";
  y["field"] = "y";
  return {{"data", {{"values", Json::array({ends})}}},
          {"mark", {{"type", "rule"}, {"color", "currentColor"}, {"opacity", 0.55}, {"strokeDash", dash}}},
          {"encoding", {{"x", x}, {"x2", {{"field", "x2"}}}, {"y", y}, {"y2", {{"field", "y2"}}}}}};
}

Json percent_of(const char* field, const char* title) {
  return {{"field", field}, {"title", title}, {"format", ".1%"}};
}

/// Small panels, one per technique.
Json panels(const std::string& title, Json rows, const Names& techniques, Json layers) {
  Json spec = base_spec(title, std::move(rows));
  spec["facet"] = {{"field", "technique"}, {"type", "nominal"}, {"title", nullptr}, {"sort", techniques}};
  spec["columns"] = std::min<std::size_t>(3, techniques.size());
  spec["spec"] = {{"width", 250}, {"height", 190}, {"layer", std::move(layers)}};
  spec["bounds"] = "flush";
  spec["spacing"] = {{"row", 42}, {"column", 24}};
  return spec;
}

Figure success_figure(const std::string& attribute, const std::vector<RunResults>& runs, const SeriesStyle& style) {
  Json rows = Json::array();
  Names techniques, estimators;
  Number chance;
  for (const RunResults& run : runs) {
    for (const AttributeAttack& attack : run.attacks) {
      if (attack.attribute != attribute || attack.kind != "estimate") continue;
      if (attack.chance) chance = attack.chance;
      for (const AttackResult& result : attack.results) {
        if (!result.balanced) continue;
        const Evidence& found = result.evidence;
        Json row = {{"technique", attack.series.label},
                    {"estimator", result.rule},
                    {"health", found.unhealthy() ? "unhealthy" : "healthy"},
                    {"best", attack.best && attack.best->rule == result.rule}};
        add_measured(row, {result.balanced, result.ci});
        if (found.clear) row["clear"] = rounded(*found.clear->value);
        rows.push_back(std::move(row));
        add_once(techniques, attack.series.label);
        add_once(estimators, result.rule);
      }
    }
  }
  Figure out{"estimators-" + slug(attribute), "Estimators, " + attribute,
             fmt::format("Balanced accuracy of {} estimators of {} on {} techniques, with the chance level.",
                         estimators.size(), attribute, techniques.size()),
             "One row per technique; further left is better protection. The bar is the 95 % interval of the most "
             "successful healthy estimator, the dashed line blind guessing.",
             Json()};
  if (rows.empty()) return out;
  const Json y = {
      {"field", "technique"},
      {"type", "nominal"},
      {"sort", techniques},
      {"title", nullptr},
      {"axis", {{"labelLimit", 260}, {"grid", true}, {"domain", false}, {"ticks", false}, {"labelPadding", 8}}}};
  const Json x = {{"field", "balanced"},
                  {"type", "quantitative"},
                  {"scale", {{"zero", false}, {"nice", false}, {"padding", 10}}},
                  {"axis", few_ticks(percent_axis("Balanced accuracy (%)"))}};
  const Json tooltip = {{{"field", "technique"}},
                        {{"field", "estimator"}},
                        {{"field", "health"}},
                        percent_of("balanced", "balanced accuracy"),
                        percent_of("low", "95 % from"),
                        percent_of("high", "95 % to"),
                        percent_of("clear", "on clear data")};
  Json low = x;
  low["field"] = "low";
  const Json interval = {
      {"transform", {{{"filter", "datum.best && datum.health === 'healthy'"}}}},
      {"mark", {{"type", "rule"}, {"strokeWidth", 5}, {"opacity", 0.35}}},
      {"encoding", {{"x", low}, {"x2", {{"field", "high"}}}, {"y", y}, {"color", style.color(estimators)}}}};
  Json point = {{"transform", {{{"filter", "datum.health === 'healthy'"}}}},
                {"mark", {{"type", "point"}, {"filled", true}, {"size", 70}, {"opacity", 0.95}}},
                {"encoding",
                 {{"x", x},
                  {"y", y},
                  {"color", style.color(estimators)},
                  {"shape", style.shape(estimators)},
                  {"tooltip", tooltip}}}};
  Json hollow = point;
  hollow["transform"] = {{{"filter", "datum.health !== 'healthy'"}}};
  hollow["mark"] = {{"type", "point"}, {"filled", false}, {"size", 55}, {"opacity", 0.95}};
  Json layers = Json::array();
  if (chance) {
    layers.push_back({{"data", {{"values", {{{"chance", rounded(*chance)}}}}}},
                      {"mark", {{"type", "rule"}, {"color", "currentColor"}, {"opacity", 0.6}, {"strokeDash", {4, 4}}}},
                      {"encoding", {{"x", {{"field", "chance"}, {"type", "quantitative"}}}}}});
  }
  layers.push_back(interval);
  layers.push_back(point);
  const bool broken =
      std::any_of(rows.begin(), rows.end(), [](const Json& row) { return row["health"] == "unhealthy"; });
  if (broken) {
    layers.push_back(std::move(hollow));
    out.caption += " Hollow marks are unhealthy estimators, which say nothing about protection.";
  }
  out.spec = base_spec(fmt::format("Estimators of {}", attribute), std::move(rows));
  out.spec["width"] = 560;
  out.spec["height"] = {{"step", 26}};
  out.spec["layer"] = std::move(layers);
  return out;
}

Figure learning_figure(const std::string& attribute, const std::vector<RunResults>& runs, const SeriesStyle& style) {
  Json rows = Json::array();
  Names techniques, estimators;
  Number chance;
  double least = 1e300, most = 0;
  for (const RunResults& run : runs) {
    for (const AttributeAttack& attack : run.attacks) {
      if (attack.attribute != attribute) continue;
      for (const AttackResult& result : attack.results) {
        for (const LearningPoint& point : result.evidence.learning_curve) {
          if (!point.identities || *point.identities <= 0) continue;
          if (attack.chance) chance = attack.chance;
          Json row = {{"technique", attack.series.label},
                      {"estimator", result.rule},
                      {"identities", *point.identities},
                      {"pattern", style.pattern(result.rule)}};
          add_measured(row, point.balanced);
          rows.push_back(std::move(row));
          add_once(techniques, attack.series.label);
          add_once(estimators, result.rule);
          least = std::min(least, *point.identities);
          most = std::max(most, *point.identities);
        }
      }
    }
  }
  Figure out{"learning-" + slug(attribute), "Learning curves, " + attribute,
             fmt::format("Balanced accuracy of guessing {} against the number of people trained on, one panel per "
                         "technique ({}).",
                         attribute, techniques.size()),
             "A curve that still rises at its right end belongs to an attacker who would learn more from more people. "
             "Dashed line: blind guessing. Bars are 95 % intervals.",
             Json()};
  if (rows.empty()) return out;
  const Json x = {
      {"field", "identities"},
      {"type", "quantitative"},
      {"scale", {{"type", "log"}, {"domain", {least / 1.15, most * 1.15}}, {"nice", false}}},
      {"axis",
       {{"title", "People trained on (logarithmic)"}, {"format", "~s"}, {"tickCount", 5}, {"labelOverlap", "greedy"}}}};
  const Json y = {{"field", "balanced"},
                  {"type", "quantitative"},
                  {"scale", {{"zero", false}}},
                  {"axis", percent_axis("Balanced accuracy (%)")}};
  Json low = y;
  low["field"] = "low";
  const Json tooltip = {{{"field", "technique"}},
                        {{"field", "estimator"}},
                        {{"field", "identities"}, {"title", "people"}},
                        percent_of("balanced", "balanced accuracy"),
                        percent_of("low", "95 % from"),
                        percent_of("high", "95 % to")};
  Json layers = Json::array();
  if (chance) {
    const double value = rounded(*chance);
    layers.push_back(guide(x, y, {{"x", least / 1.15}, {"x2", most * 1.15}, {"y", value}, {"y2", value}}, {4, 4}));
  }
  layers.push_back(
      {{"mark", {{"type", "rule"}, {"opacity", 0.5}}},
       {"encoding", {{"x", x}, {"y", low}, {"y2", {{"field", "high"}}}, {"color", style.color(estimators)}}}});
  layers.push_back(
      {{"mark", {{"type", "line"}, {"strokeWidth", 1.8}}},
       {"encoding", {{"x", x}, {"y", y}, {"color", style.color(estimators)}, {"strokeDash", SeriesStyle::dash()}}}});
  layers.push_back({{"mark", {{"type", "point"}, {"filled", true}, {"size", 45}, {"opacity", 1}}},
                    {"encoding",
                     {{"x", x},
                      {"y", y},
                      {"color", style.color(estimators)},
                      {"shape", style.shape(estimators)},
                      {"tooltip", tooltip}}}});
  out.spec = panels(fmt::format("Learning curves, {}", attribute), std::move(rows), techniques, std::move(layers));
  return out;
}

Figure control_figure(const std::string& attribute, const std::vector<RunResults>& runs, const SeriesStyle& style) {
  Json rows = Json::array();
  Names techniques, attacks;
  double chance = 0;
  const auto add = [&](const AttributeAttack& attack, const std::string& name, const Controls& control) {
    const auto add_row = [&](const Planted& leak, double size) {
      Json row = {{"technique", attack.series.label},
                  {"estimator", name},
                  {"size", rounded(size)},
                  {"found", leak.found ? "found" : "not found"}};
      add_measured(row, leak.balanced);
      rows.push_back(std::move(row));
    };
    if (control.empty() || !attack.chance) return;
    chance = *attack.chance;
    if (control.null) add_row(*control.null, chance);
    for (const Planted& leak : control.planted) add_row(leak, *leak.size);
    add_once(techniques, attack.series.label);
    add_once(attacks, name);
  };
  for (const RunResults& run : runs) {
    for (const AttributeAttack& attack : run.attacks) {
      if (attack.attribute != attribute) continue;
      add(attack, similarity_name, attack.control);
      for (const AttackResult& result : attack.results) add(attack, result.rule, result.evidence.control);
    }
  }
  Figure out{
      "controls-" + slug(attribute), "Controls, " + attribute,
      fmt::format("What the attacks on {} found of planted leaks of known size, one panel per technique ({}).",
                  attribute, techniques.size()),
      "Each planted leak stands at the success of an attacker who knows it; an attack on the dotted diagonal finds "
      "all of it, one on the dashed line nothing. Filled marks were told from chance, hollow ones were not. "
      "Leftmost, nothing was planted.",
      Json()};
  if (rows.empty()) return out;
  const double end = 1.02;
  const Json x = {{"field", "at"},
                  {"type", "quantitative"},
                  {"scale", {{"domain", {rounded(chance - 0.03), end}}, {"nice", false}, {"zero", false}}},
                  {"axis", few_ticks(percent_axis("Planted leak (%)"))}};
  const Json y = {{"field", "balanced"},
                  {"type", "quantitative"},
                  {"scale", {{"zero", false}}},
                  {"axis", percent_axis("Balanced accuracy (%)")}};
  Json low = y;
  low["field"] = "low";
  const Json tooltip = {{{"field", "technique"}},
                        {{"field", "estimator"}, {"title", "attack"}},
                        percent_of("size", "planted"),
                        percent_of("balanced", "balanced accuracy"),
                        percent_of("low", "95 % from"),
                        percent_of("high", "95 % to"),
                        {{"field", "found"}, {"title", "told from chance"}}};
  // Attacks stand side by side, or their marks would hide each other.
  for (Json& row : rows) {
    const auto place = std::find(attacks.begin(), attacks.end(), row["estimator"].get<std::string>()) - attacks.begin();
    const double from_middle = static_cast<double>(place) - 0.5 * static_cast<double>(attacks.size() - 1);
    row["at"] = rounded(row["size"].get<double>() + 0.006 * from_middle);
  }
  Json color = style.color(attacks);
  Json shape = style.shape(attacks);
  Json filled = {{"mark", {{"type", "point"}, {"filled", true}, {"size", 45}, {"opacity", 1}}},
                 {"encoding", {{"x", x}, {"y", y}, {"color", color}, {"shape", shape}, {"tooltip", tooltip}}}};
  filled["transform"] = {{{"filter", "datum.found === 'found'"}}};
  Json hollow = filled;
  hollow["mark"]["filled"] = false;
  hollow["transform"] = {{{"filter", "datum.found !== 'found'"}}};
  Json layers = Json::array();
  layers.push_back(guide(x, y, {{"x", rounded(chance)}, {"x2", 1}, {"y", rounded(chance)}, {"y2", 1}}, {1, 3}));
  layers.push_back(guide(
      x, y, {{"x", rounded(chance - 0.03)}, {"x2", end}, {"y", rounded(chance)}, {"y2", rounded(chance)}}, {4, 4}));
  layers.push_back({{"mark", {{"type", "rule"}, {"opacity", 0.5}}},
                    {"encoding", {{"x", x}, {"y", low}, {"y2", {{"field", "high"}}}, {"color", color}}}});
  layers.push_back(std::move(filled));
  layers.push_back(std::move(hollow));
  out.spec = panels(fmt::format("Controls, {}", attribute), std::move(rows), techniques, std::move(layers));
  return out;
}

}  // namespace

std::vector<Figure> estimator_figures(const std::vector<RunResults>& runs) {
  const SeriesStyle style = estimator_style(runs);
  return per_attribute(runs, [&](const std::string& attribute) { return success_figure(attribute, runs, style); });
}

std::vector<Figure> learning_figures(const std::vector<RunResults>& runs) {
  const SeriesStyle style = estimator_style(runs);
  return per_attribute(runs, [&](const std::string& attribute) { return learning_figure(attribute, runs, style); });
}

std::vector<Figure> control_figures(const std::vector<RunResults>& runs) {
  const SeriesStyle style = estimator_style(runs);
  return per_attribute(runs, [&](const std::string& attribute) { return control_figure(attribute, runs, style); });
}

}  // namespace bauta::report
