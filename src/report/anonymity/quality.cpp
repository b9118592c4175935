// How good an anonymisation is beyond its first guess (S2, Fig. 6 and 7).
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "style.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

struct Named {
  std::string label;
  Json x;  ///< the set size
  const Anonymised* setting = nullptr;
};

const Sweep* size_sweep(const AnonymisedRun& run) {
  const auto found = std::find_if(run.run->sweeps.begin(), run.run->sweeps.end(),
                                  [](const Sweep& sweep) { return sweep.axes[0].name == "g"; });
  return found == run.run->sweeps.end() ? nullptr : &*found;
}

// Of the first representation: the paper looks into one only.
std::vector<Named> settings_by_size(const AnonymisedRun& run) {
  const Names representations = run.representations();
  if (representations.empty()) return {};
  const std::string& representation = representations.front();
  std::vector<Named> out;
  if (const Sweep* sweep = size_sweep(run)) {
    const ParameterAxis axis("g", sweep->axes[0].values);
    for (std::size_t i = 0; i < sweep->techniques.size(); ++i) {
      const Anonymised* setting = run.setting(sweep->techniques[i], representation);
      if (!setting) continue;
      const std::vector<std::size_t> place = sweep->place(i);
      std::string label;
      for (std::size_t k = 0; k < place.size(); ++k) {
        label += fmt::format("{}{} = {}", k == 0 ? "" : ", ", sweep->axes[k].name, sweep->axes[k].values[place[k]]);
      }
      out.push_back({label, axis.at(place[0]), setting});
    }
    return out;
  }
  for (const Anonymised* setting : protected_settings(run)) {
    if (setting->representation == representation) out.push_back({setting->series.technique, Json(), setting});
  }
  return out;
}

Names labels_of(const std::vector<Named>& settings) {
  Names out;
  for (const Named& named : settings) out.push_back(named.label);
  return out;
}

Settings only_settings(const std::vector<Named>& settings) {
  Settings out;
  for (const Named& named : settings) out.push_back(named.setting);
  return out;
}

constexpr const char* panel_names[] = {"Uninformed attackers", "Informed attackers"};

// The mixture of guessing at each k, as a line: in the paper's plain scale a straight one.
Json guess_line(const Json& x, const Json& y) {
  Json at = y;
  at["field"] = "guess";
  at["type"] = "quantitative";
  at["aggregate"] = "max";
  return {{"mark", {{"type", "line"}, {"color", "currentColor"}, {"opacity", 0.7}, {"strokeDash", {4, 4}}}},
          {"encoding", {{"x", x}, {"y", at}}}};
}

Figure top_figure(const std::string& question, const std::vector<Named>& settings, const AnonymisedRun& run) {
  Json rows = Json::array();
  Names labels, panels;
  std::set<double> ks;
  for (const bool informed : {false, true}) {
    for (const Named& named : settings) {
      const Reidentifier* attacker = strongest(*named.setting, question, informed);
      if (!attacker || attacker->top.empty()) continue;
      if (panels.empty() || panels.back() != panel_names[informed]) panels.emplace_back(panel_names[informed]);
      add_once(labels, named.label);
      for (const TopMixture& top : attacker->top) {
        Json row = {{"panel", panel_names[informed]}, {"x", top.k},          {"line", named.label},
                    {"attacker", attacker->attacker}, {"hollow", !informed}, {"pattern", informed ? 0 : 1}};
        put(row, "y", top.mixture);
        if (top.chance) row["guess"] = rounded(*top.chance);
        rows.push_back(std::move(row));
        ks.insert(top.k);
      }
    }
  }
  if (ks.size() < 2) return {};
  const bool log = *ks.rbegin() / *ks.begin() >= 50;
  const Json x = numeric("x",
                         {{"title", log ? "Guesses k (logarithmic)" : "Guesses k"},
                          {"grid", false},
                          {"format", "~s"},
                          {"values", std::vector<double>(ks.begin(), ks.end())},
                          {"labelOverlap", "greedy"}},
                         padded_scale(log, 10));
  const Json y = share_channel("Mixture within k guesses (%)");
  const Json tooltip = tooltip_of({{"line", "setting"},
                                   {"attacker"},
                                   {"x", "guesses"},
                                   {"y", "mixture", ".2%"},
                                   {"low", "95 % from", ".2%"},
                                   {"high", "95 % to", ".2%"},
                                   {"guess", "guessing", ".2%"}});
  Json layers = line_layers(rows, x, y, SeriesStyle("line", labels_of(settings)), labels, tooltip);
  if (any_row(rows, "guess")) layers.insert(layers.begin(), guess_line(x, y));
  const std::string title =
      run.run->prefixed(fmt::format("{} More than one guess (the paper's Fig. 6)", question_title(question)));
  Figure out{
      run.run->file_name("anonymity-top-" + slug(question)), title,
      fmt::format("Identity mixture within k guesses of the strongest uninformed and informed attackers in {} "
                  "settings, beside guessing.",
                  labels.size()),
      "An attacker may name k candidates. Dashed line without marks: guessing; the further below it, the more is "
      "given away. The strongest attacker of each kind is drawn. Bars are 95 % intervals.",
      base_spec(title, std::move(rows))};
  in_named_panels(out.spec, panels, std::move(layers));
  return out;
}

Figure divergence_figure(const std::vector<Named>& settings, const AnonymisedRun& run) {
  const Sweep* sweep = size_sweep(run);
  if (!sweep || sweep->axes.size() != 1) return {};
  Json rows = Json::array();
  Names labels, panels, all;
  double least = HUGE_VAL;
  double most = 0;
  double top = 0;
  for (const std::string& question : questions_of(only_settings(settings))) {
    for (const Named& named : settings) {
      for (const Reidentifier& attacker : named.setting->attackers) {
        const std::string label = attacker_name(attacker);
        add_once(all, label);
        if (attacker.question != question || !attacker.kl) continue;
        const std::string panel = question_title(question);
        add_once(panels, panel);
        add_once(labels, label);
        Json row = {{"panel", panel},
                    {"x", named.x},
                    {"line", label},
                    {"setting", named.setting->name},
                    {"hollow", !attacker.informed},
                    {"pattern", attacker.informed ? 0 : 1}};
        put(row, "y", {attacker.kl, std::nullopt});
        if (attacker.candidates && *attacker.candidates > 1) row["certain"] = rounded(std::log(*attacker.candidates));
        top = std::max({top, *attacker.kl, row.value("certain", 0.0)});
        rows.push_back(std::move(row));
        least = std::min(least, *attacker.kl);
        most = std::max(most, *attacker.kl);
      }
    }
  }
  if (rows.empty()) return {};
  // Nearly logarithmic, and still with a place for nothing at all.
  const bool wide = most > 50 * std::max(least, 0.0);
  Json axis = {{"title", "KL from guessing (nats)"}};
  // Room above for the name of the highest line.
  Json scale = {{"domain", {0, rounded(1.1 * top)}}, {"nice", false}};
  if (wide) {
    axis["values"] = {0, 0.001, 0.01, 0.1, 1, 10};
    axis["format"] = "~g";
    scale = {{"type", "symlog"}, {"constant", 0.001}, {"domain", {0, rounded(2.2 * top)}}, {"nice", false}};
  }
  const Json y = {{"axis", axis}, {"scale", scale}};
  const Json tooltip =
      tooltip_of({{"setting"}, {"line", "attacker"}, {"y", "KL (nats)", ".4~g"}, {"certain", "certainty", ".4~g"}});
  Json layers = line_layers(rows, ParameterAxis("g", sweep->axes[0].values).channel(), y, SeriesStyle("line", all),
                            labels, tooltip);
  for (Json layer : level_line("certain", "max", "certainty")) {
    layer["encoding"]["y"]["axis"] = axis;
    layer["encoding"]["y"]["scale"] = scale;
    layers.push_back(std::move(layer));
  }
  const std::string title = run.run->prefixed("Distance of beliefs from guessing (the paper's Fig. 7)");
  Figure out{
      run.run->file_name("anonymity-kl"), title,
      fmt::format("Divergence of the attackers' beliefs from the uniform distribution by set size, in {} settings.",
                  settings.size()),
      "KL divergence of what an attacker believes from a uniform guess, mean over records: 0 where they have "
      "learned nothing; at the solid rule they are certain, rightly or wrongly. Hollow: uninformed, as in the "
      "paper. Filled: informed.",
      base_spec(title, std::move(rows))};
  in_named_panels(out.spec, panels, std::move(layers));
  return out;
}

}  // namespace

std::vector<Figure> quality_figures(const AnonymisedRun& run) {
  std::vector<Figure> out;
  const std::vector<Named> settings = settings_by_size(run);
  for (const std::string& question : questions_of(only_settings(settings))) {
    out.push_back(top_figure(question, settings, run));
  }
  out.push_back(divergence_figure(settings, run));
  return out;
}

}  // namespace bauta::report
