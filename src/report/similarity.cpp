// The chapter about the similarity attack: what comparison itself gives away.
#include <set>

#include <fmt/format.h>

#include "chapter.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

Cells similarities(const Runs& runs) {
  return cells_of(runs, {"similarity"}, {"classes", "edges", "rotations", "attacker", "target"});
}

// "F 50.0 %, M 70.0 %"
std::string per_class_text(const Json& guess) {
  Names out;
  for (const auto& [name, rate] : named_numbers_of(field(guess, "per_class")))
    out.push_back(name + " " + percent(rate));
  return joined(out);
}

// "similarity attack, vote, n = 11", held together by non-breaking spaces.
std::string attack_name(const Json& best) {
  std::string out = "similarity attack";
  if (!best.is_object()) return out;
  out += ", " + (text(best, "rule").empty() ? "similarity" : text(best, "rule"));
  const Number n = number(best, "n");
  return n ? out + ", n\u00a0=\u00a0" + grouped(n) : out;
}

Table similarity_table(const Cells& cells) {
  Table table{"similarity", "Similarity attacks: every rule and number of samples, 95 % intervals in brackets"};
  for (const Cell* cell : cells) {
    const Json& chosen = field(cell->values, "best");
    for (const Json* guess : objects(cell->values, "results")) {
      const std::string rule = text(*guess, "rule");
      const Number n = number(*guess, "n");
      const Number used = number(*guess, "n_used");
      const bool best = chosen.is_object() && rule == text(chosen, "rule") && n == number(chosen, "n");
      const bool fewer = n && used && *used != *n;
      Row(table)
          .mark(best)
          .series(cell->series)
          .text("Attribute", "attribute", attribute_of(*cell))
          .field("comparator", Json(text(cell->values, "comparator")))
          .show("Rule", {rule + (best ? " (best)" : "")}, Table::Align::left)
          .field("rule", Json(rule))
          .count("n", "n", n)
          .detail(fewer ? "uses " + grouped(used) : "")
          .star(fewer)
          .field("n_used", used)
          .rate("Balanced", "balanced", measured(*guess, "balanced"))
          .rate("Plain accuracy", "success", number(*guess, "success"))
          .text("Per class", "per_class", per_class_text(*guess))
          .field("chance", number(cell->values, "chance"));
      if (fewer) table.note = "† Fewer than n samples were there to choose from; the rule used as many as stated.";
    }
  }
  return table;
}

constexpr const char* row_caption =
    "One panel per rule, one row per technique; further left is better protection. Dashed line: blind guessing. Solid "
    "line: the best attack on clear data. Bars are 95 % intervals of subject-level resampling.";

const Json& attack_tooltip() {
  static const Json lines = tooltip_of({{"technique"},
                                        {"rule"},
                                        {"n"},
                                        {"balanced", "balanced accuracy", ".1%", true},
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
Number ceiling_of(const Cell& cell, const Cells& cells) {
  for (const Cell* other : cells) {
    const Number best = number(field(other->values, "best"), "balanced");
    if (other->series.unprotected && other->series.beside(cell.series) && other->attribute == cell.attribute && best) {
      return best;
    }
  }
  return std::nullopt;
}

Figure similarity_figure(const std::string& attribute, const Cells& cells, const SeriesStyle& style) {
  Json rows = Json::array();
  Names labels, rules;
  std::set<double> counts;
  for (const Cell* cell : cells) {
    if (attribute_of(*cell) != attribute) continue;
    const Number ceiling = ceiling_of(*cell, cells);
    const Number chance = number(cell->values, "chance");
    for (const Json* guess : objects(cell->values, "results")) {
      const Measured balanced = measured(*guess, "balanced");
      if (!balanced.value) continue;
      const std::string rule = text(*guess, "rule").empty() ? "similarity" : text(*guess, "rule");
      const Number n = number(*guess, "n");
      Json row = {{"technique", cell->series.label},
                  {"rule", rule},
                  {"n", n ? Json(*n) : Json("all")},
                  {"count", n ? fmt::format("n = {}", *n) : "all"}};
      put(row, "balanced", balanced);
      if (const Number success = number(*guess, "success")) row["success"] = rounded(*success);
      if (chance) row["chance"] = rounded(*chance);
      if (ceiling) row["ceiling"] = rounded(*ceiling);
      rows.push_back(std::move(row));
      if (n) counts.insert(*n);
      add_once(rules, rule);
      add_once(labels, cell->series.label);
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

void share(Shared& shared) {
  for (const Cell* cell : similarities(shared.runs)) {
    shared.controls.push_back({cell->series, cell->question, attribute_of(*cell),
                               attack_name(field(cell->values, "best")), "similarity attack",
                               number(cell->values, "chance"), std::nullopt, field(cell->values, "control")});
  }
}

std::vector<Section> write(const Shared& shared) {
  Section out{"similarity", "Comparison", "What does comparison tell?",
              "An attacker compares with protected samples of people whose attribute is known; those that are most "
              "similar tend to share it."};
  out.definitions = {{"Attack rules",
                      "vote: the majority among the n most similar; mean, linear, log: per class the n best scores, "
                      "equally or by rank weighted."}};
  out.add(per_attribute(similarities(shared.runs), similarity_figure, shared.style));
  out.add(similarity_table(similarities(shared.runs)), "All similarity attacks in numbers");
  return {out};
}

void tell(const RunResults& run, Card& card) {
  const Cell* cell = card.about(cells_of(run, {"similarity"}));
  if (!cell) return;
  const auto count = [&](const char* part, const char* what) {
    return grouped(number(field(cell->values, part), what));
  };
  const std::string comparator = text(cell->values, "comparator");
  card.threat_model.push_back(fmt::format(
      "The attacker holds {} samples of {} other people whose {} is known, can protect them in the same way, and "
      "compares them with {} protected samples of {} people{}. Nothing else about the targets is known.",
      count("attacker", "samples"), count("attacker", "identities"), cell->attribute, count("target", "samples"),
      count("target", "identities"), comparator.empty() ? "" : " by the comparator " + comparator));
}

}  // namespace

Chapter similarity_chapter() {
  return {.write = write, .share = share, .tell = tell};
}

}  // namespace bauta::report
