// Attack success per rule and n, between chance and the clear-data ceiling.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "similarity.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

constexpr const char* row_caption =
    "One panel per rule, one row per technique; further left is better protection. Dashed line: blind guessing. Solid "
    "line: the best attack on clear data. Bars are 95 % intervals of subject-level resampling.";

const Json& attack_tooltip() {
  static const Json lines = tooltip_of({{"technique"},
                                        {"rule"},
                                        {"n"},
                                        {"balanced", "balanced accuracy", ".1%"},
                                        {"low", "95 % from", ".1%"},
                                        {"high", "95 % to", ".1%"},
                                        {"success", "plain accuracy", ".1%"}});
  return lines;
}

// Chance and ceiling repeat their value in every row; aggregating within a panel gives one line there.
Json level(const char* field, const char* aggregate) {
  return {{"aggregate", aggregate}, {"field", field}, {"type", "quantitative"}};
}

Json level_rule(const char* axis, Json channel) {
  const Json dash = channel["field"] == "chance" ? Json{4, 4} : Json{1, 0};
  return {{"mark", {{"type", "rule"}, {"color", "currentColor"}, {"opacity", 0.6}, {"strokeDash", dash}}},
          {"encoding", {{axis, std::move(channel)}}}};
}

Json level_name(const Json& channel, const char* name, int dy) {
  Json out = Json::parse(R"({"mark": {"type": "text", "align": "left", "dx": 3, "fontSize": 11, "color": "currentColor",
    "opacity": 0.8}, "encoding": {"x": {"value": 0}}})");
  out["mark"]["dy"] = dy;
  out["encoding"].update({{"y", channel}, {"text", {{"value", name}}}});
  return out;
}

Json attack_layers(const Json& rows, const SeriesStyle& style, const Names& labels, const std::vector<double>& counts) {
  const Json place = {{"x",
                       {{"field", "n"},
                        {"type", "ordinal"},
                        {"sort", counts},
                        {"axis", {{"title", "Most similar samples used, n"}, {"labelAngle", 0}, {"grid", false}}}}},
                      {"xOffset", {{"field", "technique"}, {"scale", {{"domain", labels}}}}},
                      {"color", style.color(labels)}};
  Json interval = {{"mark", {{"type", "rule"}, {"strokeWidth", 1.8}}}, {"encoding", place}};
  interval["encoding"].update({{"y", {{"field", "low"}, {"type", "quantitative"}}}, {"y2", {{"field", "high"}}}});
  Json point = {{"mark", {{"type", "point"}, {"filled", true}, {"size", 60}, {"opacity", 1}}}, {"encoding", place}};
  point["encoding"].update({{"y", {{"field", "balanced"}, {"type", "quantitative"}}},
                            {"shape", style.shape(labels)},
                            {"tooltip", attack_tooltip()}});
  std::vector<Json> layers = {interval, point};
  if (any_row(rows, "chance")) {
    layers.push_back(level_rule("y", level("chance", "min")));
    layers.push_back(level_name(level("chance", "min"), "chance", 10));
  }
  if (any_row(rows, "ceiling")) {
    layers.push_back(level_rule("y", level("ceiling", "max")));
    layers.push_back(level_name(level("ceiling", "max"), "clear data", -7));
  }
  for (Json& layer : layers) {
    layer["encoding"]["y"]["axis"] = percent_axis("Balanced accuracy (%)");
    layer["encoding"]["y"]["scale"] = {{"zero", false}, {"padding", 14}};
  }
  return layers;
}

// Many techniques: one row each, so that names stand beside their marks instead of in a long legend.
Json technique_rows(const Json& rows, const Names& labels, const std::vector<double>& counts) {
  Names names;
  for (const double n : counts) names.push_back(fmt::format("n = {}", n));
  const SeriesStyle style("count", names);
  const Json y = technique_axis(labels);
  const auto success = [](Json channel) {
    channel.update({{"type", "quantitative"},
                    {"scale", {{"zero", false}, {"nice", false}, {"padding", 8}}},
                    {"axis", percent_axis("Balanced accuracy (%)")}});
    return channel;
  };
  Json out = Json::array();
  if (any_row(rows, "chance")) out.push_back(level_rule("x", success(level("chance", "min"))));
  if (any_row(rows, "ceiling")) out.push_back(level_rule("x", success(level("ceiling", "max"))));
  const Json color = style.color(names);
  out.push_back(
      {{"mark", {{"type", "rule"}, {"strokeWidth", 1.5}, {"opacity", 0.6}}},
       {"encoding", {{"x", success({{"field", "low"}})}, {"x2", {{"field", "high"}}}, {"y", y}, {"color", color}}}});
  out.push_back({{"mark", {{"type", "point"}, {"filled", true}, {"size", 55}, {"opacity", 0.95}}},
                 {"encoding",
                  {{"x", success({{"field", "balanced"}})},
                   {"y", y},
                   {"color", color},
                   {"shape", style.shape(names)},
                   {"tooltip", attack_tooltip()}}}});
  return out;
}

// The run's best attack on clear data, or nothing.
Number ceiling_of(const SimilarityAttack& attack, const std::vector<SimilarityAttack>& attacks) {
  for (const SimilarityAttack& other : attacks) {
    if (other.series.unprotected && other.series.beside(attack.series) && other.attribute == attack.attribute &&
        other.best) {
      return other.best->balanced.value;
    }
  }
  return std::nullopt;
}

Figure attribute_figure(const std::string& attribute, const std::vector<SimilarityAttack>& attacks,
                        const SeriesStyle& style) {
  Json rows = Json::array();
  Names labels, rules;
  std::set<double> counts;
  for (const SimilarityAttack& attack : attacks) {
    if (attack.attribute != attribute) continue;
    const Number ceiling = ceiling_of(attack, attacks);
    for (const SimilarityGuess& guess : attack.guesses) {
      if (!guess.balanced.value) continue;
      const std::string rule = guess.rule.empty() ? "similarity" : guess.rule;
      Json row = {{"technique", attack.series.label},
                  {"rule", rule},
                  {"n", guess.n ? Json(*guess.n) : Json("all")},
                  {"count", guess.n ? fmt::format("n = {}", *guess.n) : "all"}};
      put(row, "balanced", guess.balanced);
      if (guess.success) row["success"] = rounded(*guess.success);
      if (attack.chance) row["chance"] = rounded(*attack.chance);
      if (ceiling) row["ceiling"] = rounded(*ceiling);
      rows.push_back(std::move(row));
      if (guess.n) counts.insert(*guess.n);
      add_once(rules, rule);
      add_once(labels, attack.series.label);
    }
  }
  Figure out{
      "attacks-" + slug(attribute), "Attack success, " + attribute,
      fmt::format("Balanced accuracy of guessing {} per attack rule and number of samples, for {} series, with 95 % "
                  "intervals, chance level and clear-data ceiling.",
                  attribute, labels.size()),
      "One panel per rule; lower is better protection. Dashed line: blind guessing. Solid line: the best similarity "
      "attack on clear data. Bars are 95 % intervals of subject-level resampling."};
  if (rows.empty()) return out;
  const std::vector<double> used(counts.begin(), counts.end());
  const bool many = labels.size() > few_series;
  Json layers = many ? technique_rows(rows, labels, used) : attack_layers(rows, style, labels, used);
  if (many) out.caption = row_caption;
  out.spec = base_spec(fmt::format("Success of guessing {}", attribute), std::move(rows));
  in_panels(out.spec, "rule", rules, 2, std::move(layers));
  out.spec["spec"]["width"] = 390;
  out.spec["spec"]["height"] = many ? Json{{"step", 19}} : Json(210);
  return out;
}

}  // namespace

std::vector<Figure> similarity_figures(const std::vector<SimilarityAttack>& attacks, const SeriesStyle& style) {
  Names attributes;
  for (const SimilarityAttack& attack : attacks) add_once(attributes, attack.attribute);
  std::vector<Figure> out;
  for (const std::string& attribute : attributes) out.push_back(attribute_figure(attribute, attacks, style));
  return out;
}

}  // namespace bauta::report
