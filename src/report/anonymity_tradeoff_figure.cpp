// All anonymised settings at a glance: utility against mixture, claimed and left.
#include <algorithm>

#include <fmt/format.h>

#include "bauta/report/anonymity_style.hpp"
#include "bauta/report/text.hpp"

namespace bauta::report {
namespace {

// What was varied to get there; representations where there are several.
std::string group_of(const Anonymised& setting, const RunResults& run, bool several) {
  if (several) return setting.representation.empty() ? "as given" : setting.representation;
  for (const Sweep& sweep : run.sweeps) {
    const auto& all = sweep.techniques;
    if (std::find(all.begin(), all.end(), setting.series.technique) == all.end()) continue;
    std::string names;
    for (const Sweep::Axis& axis : sweep.axes) names += (names.empty() ? "" : " and ") + axis.name;
    return "varying " + names;
  }
  return "single setting";
}

Json tradeoff_part(const char* test, Json mark, Json encoding) {
  return {{"transform", {{{"filter", test}}}}, {"mark", std::move(mark)}, {"encoding", std::move(encoding)}};
}

Json tradeoff_layers(const SeriesStyle& style, const std::vector<std::string>& groups, const std::string& attribute,
                     const std::pair<double, double>& range) {
  const Json y = {{"field", "y"},
                  {"type", "quantitative"},
                  {"axis", few_ticks(percent_axis(fmt::format("Accuracy of {} (%)", attribute)))},
                  {"scale", {{"domain", {range.first, range.second}}, {"nice", false}}}};
  const auto x = [](const char* field) {
    return Json{{"field", field},
                {"type", "quantitative"},
                {"axis", few_ticks(percent_axis("Identity mixture (%)"))},
                {"scale", {{"domain", {0, 1}}, {"nice", false}}}};
  };
  const Json color = style.color(groups);
  const Json shape = style.shape(groups);
  const Json tooltip = {{{"field", "setting"}},
                        {{"field", "y"}, {"title", "accuracy of " + attribute}, {"format", ".1%"}},
                        {{"field", "claimed"}, {"title", "mixture claimed"}, {"format", ".2%"}},
                        {{"field", "attacker_claimed"}, {"title", "by"}},
                        {{"field", "informed"}, {"title", "mixture left by informed"}, {"format", ".2%"}},
                        {{"field", "attacker"}, {"title", "by"}}};
  const Json grey = "currentColor";
  Json chance = x("chance");
  chance["aggregate"] = "max";
  Json out = Json::array();
  for (const Json& layer :
       {Json{{"mark", {{"type", "rule"}, {"color", grey}, {"opacity", 0.6}, {"strokeDash", {4, 4}}}},
             {"encoding", {{"x", chance}}}},
        Json{{"mark",
              {{"type", "text"},
               {"align", "right"},
               {"baseline", "bottom"},
               {"dy", -3},
               {"fontSize", 11},
               {"color", grey},
               {"opacity", 0.8}}},
             {"encoding", {{"x", chance}, {"y", {{"value", 0}}}, {"text", {{"value", "chance"}}}}}},
        tradeoff_part("isValid(datum.claimed) && isValid(datum.informed)",
                      {{"type", "rule"}, {"strokeWidth", 1}, {"opacity", 0.45}},
                      {{"x", x("informed")}, {"x2", {{"field", "claimed"}}}, {"y", y}, {"color", color}}),
        tradeoff_part("isValid(datum.claimed)",
                      {{"type", "point"}, {"filled", false}, {"size", 50}, {"strokeWidth", 1.5}, {"opacity", 0.9}},
                      {{"x", x("claimed")}, {"y", y}, {"color", color}, {"shape", shape}, {"tooltip", tooltip}}),
        tradeoff_part("isValid(datum.informed)", {{"type", "point"}, {"filled", true}, {"size", 65}, {"opacity", 0.95}},
                      {{"x", x("informed")}, {"y", y}, {"color", color}, {"shape", shape}, {"tooltip", tooltip}}),
        tradeoff_part(
            "isValid(datum.clear)",
            {{"type", "point"}, {"shape", "diamond"}, {"filled", true}, {"size", 130}, {"color", grey}, {"opacity", 1}},
            {{"x", x("clear")}, {"y", y}, {"tooltip", {{{"field", "setting"}}}}}),
        tradeoff_part("isValid(datum.clear)",
                      {{"type", "text"}, {"align", "left"}, {"dx", 10}, {"fontSize", 11}, {"color", grey}},
                      {{"x", x("clear")}, {"y", y}, {"text", {{"field", "setting"}}}})}) {
    out.push_back(layer);
  }
  return out;
}

// Clear data as each representation's settings know it; the strongest attacker's level there.
void add_clear(Json& rows, const std::string& panel, const std::string& question, const RunResults& run) {
  for (const std::string& representation : representations_of(run)) {
    for (const Anonymised& setting : run.anonymised) {
      const AttributeUtility* item = setting.interest();
      if (setting.representation != representation || !item) continue;
      const Measured accuracy = setting.series.clear() ? item->accuracy : item->clear.value_or(Measured{});
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

Figure anonymity_tradeoff_figure(const RunResults& run, const std::vector<RunResults>& runs) {
  Json rows = Json::array();
  std::vector<std::string> groups, panels;
  std::size_t drawn = 0;
  const Settings settings = protected_settings(run.anonymised);
  const bool several = representations_of(run).size() > 1;
  for (const std::string& question : questions_of(settings)) {
    const std::string panel = question_title(question);
    drawn = 0;
    for (const Anonymised* setting : settings) {
      const AttributeUtility* item = setting->interest();
      const Survival survival = survival_of(*setting, question);
      if (!item || !item->accuracy.value || (!survival.claimed && !survival.informed)) continue;
      const std::string group = group_of(*setting, run, several);
      if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
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
  const std::string title = of_run("Utility against mixture, all settings", run, runs);
  Figure out{name_of_run("anonymity-tradeoff", run, runs), title,
             fmt::format("Accuracy of {} against the identity mixture that uninformed and informed attackers leave, in "
                         "{} settings.",
                         interest_of(run), drawn),
             "Upper right is better: useful, and nobody is found. Hollow: the mixture that uninformed attackers leave, "
             "as the paper claims it. Filled: what the strongest informed attacker leaves of it; the longer the line "
             "between the two, the less survives. Diamond: data that was not anonymised. Dashed rule: guessing.",
             base_spec(title, std::move(rows))};
  in_panels(out.spec, panels, tradeoff_layers(SeriesStyle("line", groups), groups, interest_of(run), range));
  out.spec["spec"]["height"] = 300;
  out.spec["spec"]["width"] = 390;
  return out;
}

}  // namespace bauta::report
