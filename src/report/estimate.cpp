// The chapter about estimators: what somebody who learns from protected samples can read.
#include <algorithm>

#include <fmt/format.h>

#include "chapter.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

/// Does not beat chance on clear data, or finds something where nothing is: no number of it says anything.
bool is_unhealthy(const Json& estimator) {
  return flag_of(field(estimator, "healthy")) == false;
}
/// The estimator that the run chose.
bool is_best(const Cell& cell, const Json& estimator) {
  return text(estimator, "estimator") == text(field(cell.values, "best"), "estimator") && !is_unhealthy(estimator);
}

std::string parameters_text(const Json& estimator, const char* separator) {
  Names out;
  const Json& parameters = field(estimator, "parameters");
  if (!parameters.is_object()) return {};
  for (const auto& [name, value] : parameters.items()) out.push_back(name + "=" + text_of(value));
  return joined(out, separator);
}

// "c=10, gamma=0.1; grid search, 9 trials"
std::string setting_text(const Json& estimator) {
  const Json& tuned = field(estimator, "tuned");
  if (!tuned.is_object()) return {};
  Names out = {parameters_text(estimator, ", "),
               fmt::format("{} search, {} trials", text(tuned, "search"), grouped(number(tuned, "trials")))};
  std::erase(out, "");
  return joined(out, "; ");
}

std::string p_text(Number p) {
  if (!p) return {};
  return *p < 0.001 ? "p < 0.001" : fmt::format("p = {:.3f}", *p);
}

// Clear less protected, on the same samples.
void add_drop(Row& row, const Json& paired) {
  const Measured drop = measured(paired, "difference");
  const Number p = drop.value ? number(paired, "p") : Number();
  const auto points = [](double share) { return fmt::format("{:.1f}", 100 * share); };
  row.show("Drop against clear", {drop.value ? points(*drop.value) + " points" : "–"});
  if (drop.ci) row.detail(fmt::format("[{}, {}]", points(drop.ci->low), points(drop.ci->high)));
  row.detail(p_text(p)).field("drop", drop).field("p", p);
}

// For programs only: how it was tuned, rates of its own, single rotations.
void add_particulars(Row& row, const Json& estimator) {
  const Json& tuned = field(estimator, "tuned");
  row.field("search", Json(text(tuned, "search")))
      .field("trials", number(tuned, "trials"))
      .field("tuning_score", number(tuned, "score"));
  for (const auto& [name, column] : {std::pair{"COCR", "cocr"}, {"CFCR", "cfcr"}, {"CMCR", "cmcr"}}) {
    row.field(column, number(field(estimator, "rates"), name));
  }
  Names rotations;
  for (const double value : numbers(estimator, "by_rotation")) rotations.push_back(exact(value));
  row.field("by_rotation", Json(joined(rotations, ";")));
}

Table estimator_table(const Cells& cells) {
  Table table{"estimators", "Estimators: balanced accuracy with 95 % interval, between floor and ceiling",
              "On clear data: the same estimator on the same people without protection, its ceiling. Floor: trained "
              "with labels exchanged between people, so that there is nothing to learn. Suppression: share of the "
              "accuracy on clear data that protection takes; behind \"of\" stands what chance would leave."};
  bool unhealthy = false;
  for (const Cell* cell : cells) {
    for (const Json* result : objects(cell->values, "results")) {
      const std::string name = text(*result, "estimator");
      const bool best = is_best(*cell, *result);
      const Measured suppression = measured(field(*result, "suppression"));
      unhealthy |= is_unhealthy(*result);
      Row row(table);
      row.mark(best)
          .series(cell->series)
          .text("Attribute", "attribute", attribute_of(*cell))
          .show("Estimator", {name + (best ? " (best)" : ""), setting_text(*result)}, Table::Align::left)
          .field("estimator", Json(name))
          .field("parameters", Json(parameters_text(*result, ";")))
          .field("accuracy", number(*result, "accuracy"))
          .rate("Balanced", "balanced", measured(*result, "balanced"))
          .field("auc", number(*result, "auc"))
          .field("chance", number(cell->values, "chance"))
          .rate("On clear data", "clear", measured(field(*result, "clear"), "balanced"))
          .rate("Floor", "floor", measured(field(*result, "floor"), "balanced"))
          .health("Health", flag_of(field(*result, "healthy")));
      add_drop(row, field(*result, "paired"));
      row.suppression(suppression, suppression.value ? number(field(*result, "suppression"), "reachable") : Number());
      add_particulars(row, *result);
    }
  }
  if (unhealthy) {
    table.note +=
        " † Unhealthy: does not beat chance on clear data, or its floor is above chance; its failure protects nobody.";
  }
  return table;
}

Table regression_table(const Cells& cells) {
  Table table{"regression",
              "Continuous attributes: mean absolute error of guessing the number, 95 % intervals in brackets",
              "The larger the error, the better the protection. Chance: the same guess for everybody. Floor: trained "
              "with values exchanged between people."};
  for (const Cell* cell : cells) {
    const Json& regression = field(cell->values, "regression");
    const std::string unit = text(regression, "unit");
    const auto error = [&](const Measured& value) {
      Table::Cell out = decimal_cell(value, 2);
      if (value.value && !unit.empty()) out.text += " " + unit;
      return out;
    };
    for (const Json* result : objects(regression, "results")) {
      if (!number(*result, "mae")) continue;
      const std::string name = text(*result, "estimator");
      const bool best = name == text(field(regression, "best"), "estimator");
      Row(table)
          .mark(best)
          .series(cell->series)
          .text("Attribute", "attribute", attribute_of(*cell))
          .field("unit", Json(unit))
          .show("Estimator", {name + (best ? " (best)" : "")}, Table::Align::left)
          .field("estimator", Json(name))
          .show("Mean absolute error", error(measured(*result, "mae")))
          .field("mae", measured(*result, "mae"))
          .show("On clear data", error(measured(field(*result, "clear"), "mae")))
          .field("clear_mae", measured(field(*result, "clear"), "mae"))
          .show("Chance", error({number(regression, "chance_mae")}))
          .field("chance_mae", number(regression, "chance_mae"))
          .show("Floor", error(measured(field(*result, "floor"), "mae")))
          .field("floor_mae", measured(field(*result, "floor"), "mae"))
          .decimal("RMSE", "rmse", number(*result, "rmse"), 2)
          .decimal("R²", "r2", number(*result, "r2"), 3)
          .decimal("Correlation", "correlation", number(*result, "correlation"), 3);
    }
  }
  return table;
}

/// What a figure about one attribute collects.
struct Drawing {
  Json rows = Json::array();
  Names techniques, estimators;
  Number chance;

  /// A row of an estimator on a technique; `balanced` with its interval.
  Json& add(const Cell& cell, const std::string& estimator, const Measured& balanced) {
    if (const Number level = number(cell.values, "chance")) chance = level;
    add_once(techniques, cell.series.label);
    add_once(estimators, estimator);
    rows.push_back({{"technique", cell.series.label}, {"estimator", estimator}});
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
                                   {"balanced", "balanced accuracy", ".1%", true},
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

Figure success_figure(const std::string& attribute, const Cells& cells, const SeriesStyle& style) {
  Drawing drawing;
  bool unhealthy = false;
  for (const Cell* cell : cells) {
    if (attribute_of(*cell) != attribute) continue;
    for (const Json* result : objects(cell->values, "results")) {
      const Measured balanced = measured(*result, "balanced");
      if (!balanced.value) continue;
      Json& row = drawing.add(*cell, text(*result, "estimator"), balanced);
      row["health"] = is_unhealthy(*result) ? "unhealthy" : "healthy";
      row["bar"] = is_best(*cell, *result) ? "best" : "";
      if (const Number clear = number(field(*result, "clear"), "balanced")) row["clear"] = rounded(*clear);
      unhealthy |= is_unhealthy(*result);
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
  const Json tooltip = tooltip_of(
      {{"technique"}, {"estimator"}, {"identities", "people"}, {"balanced", "balanced accuracy", ".1%", true}});
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

Figure learning_figure(const std::string& attribute, const Cells& cells, const SeriesStyle& style) {
  Drawing drawing;
  double least = 1e300, most = 0;
  for (const Cell* cell : cells) {
    if (attribute_of(*cell) != attribute) continue;
    for (const Json* result : objects(cell->values, "results")) {
      const std::string estimator = text(*result, "estimator");
      for (const Json* point : objects(*result, "learning_curve")) {
        const Measured balanced = measured(*point, "balanced");
        const double identities = number(*point, "identities").value_or(0);
        if (!balanced.value || identities <= 0) continue;
        Json& row = drawing.add(*cell, estimator, balanced);
        row["identities"] = identities;
        row["pattern"] = style.pattern(estimator);
        least = std::min(least, identities);
        most = std::max(most, identities);
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

Cells estimates(const Runs& runs) {
  return cells_of(runs, {"estimate"}, {"kind", "classes", "edges", "rotations", "preparation", "train", "dev", "test"});
}

void share(Shared& shared) {
  for (const Cell* cell : estimates(shared.runs)) {
    for (const Json* result : objects(cell->values, "results")) {
      const std::string name = text(*result, "estimator");
      add_once(shared.attackers, name);
      shared.controls.push_back({cell->series, cell->question, attribute_of(*cell), name, name,
                                 number(cell->values, "chance"), flag_of(field(*result, "healthy")),
                                 field(*result, "control")});
    }
  }
}

std::vector<Section> write(const Shared& shared) {
  Section out{"estimators", "Estimators", "What do trained estimators read?",
              "Each estimator stands between its floor, where there is nothing to learn, and its ceiling on clear "
              "data; only the distance to the ceiling is the protection's merit."};
  out.definitions = {{"Estimator",
                      "A classifier that an attacker trains on protected samples of people whose attribute is known. "
                      "Ceiling: the same one on clear data. Floor: the same one trained with labels exchanged "
                      "between people."}};
  const SeriesStyle style("estimator", shared.attackers);
  const Cells cells = estimates(shared.runs);
  out.add(per_attribute(cells, success_figure, style));
  out.add_long(estimator_table(cells), "All estimators in numbers");
  out.add_long(regression_table(cells), "Continuous attributes in numbers");
  out.add_panels(per_attribute(cells, learning_figure, style), "Learning curves, one panel per technique");
  return {out};
}

void tell(const RunResults& run, Card& card) {
  const Cell* cell = card.about(cells_of(run, {"estimate"}));
  if (!cell) return;
  const auto count = [&](const char* part, const char* what) {
    return grouped(number(field(cell->values, part), what));
  };
  card.threat_model.push_back(fmt::format(
      "The attacker holds {} samples of {} other people whose {} is known, and trains classifiers on them to read "
      "{} protected samples of {} people. Nothing else about the targets is known.",
      count("train", "samples"), count("train", "identities"), cell->attribute, count("test", "samples"),
      count("test", "identities")));
  if (!number(field(cell->values, "dev"), "samples")) return;
  card.threat_model.push_back(fmt::format("Classifiers are tuned on {} samples of {} further people.",
                                          count("dev", "samples"), count("dev", "identities")));
}

}  // namespace

Chapter estimate_chapter() {
  return {.write = write, .share = share, .tell = tell};
}

}  // namespace bauta::report
