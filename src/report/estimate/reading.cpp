// Estimators as results.json has them.
#include "estimate.hpp"

namespace bauta::report {
namespace {

EstimatorResult read_result(const Json& values) {
  EstimatorResult out;
  out.estimator = text(values, "estimator");
  const Json& parameters = field(values, "parameters");
  if (parameters.is_object()) {
    for (const auto& [name, value] : parameters.items()) out.parameters.emplace_back(name, text_of(value));
  }
  out.accuracy = number(values, "accuracy");
  out.auc = number(values, "auc");
  out.balanced = {number(values, "balanced"), interval(values)};
  out.rates = named_numbers_of(field(values, "rates"));
  out.clear = measured(field(values, "clear"), "balanced").value_or(Measured{});
  out.floor = measured(field(values, "floor"), "balanced").value_or(Measured{});
  out.healthy = flag_of(field(values, "healthy"));
  out.control = read_controls(field(values, "control"));
  const Json& paired = field(values, "paired");
  if (const auto difference = measured(paired, "difference")) out.paired = Paired{*difference, number(paired, "p")};
  out.suppression = read_suppression(field(values, "suppression"));
  const Json& tuned = field(values, "tuned");
  if (tuned.is_object()) out.tuned = Tuning{text(tuned, "search"), number(tuned, "trials"), number(tuned, "score")};
  for (const Json& item : field(values, "learning_curve")) {
    const std::optional<Measured> balanced = measured(item, "balanced");
    if (balanced) out.learning_curve.push_back({number(item, "identities"), *balanced});
  }
  out.by_rotation = numbers(values, "by_rotation");
  return out;
}

std::optional<Regression> read_regression(const Json& values) {
  if (!values.is_object()) return std::nullopt;
  Regression out{text(values, "unit"), number(values, "chance_mae"), {}, text(field(values, "best"), "estimator")};
  for (const Json& item : field(values, "results")) {
    const std::optional<Measured> mae = measured(item, "mae");
    if (!mae) continue;
    out.results.push_back({text(item, "estimator"), *mae, measured(field(item, "clear"), "mae").value_or(Measured{}),
                           measured(field(item, "floor"), "mae").value_or(Measured{}), number(item, "rmse"),
                           number(item, "r2"), number(item, "correlation")});
  }
  return out;
}

}  // namespace

Estimation read_estimation(const Cell& cell) {
  const Values& values = cell.values;
  Estimation out;
  out.series = cell.series;
  out.attribute = text(values, "attribute");
  if (out.attribute.empty()) out.attribute = cell.attribute.empty() ? "unnamed attribute" : cell.attribute;
  out.chance = number(values, "chance");
  out.train_samples = number(field(values, "train"), "samples");
  out.train_identities = number(field(values, "train"), "identities");
  out.tuning_samples = number(field(values, "dev"), "samples");
  out.tuning_identities = number(field(values, "dev"), "identities");
  out.test_samples = number(field(values, "test"), "samples");
  out.test_identities = number(field(values, "test"), "identities");
  for (const Json& item : field(values, "results")) {
    if (item.is_object()) out.results.push_back(read_result(item));
  }
  out.best = text(field(values, "best"), "estimator");
  out.regression = read_regression(field(values, "regression"));
  for (const char* known : {"kind", "classes", "edges", "rotations", "preparation"}) (void)values.at(known);
  return out;
}

}  // namespace bauta::report
