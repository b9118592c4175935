// Estimators in numbers: how far they come, whether they work at all, and what protection took from them.
#include <fmt/format.h>

#include "bauta/report/judgement.hpp"
#include "bauta/report/table.hpp"
#include "bauta/report/text.hpp"

namespace bauta::report {
namespace {

using Fields = std::vector<std::string>;

const Measured& or_nothing(const std::optional<Measured>& value) {
  static const Measured nothing;
  return value ? *value : nothing;
}

Table::Cell rate_cell(const std::optional<Measured>& value) {
  return report::rate_cell(or_nothing(value).value, or_nothing(value).ci);
}

void add_measured(Fields& row, const std::optional<Measured>& value) {
  row.push_back(exact(or_nothing(value).value));
  add_interval(row, or_nothing(value).ci);
}

std::string joined_parameters(const Evidence& found, const char* separator) {
  std::string out;
  for (const auto& [name, value] : found.parameters) out += (out.empty() ? "" : separator) + name + "=" + value;
  return out;
}

// "c=10, gamma=0.1; grid search, 9 trials"
std::string setting_text(const Evidence& found) {
  if (!found.tuned) return {};
  return fmt::format("{}{}{} search, {} trials", joined_parameters(found, ", "), found.parameters.empty() ? "" : "; ",
                     found.tuned->search, grouped(found.tuned->trials));
}

Table::Cell health_cell(const Evidence& found) {
  if (!found.healthy) return cell("not checked");
  Table::Cell out = cell(*found.healthy ? "healthy" : "unhealthy");
  out.starred = !*found.healthy;
  return out;
}

std::string p_text(Number p) {
  if (!p) return {};
  return *p < 0.001 ? "p < 0.001" : fmt::format("p = {:.3f}", *p);
}

Table::Cell drop_cell(const std::optional<Paired>& paired) {
  if (!paired) return cell("–");
  Table::Cell out = cell(fmt::format("{:.1f} points", 100 * *paired->difference));
  if (paired->ci) out.detail = fmt::format("[{:.1f}, {:.1f}] ", 100 * paired->ci->low, 100 * paired->ci->high);
  out.detail += p_text(paired->p);
  return out;
}

Fields estimator_csv(const AttributeAttack& attack, const AttackResult& result) {
  const Evidence& found = result.evidence;
  Fields row = {attack.series.run, attack.series.technique,       attack.series.variant, attack.attribute,
                result.rule,       joined_parameters(found, ";"), exact(result.success), exact(result.balanced)};
  add_interval(row, result.ci);
  row.push_back(exact(found.auc));
  row.push_back(exact(attack.chance));
  add_measured(row, found.clear);
  add_measured(row, found.floor);
  row.push_back(health_word(found.healthy));
  const Paired paired = found.paired.value_or(Paired{});
  row.push_back(exact(paired.difference));
  add_interval(row, paired.ci);
  row.push_back(exact(paired.p));
  const Suppression suppression = found.suppression.value_or(Suppression{});
  row.push_back(exact(suppression.value));
  add_interval(row, suppression.ci);
  row.push_back(exact(suppression.reachable));
  const Tuning tuned = found.tuned.value_or(Tuning{});
  row.push_back(tuned.search);
  row.push_back(exact(tuned.trials));
  row.push_back(exact(tuned.score));
  for (const char* name : {"COCR", "CFCR", "CMCR"}) {
    Number rate;
    for (const auto& [known, value] : found.rates) {
      if (known == name) rate = value;
    }
    row.push_back(exact(rate));
  }
  std::string rotations;
  for (const double value : found.by_rotation) rotations += (rotations.empty() ? "" : ";") + exact(value);
  row.push_back(rotations);
  return row;
}

// What the planted leaks came to: "60 % missed, 75 % found".
std::string planted_text(const Controls& control) {
  std::string out;
  for (const Planted& leak : control.planted) {
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", percent_name(*leak.size), leak.found ? "found" : "missed");
  }
  return out;
}

Table::Cell null_cell(const Controls& control) {
  if (!control.null) return cell("–");
  Table::Cell out = report::rate_cell(control.null->balanced.value, control.null->balanced.ci);
  out.starred = control.null->found;
  return out;
}

void add_health_row(Table& table, const AttributeAttack& attack, const std::string& name, const Evidence& found,
                    const Controls& control) {
  if (control.empty() && !found.healthy) return;
  std::size_t seen = 0;
  for (const Planted& leak : control.planted) seen += leak.found ? 1 : 0;
  const std::size_t planted = control.planted.size();
  table.rows.push_back(
      {{series_cell(attack.series), cell(attack.attribute), cell(name), health_cell(found), null_cell(control),
        planted ? cell(fmt::format("{} of {}", seen, planted), planted_text(control)) : cell("–"),
        cell(control.smallest ? percent(control.smallest) : (planted ? "none of these" : "–"))},
       false});
  Fields csv = {
      attack.series.run,         attack.series.technique, attack.series.variant, attack.attribute, attack.kind, name,
      health_word(found.healthy)};
  add_measured(csv, control.null ? std::optional(control.null->balanced) : std::nullopt);
  csv.push_back(control.null ? (control.null->found ? "true" : "false") : "");
  csv.push_back(fmt::format("{}", planted));
  csv.push_back(fmt::format("{}", seen));
  csv.push_back(exact(control.smallest));
  table.csv_rows.push_back(std::move(csv));
}

}  // namespace

Table estimator_table(const std::vector<RunResults>& runs) {
  Table table{
      .name = "estimators",
      .caption = "Estimators: balanced accuracy with 95 % interval, between floor and ceiling",
      .columns = {{"Technique", Table::Align::left},
                  {"Attribute", Table::Align::left},
                  {"Estimator", Table::Align::left},
                  {"Balanced"},
                  {"On clear data"},
                  {"Floor"},
                  {"Health", Table::Align::left},
                  {"Drop against clear"},
                  {"Suppression"}},
      .rows = {},
      .note =
          "On clear data: the same estimator on the same people without protection, its ceiling. Floor: trained "
          "with labels exchanged between people, so that there is nothing to learn. Suppression: share of the "
          "accuracy on clear data that protection takes; behind \"of\" stands what chance would leave.",
      .csv_head = {"run",
                   "technique",
                   "variant",
                   "attribute",
                   "estimator",
                   "parameters",
                   "accuracy",
                   "balanced",
                   "balanced_low",
                   "balanced_high",
                   "auc",
                   "chance",
                   "clear",
                   "clear_low",
                   "clear_high",
                   "floor",
                   "floor_low",
                   "floor_high",
                   "healthy",
                   "drop",
                   "drop_low",
                   "drop_high",
                   "p",
                   "suppression",
                   "suppression_low",
                   "suppression_high",
                   "reachable",
                   "search",
                   "trials",
                   "tuning_score",
                   "cocr",
                   "cfcr",
                   "cmcr",
                   "by_rotation"},
      .csv_rows = {}};
  bool unhealthy = false;
  for (const RunResults& run : runs) {
    for (const AttributeAttack& attack : run.attacks) {
      if (attack.kind != "estimate") continue;
      for (const AttackResult& result : attack.results) {
        const Evidence& found = result.evidence;
        Table::Row row;
        row.marked = attack.best && result.rule == attack.best->rule && !found.unhealthy();
        row.cells = {series_cell(attack.series),
                     cell(attack.attribute),
                     cell(result.rule + (row.marked ? " (best)" : ""), setting_text(found)),
                     report::rate_cell(result.balanced, result.ci),
                     rate_cell(found.clear),
                     rate_cell(found.floor),
                     health_cell(found),
                     drop_cell(found.paired),
                     suppression_cell(found.suppression)};
        unhealthy |= found.unhealthy();
        table.rows.push_back(std::move(row));
        table.csv_rows.push_back(estimator_csv(attack, result));
      }
    }
  }
  if (unhealthy) {
    table.note +=
        " † Unhealthy: does not beat chance on clear data, or its floor is above chance; its failure protects nobody.";
  }
  return table;
}

Table health_table(const std::vector<RunResults>& runs) {
  Table table{
      .name = "health",
      .caption = "Attack health and controls",
      .columns = {{"Technique", Table::Align::left},
                  {"Attribute", Table::Align::left},
                  {"Attack", Table::Align::left},
                  {"Health", Table::Align::left},
                  {"Null control"},
                  {"Planted leaks found"},
                  {"Smallest leak found"}},
      .rows = {},
      .note =
          "Null control: nothing to find, so chance is right. Planted leaks are named by the balanced accuracy of "
          "an attacker who knows what was planted; smaller leaks than the smallest one found could have stayed "
          "unseen in this experiment. † To be distrusted: unhealthy, or found something where nothing is.",
      .csv_head = {"run", "technique", "variant", "attribute", "kind", "attack", "healthy", "null", "null_low",
                   "null_high", "null_found", "planted", "planted_found", "smallest"},
      .csv_rows = {}};
  for (const RunResults& run : runs) {
    for (const AttributeAttack& attack : run.attacks) {
      if (attack.kind == "similarity" && attack.best) {
        add_health_row(table, attack, best_attack_name(attack), {}, attack.control);
        continue;
      }
      for (const AttackResult& result : attack.results) {
        add_health_row(table, attack, result.rule, result.evidence, result.evidence.control);
      }
    }
  }
  return table;
}

Table regression_table(const std::vector<RunResults>& runs) {
  Table table{
      .name = "regression",
      .caption = "Continuous attributes: mean absolute error of guessing the number, 95 % intervals in brackets",
      .columns = {{"Technique", Table::Align::left},
                  {"Attribute", Table::Align::left},
                  {"Estimator", Table::Align::left},
                  {"Mean absolute error"},
                  {"On clear data"},
                  {"Chance"},
                  {"Floor"},
                  {"RMSE"},
                  {"R²"},
                  {"Correlation"}},
      .rows = {},
      .note =
          "The larger the error, the better the protection. Chance: the same guess for everybody. Floor: trained with "
          "values exchanged between people.",
      .csv_head = {"run", "technique", "variant", "attribute", "unit", "estimator", "mae", "mae_low", "mae_high",
                   "clear_mae", "clear_low", "clear_high", "chance_mae", "floor_mae", "floor_low", "floor_high", "rmse",
                   "r2", "correlation"},
      .csv_rows = {}};
  for (const RunResults& run : runs) {
    for (const AttributeAttack& attack : run.attacks) {
      if (!attack.regression) continue;
      const Regression& regression = *attack.regression;
      const std::string unit = regression.unit.empty() ? "" : " " + regression.unit;
      const auto error_cell = [&](const std::optional<Measured>& value) {
        Table::Cell out = decimal_cell(or_nothing(value).value, or_nothing(value).ci, 2);
        if (value) out.text += unit;
        return out;
      };
      for (const RegressionResult& result : regression.results) {
        Table::Row row;
        row.marked = result.estimator == regression.best;
        row.cells = {
            series_cell(attack.series),
            cell(attack.attribute),
            cell(result.estimator + (row.marked ? " (best)" : "")),
            error_cell(result.mae),
            error_cell(result.clear),
            error_cell(regression.chance_mae ? std::optional(Measured{regression.chance_mae, {}}) : std::nullopt),
            error_cell(result.floor),
            cell(decimal(result.rmse, 2)),
            cell(decimal(result.r2, 3)),
            cell(decimal(result.correlation, 3))};
        table.rows.push_back(std::move(row));
        Fields csv = {attack.series.run, attack.series.technique, attack.series.variant,
                      attack.attribute,  regression.unit,         result.estimator};
        add_measured(csv, result.mae);
        add_measured(csv, result.clear);
        csv.push_back(exact(regression.chance_mae));
        add_measured(csv, result.floor);
        for (const Number value : {result.rmse, result.r2, result.correlation}) csv.push_back(exact(value));
        table.csv_rows.push_back(std::move(csv));
      }
    }
  }
  return table;
}

}  // namespace bauta::report
