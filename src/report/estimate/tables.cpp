// Estimators in numbers: how far they come, whether they work at all, and what protection took from them.
#include <algorithm>

#include <fmt/format.h>

#include "estimate.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

std::string parameters_text(const EstimatorResult& result, const char* separator) {
  Names out;
  for (const auto& [name, value] : result.parameters) out.push_back(name + "=" + value);
  return joined(out, separator);
}

// "c=10, gamma=0.1; grid search, 9 trials"
std::string setting_text(const EstimatorResult& result) {
  if (!result.tuned) return {};
  return fmt::format("{}{}{} search, {} trials", parameters_text(result, ", "), result.parameters.empty() ? "" : "; ",
                     result.tuned->search, grouped(result.tuned->trials));
}

std::string p_text(Number p) {
  if (!p) return {};
  return *p < 0.001 ? "p < 0.001" : fmt::format("p = {:.3f}", *p);
}

void add_drop(Row& row, const std::optional<Paired>& paired) {
  const Paired drop = paired.value_or(Paired{});
  const auto points = [](double share) { return fmt::format("{:.1f}", 100 * share); };
  row.show("Drop against clear", {drop.difference.value ? points(*drop.difference.value) + " points" : "–"});
  if (const auto& ci = drop.difference.ci) row.detail(fmt::format("[{}, {}]", points(ci->low), points(ci->high)));
  row.detail(p_text(drop.p)).field("drop", drop.difference).field("p", drop.p);
}

// For programs only: how it was tuned, rates of its own, single rotations.
void add_particulars(Row& row, const EstimatorResult& result) {
  const Tuning tuned = result.tuned.value_or(Tuning{});
  row.field("search", Json(tuned.search)).field("trials", tuned.trials).field("tuning_score", tuned.score);
  for (const auto& [name, column] : {std::pair{"COCR", "cocr"}, {"CFCR", "cfcr"}, {"CMCR", "cmcr"}}) {
    const auto found = std::find_if(result.rates.begin(), result.rates.end(),
                                    [&, wanted = name](const auto& rate) { return rate.first == wanted; });
    row.field(column, found == result.rates.end() ? Number() : Number(found->second));
  }
  Names rotations;
  for (const double value : result.by_rotation) rotations.push_back(exact(value));
  row.field("by_rotation", Json(joined(rotations, ";")));
}

}  // namespace

Table estimator_table(const Estimations& all) {
  Table table{"estimators", "Estimators: balanced accuracy with 95 % interval, between floor and ceiling",
              "On clear data: the same estimator on the same people without protection, its ceiling. Floor: trained "
              "with labels exchanged between people, so that there is nothing to learn. Suppression: share of the "
              "accuracy on clear data that protection takes; behind \"of\" stands what chance would leave."};
  bool unhealthy = false;
  for (const Estimation& item : all) {
    for (const EstimatorResult& result : item.results) {
      const bool best = item.is_best(result);
      unhealthy |= result.unhealthy();
      Row row(table);
      row.mark(best)
          .series(item.series)
          .text("Attribute", "attribute", item.attribute)
          .show("Estimator", {result.estimator + (best ? " (best)" : ""), setting_text(result)}, Table::Align::left)
          .field("estimator", Json(result.estimator))
          .field("parameters", Json(parameters_text(result, ";")))
          .field("accuracy", result.accuracy)
          .rate("Balanced", "balanced", result.balanced)
          .field("auc", result.auc)
          .field("chance", item.chance)
          .rate("On clear data", "clear", result.clear)
          .rate("Floor", "floor", result.floor)
          .show("Health",
                {!result.healthy   ? "not checked"
                 : *result.healthy ? "healthy"
                                   : "unhealthy"},
                Table::Align::left)
          .star(result.unhealthy())
          .health(result.healthy);
      add_drop(row, result.paired);
      row.suppression(result.suppression);
      add_particulars(row, result);
    }
  }
  if (unhealthy) {
    table.note +=
        " † Unhealthy: does not beat chance on clear data, or its floor is above chance; its failure protects nobody.";
  }
  return table;
}

Table regression_table(const Estimations& all) {
  Table table{"regression",
              "Continuous attributes: mean absolute error of guessing the number, 95 % intervals in brackets",
              "The larger the error, the better the protection. Chance: the same guess for everybody. Floor: trained "
              "with values exchanged between people."};
  for (const Estimation& item : all) {
    if (!item.regression) continue;
    const Regression& regression = *item.regression;
    const auto error = [&](const Measured& value) {
      Table::Cell out = decimal_cell(value, 2);
      if (value.value && !regression.unit.empty()) out.text += " " + regression.unit;
      return out;
    };
    for (const RegressionResult& result : regression.results) {
      const bool best = result.estimator == regression.best;
      Row(table)
          .mark(best)
          .series(item.series)
          .text("Attribute", "attribute", item.attribute)
          .field("unit", Json(regression.unit))
          .show("Estimator", {result.estimator + (best ? " (best)" : "")}, Table::Align::left)
          .field("estimator", Json(result.estimator))
          .show("Mean absolute error", error(result.mae))
          .field("mae", result.mae)
          .show("On clear data", error(result.clear))
          .field("clear_mae", result.clear)
          .show("Chance", error({regression.chance_mae}))
          .field("chance_mae", regression.chance_mae)
          .show("Floor", error(result.floor))
          .field("floor_mae", result.floor)
          .decimal("RMSE", "rmse", result.rmse, 2)
          .decimal("R²", "r2", result.r2, 3)
          .decimal("Correlation", "correlation", result.correlation, 3);
    }
  }
  return table;
}

}  // namespace bauta::report
