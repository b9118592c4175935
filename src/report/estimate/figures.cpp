// Estimators in pictures: success per technique, and learning curves.
#include <algorithm>

#include <fmt/format.h>

#include "estimate.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

/// What a figure about one attribute collects.
struct Drawing {
  Json rows = Json::array();
  Names techniques, estimators;
  Number chance;

  /// A row of an estimator on a technique; `balanced` with its interval.
  Json& add(const Estimation& item, const EstimatorResult& result, const Measured& balanced) {
    if (item.chance) chance = item.chance;
    add_once(techniques, item.series.label);
    add_once(estimators, result.estimator);
    rows.push_back({{"technique", item.series.label}, {"estimator", result.estimator}});
    put(rows.back(), "balanced", balanced);
    return rows.back();
  }
};

Json chance_line(Number chance, const char* axis, Json channel) {
  channel["field"] = "chance";
  return {{"data", {{"values", {{{"chance", rounded(*chance)}}}}}},
          {"mark", {{"type", "rule"}, {"color", "currentColor"}, {"opacity", 0.6}, {"strokeDash", {4, 4}}}},
          {"encoding", {{axis, std::move(channel)}}}};
}

Json success_layers(const Drawing& drawing, const SeriesStyle& style) {
  const Json y = technique_axis(drawing.techniques);
  const Json x = numeric("balanced", few_ticks(percent_axis("Balanced accuracy (%)")),
                         {{"zero", false}, {"nice", false}, {"padding", 10}});
  const Json tooltip = tooltip_of({{"technique"},
                                   {"estimator"},
                                   {"health"},
                                   {"balanced", "balanced accuracy", ".1%"},
                                   {"low", "95 % from", ".1%"},
                                   {"high", "95 % to", ".1%"},
                                   {"clear", "on clear data", ".1%"}});
  Json low = x;
  low["field"] = "low";
  const Json color = style.color(drawing.estimators);
  const Json point = {
      {"mark", {{"type", "point"}, {"filled", true}, {"size", 70}, {"opacity", 0.95}}},
      {"encoding",
       {{"x", x}, {"y", y}, {"color", color}, {"shape", style.shape(drawing.estimators)}, {"tooltip", tooltip}}}};
  Json hollow = point;
  hollow["mark"] = {{"type", "point"}, {"filled", false}, {"size", 55}, {"opacity", 0.95}};
  Json layers = Json::array();
  if (drawing.chance) layers.push_back(chance_line(drawing.chance, "x", {{"type", "quantitative"}}));
  add_where(layers, drawing.rows, "bar", "best",
            {{"mark", {{"type", "rule"}, {"strokeWidth", 5}, {"opacity", 0.35}}},
             {"encoding", {{"x", low}, {"x2", {{"field", "high"}}}, {"y", y}, {"color", color}}}});
  add_where(layers, drawing.rows, "health", "healthy", point);
  add_where(layers, drawing.rows, "health", "unhealthy", hollow);
  return layers;
}

Figure success_figure(const std::string& attribute, const Estimations& all, const SeriesStyle& style) {
  Drawing drawing;
  bool unhealthy = false;
  for (const Estimation& item : all) {
    if (item.attribute != attribute) continue;
    for (const EstimatorResult& result : item.results) {
      if (!result.balanced.value) continue;
      Json& row = drawing.add(item, result, result.balanced);
      row["health"] = result.unhealthy() ? "unhealthy" : "healthy";
      row["bar"] = item.is_best(result) ? "best" : "";
      if (result.clear.value) row["clear"] = rounded(*result.clear.value);
      unhealthy |= result.unhealthy();
    }
  }
  Figure out{"estimators-" + slug(attribute), "Estimators, " + attribute,
             fmt::format("Balanced accuracy of {} estimators of {} on {} techniques, with the chance level.",
                         drawing.estimators.size(), attribute, drawing.techniques.size()),
             "One row per technique; further left is better protection. The bar is the 95 % interval of the most "
             "successful healthy estimator, the dashed line blind guessing."};
  if (drawing.rows.empty()) return out;
  if (unhealthy) out.caption += " Hollow marks are unhealthy estimators, which say nothing about protection.";
  Json layers = success_layers(drawing, style);
  out.spec = base_spec(fmt::format("Estimators of {}", attribute), std::move(drawing.rows));
  out.spec["width"] = 560;
  out.spec["height"] = {{"step", 26}};
  out.spec["layer"] = std::move(layers);
  return out;
}

Json learning_layers(const Drawing& drawing, const SeriesStyle& style, double least, double most) {
  const Json x = numeric(
      "identities",
      {{"title", "People trained on (logarithmic)"}, {"format", "~s"}, {"tickCount", 5}, {"labelOverlap", "greedy"}},
      {{"type", "log"}, {"domain", {least / 1.15, most * 1.15}}, {"nice", false}});
  const Json y = numeric("balanced", percent_axis("Balanced accuracy (%)"), {{"zero", false}});
  Json low = y;
  low["field"] = "low";
  const Json tooltip = tooltip_of({{"technique"},
                                   {"estimator"},
                                   {"identities", "people"},
                                   {"balanced", "balanced accuracy", ".1%"},
                                   {"low", "95 % from", ".1%"},
                                   {"high", "95 % to", ".1%"}});
  const Json color = style.color(drawing.estimators);
  Json layers = Json::array();
  if (drawing.chance) layers.push_back(chance_line(drawing.chance, "y", y));
  layers.push_back({{"mark", {{"type", "rule"}, {"opacity", 0.5}}},
                    {"encoding", {{"x", x}, {"y", low}, {"y2", {{"field", "high"}}}, {"color", color}}}});
  layers.push_back({{"mark", {{"type", "line"}, {"strokeWidth", 1.8}}},
                    {"encoding", {{"x", x}, {"y", y}, {"color", color}, {"strokeDash", SeriesStyle::dash()}}}});
  layers.push_back(
      {{"mark", {{"type", "point"}, {"filled", true}, {"size", 45}, {"opacity", 1}}},
       {"encoding",
        {{"x", x}, {"y", y}, {"color", color}, {"shape", style.shape(drawing.estimators)}, {"tooltip", tooltip}}}});
  return layers;
}

Figure learning_figure(const std::string& attribute, const Estimations& all, const SeriesStyle& style) {
  Drawing drawing;
  double least = 1e300, most = 0;
  for (const Estimation& item : all) {
    if (item.attribute != attribute) continue;
    for (const EstimatorResult& result : item.results) {
      for (const LearningPoint& point : result.learning_curve) {
        if (!point.identities || *point.identities <= 0) continue;
        Json& row = drawing.add(item, result, point.balanced);
        row["identities"] = *point.identities;
        row["pattern"] = style.pattern(result.estimator);
        least = std::min(least, *point.identities);
        most = std::max(most, *point.identities);
      }
    }
  }
  Figure out{"learning-" + slug(attribute), "Learning curves, " + attribute,
             fmt::format("Balanced accuracy of guessing {} against the number of people trained on, one panel per "
                         "technique ({}).",
                         attribute, drawing.techniques.size()),
             "A curve that still rises at its right end belongs to an attacker who would learn more from more people. "
             "Dashed line: blind guessing. Bars are 95 % intervals."};
  if (drawing.rows.empty()) return out;
  Json layers = learning_layers(drawing, style, least, most);
  out.spec = base_spec(fmt::format("Learning curves, {}", attribute), std::move(drawing.rows));
  in_small_panels(out.spec, drawing.techniques, std::move(layers));
  return out;
}

std::vector<Figure> per_attribute(const Estimations& all, const auto& make) {
  Names attributes;
  for (const Estimation& item : all) add_once(attributes, item.attribute);
  std::vector<Figure> out;
  for (const std::string& attribute : attributes) out.push_back(make(attribute));
  std::erase_if(out, [](const Figure& figure) { return figure.spec.is_null(); });
  return out;
}

}  // namespace

std::vector<Figure> estimator_figures(const Estimations& all, const SeriesStyle& style) {
  return per_attribute(all, [&](const std::string& attribute) { return success_figure(attribute, all, style); });
}

std::vector<Figure> learning_figures(const Estimations& all, const SeriesStyle& style) {
  return per_attribute(all, [&](const std::string& attribute) { return learning_figure(attribute, all, style); });
}

}  // namespace bauta::report
