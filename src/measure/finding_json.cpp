#include "bauta/measure/finding_json.hpp"

#include <limits>

#include "json_fields.hpp"

namespace bauta {

namespace {

Json draws_json(const std::vector<double>& draws) {
  Json json = Json::array();
  for (const double value : draws) json.push_back(std::isfinite(value) ? Json(value) : Json(nullptr));
  return json;
}

std::vector<double> read_draws(const Json& json) {
  std::vector<double> draws;
  if (!json.is_array()) return draws;
  for (const Json& draw : json) draws.push_back(read_number(draw).value_or(std::numeric_limits<double>::quiet_NaN()));
  return draws;
}

Json level_json(const std::optional<Level>& level) {
  return level ? Json{{"value", level->value}, {"ci", or_null(level->ci)}} : Json(nullptr);
}

std::optional<Level> read_level(const Json& json) {
  const auto value = read_number(field(json, "value"));
  if (!value) return std::nullopt;
  return Level{*value, read_interval(field(json, "ci")), read_draws(field(json, "draws")),
               read_text(field(json, "drawn_over"))};
}

/// With what only the step store keeps.
Json stored_json(const std::optional<Level>& level) {
  Json json = level_json(level);
  if (!level || level->draws.empty()) return json;
  json["draws"] = draws_json(level->draws);
  json["drawn_over"] = level->drawn_over;
  return json;
}

const Json& object_at(const Json& json, const char* name) {
  static const Json none = Json::object();
  const Json& found = field(json, name);
  return found.is_object() ? found : none;
}

}  // namespace

Json to_json(const Finding& finding) {
  Json counts = Json::object(), axes = Json::object();
  for (const auto& [name, count] : finding.counts) counts[name] = count;
  for (const auto& [name, value] : finding.axes) axes[name] = value;
  return {{"about", to_text(finding.about)},
          {"attacker", finding.attacker},
          {"measure", finding.measure},
          {"unit", finding.unit},
          {"value", finding.value},
          {"ci", or_null(finding.ci)},
          {"worse", finding.worse == Worse::higher ? "higher" : "lower"},
          {"chance", or_null(finding.chance)},
          {"certainty", finding.certainty},
          {"share", or_null(share_of_way(finding))},
          {"auc", or_null(finding.auc)},
          {"clear", level_json(finding.clear)},
          {"floor", level_json(finding.floor)},
          {"healthy", finding.healthy ? Json(*finding.healthy) : Json(nullptr)},
          {"counts", std::move(counts)},
          {"axes", std::move(axes)},
          {"unprotected", finding.unprotected}};
}

Json stored_json(const Finding& finding) {
  Json json = to_json(finding);
  json["clear"] = stored_json(finding.clear);
  json["draws"] = draws_json(finding.draws);
  json["drawn_over"] = finding.drawn_over;
  return json;
}

std::optional<Finding> read_finding(const Json& json) {
  const auto about = parse_about(read_text(field(json, "about")));
  const auto value = read_number(field(json, "value"));
  if (!about || !value) return std::nullopt;
  Finding finding;
  finding.about = *about;
  finding.attacker = read_text(field(json, "attacker"));
  finding.measure = read_text(field(json, "measure"));
  finding.unit = read_text(field(json, "unit"));
  finding.value = *value;
  finding.worse = field(json, "worse") == "lower" ? Worse::lower : Worse::higher;
  finding.ci = read_interval(field(json, "ci"));
  finding.chance = read_number(field(json, "chance"));
  finding.certainty = read_number(field(json, "certainty")).value_or(1);
  finding.auc = read_number(field(json, "auc"));
  finding.clear = read_level(field(json, "clear"));
  finding.floor = read_level(field(json, "floor"));
  if (const Json& healthy = field(json, "healthy"); healthy.is_boolean()) finding.healthy = healthy.get<bool>();
  for (const auto& [name, count] : object_at(json, "counts").items()) {
    if (count.is_number_unsigned()) finding.counts[name] = count.get<std::size_t>();
  }
  for (const auto& [name, text] : object_at(json, "axes").items()) {
    if (text.is_string()) finding.axes[name] = text.get<std::string>();
  }
  finding.unprotected = field(json, "unprotected") == true;
  finding.draws = read_draws(field(json, "draws"));
  finding.drawn_over = read_text(field(json, "drawn_over"));
  return finding;
}

}  // namespace bauta
