// Attack success per rule and n, between chance and the clear-data ceiling.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "bauta/report/figure_style.hpp"
#include "bauta/report/figures.hpp"
#include "bauta/report/text.hpp"

namespace bauta::report {
namespace {

constexpr const char* row_caption =
    "One panel per rule, one row per technique; further left is better protection. Dashed line: blind guessing. Solid "
    "line: the best attack on clear data. Bars are 95 % intervals of subject-level resampling.";

// Reference lines repeat their value in every row; aggregating within a panel gives one line there.
Json reference_line(const char* field, const char* aggregate, const Json& dash) {
  return {{"mark", {{"type", "rule"}, {"color", "currentColor"}, {"opacity", 0.6}, {"strokeDash", dash}}},
          {"encoding", {{"y", {{"aggregate", aggregate}, {"field", field}, {"type", "quantitative"}}}}}};
}

Json reference_name(const char* field, const char* aggregate, const char* name, int dy) {
  return {{"mark",
           {{"type", "text"},
            {"align", "left"},
            {"dx", 3},
            {"dy", dy},
            {"fontSize", 11},
            {"color", "currentColor"},
            {"opacity", 0.8}}},
          {"encoding",
           {{"x", {{"value", 0}}},
            {"y", {{"aggregate", aggregate}, {"field", field}, {"type", "quantitative"}}},
            {"text", {{"value", name}}}}}};
}

const Json attack_tooltip = {{{"field", "technique"}},
                             {{"field", "rule"}},
                             {{"field", "n"}},
                             {{"field", "balanced"}, {"title", "balanced accuracy"}, {"format", ".1%"}},
                             {{"field", "low"}, {"title", "95 % from"}, {"format", ".1%"}},
                             {{"field", "high"}, {"title", "95 % to"}, {"format", ".1%"}},
                             {{"field", "success"}, {"title", "plain accuracy"}, {"format", ".1%"}}};

Json attack_layers(const Json& rows, const SeriesStyle& style, const std::vector<std::string>& labels,
                   const std::vector<double>& counts) {
  const Json x = {{"field", "n"},
                  {"type", "ordinal"},
                  {"sort", counts},
                  {"axis", {{"title", "Most similar samples used, n"}, {"labelAngle", 0}, {"grid", false}}}};
  const Json offset = {{"field", "technique"}, {"scale", {{"domain", labels}}}};
  const Json interval = {{"mark", {{"type", "rule"}, {"strokeWidth", 1.8}}},
                         {"encoding",
                          {{"x", x},
                           {"xOffset", offset},
                           {"y", {{"field", "low"}, {"type", "quantitative"}}},
                           {"y2", {{"field", "high"}}},
                           {"color", style.color(labels)}}}};
  const Json point = {{"mark", {{"type", "point"}, {"filled", true}, {"size", 60}, {"opacity", 1}}},
                      {"encoding",
                       {{"x", x},
                        {"xOffset", offset},
                        {"y", {{"field", "balanced"}, {"type", "quantitative"}}},
                        {"color", style.color(labels)},
                        {"shape", style.shape(labels)},
                        {"tooltip", attack_tooltip}}}};
  std::vector<Json> layers = {interval, point};
  const auto known = [&](const char* field) {
    return std::any_of(rows.begin(), rows.end(), [&](const Json& row) { return row.contains(field); });
  };
  if (known("chance")) {
    layers.push_back(reference_line("chance", "min", {4, 4}));
    layers.push_back(reference_name("chance", "min", "chance", 10));
  }
  if (known("ceiling")) {
    layers.push_back(reference_line("ceiling", "max", {1, 0}));
    layers.push_back(reference_name("ceiling", "max", "clear data", -7));
  }
  for (Json& layer : layers) {
    layer["encoding"]["y"]["axis"] = percent_axis("Balanced accuracy (%)");
    layer["encoding"]["y"]["scale"] = {{"zero", false}, {"padding", 14}};
  }
  return layers;
}

// Many techniques: one row each, so that names stand beside their marks instead of in a long legend.
Json technique_rows(const Json& rows, const std::vector<std::string>& labels, const std::vector<double>& counts) {
  std::vector<std::string> names;
  for (const double n : counts) names.push_back(fmt::format("n = {}", n));
  const SeriesStyle style("count", names);
  const Json y = {
      {"field", "technique"},
      {"type", "nominal"},
      {"sort", labels},
      {"title", nullptr},
      {"axis", {{"labelLimit", 260}, {"grid", true}, {"domain", false}, {"ticks", false}, {"labelPadding", 8}}}};
  const auto success = [](const char* field) {
    return Json{{"field", field},
                {"type", "quantitative"},
                {"scale", {{"zero", false}, {"nice", false}, {"padding", 8}}},
                {"axis", percent_axis("Balanced accuracy (%)")}};
  };
  const auto reference = [&](const char* field, const char* aggregate, const Json& dash) {
    Json x = success(field);
    x["aggregate"] = aggregate;
    return Json{{"mark", {{"type", "rule"}, {"color", "currentColor"}, {"opacity", 0.6}, {"strokeDash", dash}}},
                {"encoding", {{"x", x}}}};
  };
  Json out = Json::array();
  if (std::any_of(rows.begin(), rows.end(), [](const Json& row) { return row.contains("chance"); })) {
    out.push_back(reference("chance", "min", {4, 4}));
  }
  if (std::any_of(rows.begin(), rows.end(), [](const Json& row) { return row.contains("ceiling"); })) {
    out.push_back(reference("ceiling", "max", {1, 0}));
  }
  out.push_back(
      {{"mark", {{"type", "rule"}, {"strokeWidth", 1.5}, {"opacity", 0.6}}},
       {"encoding", {{"x", success("low")}, {"x2", {{"field", "high"}}}, {"y", y}, {"color", style.color(names)}}}});
  out.push_back({{"mark", {{"type", "point"}, {"filled", true}, {"size", 55}, {"opacity", 0.95}}},
                 {"encoding",
                  {{"x", success("balanced")},
                   {"y", y},
                   {"color", style.color(names)},
                   {"shape", style.shape(names)},
                   {"tooltip", attack_tooltip}}}});
  return out;
}

Figure attack_figure(const std::string& attribute, const std::vector<RunResults>& runs, const SeriesStyle& style) {
  Json rows = Json::array();
  std::vector<std::string> labels;
  std::vector<std::string> rules;
  std::set<double> counts;
  for (const RunResults& run : runs) {
    for (const AttributeAttack& attack : run.attacks) {
      if (attack.attribute != attribute || attack.kind != "similarity") continue;
      const AttributeAttack* ceiling = ceiling_of(attack, runs);
      bool drawn = false;
      for (const AttackResult& result : attack.results) {
        if (!result.balanced) continue;
        const std::string rule = result.rule.empty() ? "similarity" : result.rule;
        Json row = {{"technique", attack.series.label},
                    {"rule", rule},
                    {"n", result.n ? Json(*result.n) : Json("all")},
                    {"count", result.n ? fmt::format("n = {}", *result.n) : "all"},
                    {"balanced", rounded(*result.balanced)},
                    {"low", rounded(result.ci ? result.ci->low : *result.balanced)},
                    {"high", rounded(result.ci ? result.ci->high : *result.balanced)}};
        if (result.success) row["success"] = rounded(*result.success);
        if (attack.chance) row["chance"] = rounded(*attack.chance);
        if (ceiling) row["ceiling"] = rounded(*ceiling->best->balanced);
        rows.push_back(std::move(row));
        drawn = true;
        if (result.n) counts.insert(*result.n);
        if (std::find(rules.begin(), rules.end(), rule) == rules.end()) rules.push_back(rule);
      }
      if (drawn) labels.push_back(attack.series.label);
    }
  }
  Figure out{
      "attacks-" + slug(attribute), "Attack success, " + attribute,
      fmt::format("Balanced accuracy of guessing {} per attack rule and number of samples, for {} series, with 95 % "
                  "intervals, chance level and clear-data ceiling.",
                  attribute, labels.size()),
      "One panel per rule; lower is better protection. Dashed line: blind guessing. Solid line: the best attack on "
      "clear data. Bars are 95 % "
      "intervals of subject-level resampling.",
      Json()};
  if (rows.empty()) return out;
  const std::vector<double> used(counts.begin(), counts.end());
  const bool many = labels.size() > few_series;
  Json layers = many ? technique_rows(rows, labels, used) : attack_layers(rows, style, labels, used);
  if (many) out.caption = row_caption;
  out.spec = base_spec(fmt::format("Success of guessing {}", attribute), std::move(rows));
  out.spec["facet"] = {{"field", "rule"}, {"type", "nominal"}, {"title", nullptr}, {"sort", rules}};
  out.spec["columns"] = std::min<std::size_t>(2, rules.size());
  out.spec["spec"] = {{"width", 390}, {"height", 210}, {"layer", std::move(layers)}};
  if (many) out.spec["spec"]["height"] = {{"step", 19}};
  return out;
}

}  // namespace

std::vector<Figure> attack_figures(const std::vector<RunResults>& runs) {
  const SeriesStyle style(runs);
  std::vector<Figure> out;
  std::set<std::string> done;
  for (const RunResults& run : runs) {
    for (const AttributeAttack& attack : run.attacks) {
      if (attack.kind == "similarity" && done.insert(attack.attribute).second)
        out.push_back(attack_figure(attack.attribute, runs, style));
    }
  }
  std::erase_if(out, [](const Figure& figure) { return figure.spec.is_null(); });
  return out;
}

}  // namespace bauta::report
