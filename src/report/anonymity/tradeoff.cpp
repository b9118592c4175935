// All anonymised settings at a glance: utility against mixture, claimed and left.
#include <algorithm>

#include <fmt/format.h>

#include "style.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

// What was varied to get there; representations where there are several.
std::string group_of(const Anonymised& setting, const AnonymisedRun& run, bool several) {
  if (several) return setting.representation.empty() ? "as given" : setting.representation;
  for (const Sweep& sweep : run.run->sweeps) {
    const auto& all = sweep.techniques;
    if (std::find(all.begin(), all.end(), setting.series.technique) == all.end()) continue;
    std::string names;
    for (const Sweep::Axis& axis : sweep.axes) names += (names.empty() ? "" : " and ") + axis.name;
    return "varying " + names;
  }
  return "single setting";
}

Json tradeoff_layers(const SeriesStyle& style, const Names& groups, const std::string& attribute,
                     const std::pair<double, double>& range) {
  const Json y = numeric("y", few_ticks(percent_axis(fmt::format("Accuracy of {} (%)", attribute))),
                         {{"domain", {range.first, range.second}}, {"nice", false}});
  const auto x = [](const char* field) {
    return numeric(field, few_ticks(percent_axis("Identity mixture (%)")), {{"domain", {0, 1}}, {"nice", false}});
  };
  Json chance = x("chance");
  chance["aggregate"] = "max";
  Json layers = Json::parse(R"vega([
    {"mark": {"type": "rule", "color": "currentColor", "opacity": 0.6, "strokeDash": [4, 4]}, "encoding": {}},
    {"mark": {"type": "text", "align": "right", "baseline": "bottom", "dy": -3, "fontSize": 11, "color": "currentColor",
      "opacity": 0.8}, "encoding": {"y": {"value": 0}, "text": {"value": "chance"}}},
    {"transform": [{"filter": "isValid(datum.claimed) && isValid(datum.informed)"}],
     "mark": {"type": "rule", "strokeWidth": 1, "opacity": 0.45}, "encoding": {"x2": {"field": "claimed"}}},
    {"transform": [{"filter": "isValid(datum.claimed)"}],
     "mark": {"type": "point", "filled": false, "size": 50, "strokeWidth": 1.5, "opacity": 0.9}, "encoding": {}},
    {"transform": [{"filter": "isValid(datum.informed)"}],
     "mark": {"type": "point", "filled": true, "size": 65, "opacity": 0.95}, "encoding": {}},
    {"transform": [{"filter": "isValid(datum.clear)"}], "encoding": {"tooltip": [{"field": "setting"}]},
     "mark": {"type": "point", "shape": "diamond", "filled": true, "size": 130, "color": "currentColor", "opacity": 1}},
    {"transform": [{"filter": "isValid(datum.clear)"}], "encoding": {"text": {"field": "setting"}},
     "mark": {"type": "text", "align": "left", "dx": 10, "fontSize": 11, "color": "currentColor"}}])vega");
  const char* const along[] = {"", "", "informed", "claimed", "informed", "clear", "clear"};
  const Json tooltip = tooltip_of({{"setting"},
                                   {"y", "accuracy of " + attribute, ".1%"},
                                   {"claimed", "mixture claimed", ".2%"},
                                   {"attacker_claimed", "by"},
                                   {"informed", "mixture left", ".2%"},
                                   {"attacker", "by"}});
  for (std::size_t i = 0; i < layers.size(); ++i) {
    Json& encoding = layers[i]["encoding"];
    encoding["x"] = i < 2 ? chance : x(along[i]);
    if (i >= 2) encoding["y"] = y;
    if (i >= 2 && i < 5) encoding["color"] = style.color(groups);
    if (i == 3 || i == 4) encoding.update({{"shape", style.shape(groups)}, {"tooltip", tooltip}});
  }
  return layers;
}

// Clear data as each representation's settings know it; the strongest attacker's level there.
void add_clear(Json& rows, const std::string& panel, const std::string& question, const AnonymisedRun& run) {
  for (const std::string& representation : run.representations()) {
    for (const Anonymised& setting : run.all) {
      const AttributeUtility* item = setting.interest();
      if (setting.representation != representation || !item) continue;
      const Measured accuracy = setting.series.unprotected ? item->accuracy : item->clear.value_or(Measured{});
      Number mixture;
      for (const Reidentifier& attacker : setting.attackers) {
        if (attacker.question != question || !attacker.clear_mixture || attacker.broken()) continue;
        mixture = mixture ? std::min(*mixture, *attacker.clear_mixture) : *attacker.clear_mixture;
      }
      if (!accuracy.value || !mixture) continue;
      const std::string name = representation.empty() ? "clear data" : "clear data, " + representation;
      rows.push_back(
          {{"panel", panel}, {"setting", name}, {"clear", rounded(*mixture)}, {"y", rounded(*accuracy.value)}});
      break;
    }
  }
}

// As far as points go, with room for their marks; not beyond 100 %, but for half a mark.
std::pair<double, double> range_of(const Json& rows) {
  double low = 1;
  double high = 0;
  for (const Json& row : rows) {
    low = std::min(low, row["y"].get<double>());
    high = std::max(high, row["y"].get<double>());
  }
  const double margin = std::max(0.02, 0.08 * (high - low));
  return {rounded(std::max(0.0, low - margin)), rounded(std::min(1.02, high + margin))};
}

}  // namespace

Figure anonymity_tradeoff_figure(const AnonymisedRun& run) {
  Json rows = Json::array();
  Names groups, panels;
  std::size_t drawn = 0;
  const Settings settings = protected_settings(run);
  const bool several = run.representations().size() > 1;
  for (const std::string& question : questions_of(settings)) {
    const std::string panel = question_title(question);
    drawn = 0;
    for (const Anonymised* setting : settings) {
      const AttributeUtility* item = setting->interest();
      const Survival survival = survival_of(*setting, question);
      if (!item || !item->accuracy.value || (!survival.claimed && !survival.informed)) continue;
      const std::string group = group_of(*setting, run, several);
      add_once(groups, group);
      Json row = {{"panel", panel},
                  {"line", group},
                  {"setting", setting->name},
                  {"y", rounded(*item->accuracy.value)},
                  {"attacker_claimed", survival.attacker_claimed},
                  {"attacker", survival.attacker}};
      if (survival.claimed) row["claimed"] = rounded(*survival.claimed);
      if (survival.informed) row["informed"] = rounded(*survival.informed);
      if (survival.chance) row["chance"] = rounded(*survival.chance);
      rows.push_back(std::move(row));
      ++drawn;
    }
    if (drawn == 0) continue;
    panels.push_back(panel);
    add_clear(rows, panel, question, run);
  }
  if (panels.empty()) return {};
  const std::pair<double, double> range = range_of(rows);
  const std::string title = run.run->prefixed("Utility against mixture, all settings");
  Figure out{run.run->file_name("anonymity-tradeoff"), title,
             fmt::format("Accuracy of {} against the identity mixture that uninformed and informed attackers leave, in "
                         "{} settings.",
                         run.interest(), drawn),
             "Upper right is better: useful, and nobody is found. Hollow: the mixture that uninformed attackers leave, "
             "as the paper claims it. Filled: what the strongest informed attacker leaves of it; the longer the line "
             "between the two, the less survives. Diamond: data that was not anonymised. Dashed rule: guessing.",
             base_spec(title, std::move(rows))};
  in_named_panels(out.spec, panels, tradeoff_layers(SeriesStyle("line", groups), groups, run.interest(), range));
  out.spec["spec"]["height"] = 300;
  out.spec["spec"]["width"] = 390;
  return out;
}

}  // namespace bauta::report
