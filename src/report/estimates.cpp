// Reading of what surrounds an attack's success.
#include "bauta/report/estimates.hpp"

#include <algorithm>

namespace bauta::report {
namespace {

std::vector<std::pair<std::string, double>> named_numbers(const Json& object) {
  std::vector<std::pair<std::string, double>> out;
  if (!object.is_object()) return out;
  for (const auto& [name, value] : object.items()) {
    if (const Number rate = number_of(value)) out.emplace_back(name, *rate);
  }
  return out;
}

std::optional<Measured> measured(const Json& values, const char* name) {
  const Number value = number(values, name);
  if (!value) return std::nullopt;
  return Measured{value, interval(values, "ci")};
}

std::optional<Planted> planted(const Json& values) {
  const std::optional<Measured> balanced = measured(values, "balanced");
  if (!balanced) return std::nullopt;
  return Planted{number(values, "size"), *balanced, is_true(values, "found")};
}

}  // namespace

Controls read_controls(const Json& values) {
  Controls out;
  out.null = planted(field(values, "null"));
  for (const Json& item : field(values, "planted")) {
    if (const std::optional<Planted> leak = planted(item); leak && leak->size) out.planted.push_back(*leak);
  }
  std::sort(out.planted.begin(), out.planted.end(),
            [](const Planted& a, const Planted& b) { return *a.size < *b.size; });
  out.smallest = number(values, "smallest");
  return out;
}

std::optional<Suppression> read_suppression(const Json& values) {
  const Number value = number(values, "value");
  if (!value) return std::nullopt;
  return Suppression{value, number(values, "reachable"), interval(values, "ci")};
}

Evidence read_evidence(const Json& values) {
  Evidence out;
  const Json& parameters = field(values, "parameters");
  if (parameters.is_object()) {
    for (const auto& [name, value] : parameters.items()) out.parameters.emplace_back(name, plain_text(value));
  }
  out.auc = number(values, "auc");
  out.rates = named_numbers(field(values, "rates"));
  out.clear = measured(field(values, "clear"), "balanced");
  out.floor = measured(field(values, "floor"), "balanced");
  const Json& healthy = field(values, "healthy");
  if (healthy.is_boolean()) out.healthy = healthy.get<bool>();
  out.control = read_controls(field(values, "control"));
  const Json& paired = field(values, "paired");
  if (number(paired, "difference")) {
    out.paired = Paired{number(paired, "difference"), number(paired, "p"), interval(paired, "ci")};
  }
  out.suppression = read_suppression(field(values, "suppression"));
  const Json& tuned = field(values, "tuned");
  if (tuned.is_object()) out.tuned = Tuning{text(tuned, "search"), number(tuned, "trials"), number(tuned, "score")};
  for (const Json& item : field(values, "learning_curve")) {
    const std::optional<Measured> balanced = measured(item, "balanced");
    if (balanced) out.learning_curve.push_back({number(item, "identities"), number(item, "samples"), *balanced});
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
    out.results.push_back({text(item, "estimator"), *mae, number(item, "rmse"), number(item, "r2"),
                           number(item, "correlation"), measured(field(item, "clear"), "mae"),
                           measured(field(item, "floor"), "mae")});
  }
  return out;
}

std::optional<PicAuc> read_pic_auc(const Json& values) {
  if (!values.is_object()) return std::nullopt;
  return PicAuc{number(values, "suppression"), number(values, "identity_loss"), number(values, "pic"),
                number(values, "printed"), text(values, "form")};
}

std::optional<Protocol> read_protocol(const Json& values) {
  if (text(values, "kind").empty()) return std::nullopt;
  Protocol out{.kind = text(values, "kind"),
               .text = text(values, "text"),
               .attribute = text(values, "attribute"),
               .folds = number(values, "folds"),
               .train = number(values, "train"),
               .dev = number(values, "dev"),
               .test = number(values, "test"),
               .rotations = number(values, "rotations"),
               .balance = {}};
  if (out.text.empty()) out.text = out.kind;
  for (const Json& item : field(values, "balance")) {
    if (!item.is_object()) continue;
    out.balance.push_back({number(item, "fold"), number(item, "identities"), number(item, "samples"),
                           named_numbers(field(item, "classes"))});
  }
  return out;
}

}  // namespace bauta::report
