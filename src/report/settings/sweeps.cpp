// The chapter about settings: what parameters do to the use of data and to what attackers find (S2, Fig. 1 to 5 and 8).
#include <algorithm>

#include <fmt/format.h>

#include "mixture.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

/// A finding about what data is still good for, as a share.
bool is_purpose(const Finding& finding) {
  return !is_leak(finding.about) && finding.unit == "rate";
}
bool is_leaking_share(const Finding& finding) {
  return is_leak(finding.about) && finding.unit == "rate";
}
/// Findings that stand in one panel: "Mixture: " and the question, "Balanced accuracy: gender".
std::string leak_panel(const Finding& finding) {
  if (is_search(finding)) return "Mixture: " + finding.axis("question");
  return capital(finding.measure) + ": " + target_name(finding.about, finding.axis("attribute"));
}

/// All panels of leaks, in order of their names.
Names leak_panels(const Settings& settings) {
  Names out;
  for (const Setting& setting : settings) {
    for (const Finding* finding : setting.findings(is_leaking_share)) add_once(out, leak_panel(*finding));
  }
  std::sort(out.begin(), out.end());
  return out;
}

Findings leaks_in(const std::string& panel, const Setting& setting) {
  return setting.findings(
      [&](const Finding& finding) { return is_leaking_share(finding) && leak_panel(finding) == panel; });
}

/// "accuracy of digit".
std::string purpose_name(const Finding& finding) {
  const std::string attribute = finding.axis("attribute");
  return attribute.empty() ? finding.measure : finding.measure + " of " + attribute;
}

/// The leading purpose: what anonymised data is for, if that was asked. Null: none.
const Finding* purpose_of(const Setting& setting) {
  const Findings found = setting.findings(is_purpose);
  const auto first =
      std::find_if(found.begin(), found.end(), [](const Finding* finding) { return finding->about == About::utility; });
  return first != found.end() ? *first : found.empty() ? nullptr : found.front();
}

constexpr const char* knowledge_caption =
    "Hollow marks and dashed lines: attackers who know nothing of the protection. Filled marks and solid lines: "
    "informed "
    "attackers. Bars are 95 % intervals. Dashed rule: guessing.";

Json share_row(const Stop& stop, const Finding& finding, const std::string& measure, bool with_levels = true) {
  const Shares shares = shares_of(finding);
  Json row = {{"x", stop.x}, {"setting", stop.setting->name}, {"measure", measure}};
  put(row, "y", shares.value);
  if (with_levels && shares.chance) row["chance"] = rounded(*shares.chance);
  if (with_levels && shares.clear) row["clear"] = rounded(*shares.clear);
  return row;
}

Settings settings_at(const std::vector<Stop>& stops) {
  Settings out;
  for (const Stop& stop : stops) out.push_back(*stop.setting);
  return out;
}

// The leading purpose comes first and has the levels.
std::string purpose_line(const Finding& finding) {
  const std::string attribute = finding.axis("attribute");
  return attribute.empty() ? finding.measure : attribute;
}

// One axis: every purpose and every attacker has a line.
LineRows finding_lines(const std::vector<Stop>& stops) {
  LineRows out;
  for (const Stop& stop : stops) {
    const Findings purposes = stop.setting->findings(is_purpose);
    for (const Finding* finding : purposes) {
      const std::string name = purpose_name(*finding);
      out.add(share_row(stop, *finding, name, finding == purpose_of(*stop.setting)),
              capital(purposes.size() > 1 ? finding->measure : name), purpose_line(*finding), false);
    }
  }
  for (const std::string& panel : leak_panels(settings_at(stops))) {
    for (const Stop& stop : stops) {
      for (const Finding* finding : leaks_in(panel, *stop.setting)) {
        const std::string name = searcher_name(*finding);
        out.add(share_row(stop, *finding, name), panel, name, !is_informed(*finding));
      }
    }
  }
  return out;
}

// Several axes or representations: a line per series, and only the strongest attacker of each kind.
LineRows series_lines(const std::vector<Stop>& stops) {
  LineRows out;
  for (const Stop& stop : stops) {
    const Finding* purpose = purpose_of(*stop.setting);
    if (!purpose) continue;
    const std::string name = purpose_name(*purpose);
    out.add(share_row(stop, *purpose, name), capital(name), stop.line, false);
  }
  const Names panels = leak_panels(settings_at(stops));
  for (const std::string& panel : panels) {
    for (const bool informed : {false, true}) {
      for (const Stop& stop : stops) {
        Findings found = leaks_in(panel, *stop.setting);
        std::erase_if(found, [&](const Finding* finding) { return is_informed(*finding) != informed; });
        const Finding* strongest = strongest_of(found);
        if (!strongest) continue;
        const std::string kind = informed ? " (informed)" : " (uninformed)";
        out.add(share_row(stop, *strongest, searcher_name(*strongest)), panel + (panels.size() == 1 ? kind : ""),
                stop.line, !informed);
      }
    }
  }
  return out;
}

// Attackers first: the leading purpose has the colour of the text, and no other takes a colour from them.
SeriesStyle attacker_style(const Settings& settings) {
  Names attackers, purposes;
  for (const Setting& setting : settings) {
    for (const Finding* finding : setting.findings(is_leaking_share)) add_once(attackers, searcher_name(*finding));
    const Findings found = setting.findings(is_purpose);
    for (std::size_t i = 1; i < found.size(); ++i) add_once(purposes, purpose_line(*found[i]));
  }
  attackers.insert(attackers.end(), purposes.begin(), purposes.end());
  return {"line", attackers};
}

// What the techniques of a sweep have in common: "t = 0.5, w = 10".
std::string fixed_parameters(const Sweep& sweep) {
  Names shared;
  for (std::size_t i = 0; i < sweep.techniques.size(); ++i) {
    const std::string& technique = sweep.techniques[i];
    Names own;
    for (std::size_t from = technique.find(':'); from != std::string::npos; from = technique.find(',', from + 1)) {
      own.push_back(technique.substr(from + 1, technique.find(',', from + 1) - from - 1));
    }
    if (i == 0) shared = own;
    std::erase_if(shared, [&](const std::string& one) { return std::find(own.begin(), own.end(), one) == own.end(); });
  }
  std::string out = joined(shared);
  for (std::size_t at = 0; (at = out.find('=', at)) != std::string::npos; at += 5) out.replace(at, 1, "\u00a0=\u00a0");
  return out;
}

std::string sweep_caption(const Sweep& sweep) {
  std::string out = knowledge_caption;
  const std::string fixed = fixed_parameters(sweep);
  return fixed.empty() ? out : out + fmt::format(" The rest stays at {}.", fixed);
}

std::string swept(const Sweep& sweep) {
  Names names;
  for (const Sweep::Axis& axis : sweep.axes) names.push_back(axis.name);
  return joined(names, " and ");
}

Json panel_spec(const std::string& title, LineRows drawing, const Sweep& sweep, const SeriesStyle& style) {
  const Json tooltip =
      tooltip_of({{"setting"}, {"measure"}, {"y", "share", ".2%", true}, {"chance", "guessing", ".2%"}});
  const ParameterAxis x(sweep.axes[0].name, sweep.axes[0].values);
  Json layers = line_layers(drawing.rows, x.channel(), share_channel("Share (%)"), style, drawing.labels, tooltip);
  Json spec = base_spec(title, std::move(drawing.rows));
  in_named_panels(spec, drawing.panels, std::move(layers));
  return spec;
}

Figure sweep_figure(const Sweep& sweep, const std::string& representation, const RunResults& run,
                    const Settings& settings) {
  const std::vector<Stop> stops = stops_of(sweep, settings, representation);
  const bool single = sweep.axes.size() == 1;
  LineRows drawing = single ? finding_lines(stops) : series_lines(stops);
  if (drawing.rows.empty()) return {};
  const Names representations = representations_of(settings);
  std::string title = "By " + swept(sweep);
  if (representations.size() > 1) title += ", " + representation;
  title = run.prefixed(title);
  Figure out{
      "sweep-" + slug(swept(sweep)), title,
      fmt::format("What data is good for and what attackers leave, by {}, in {} settings, with 95 % intervals, "
                  "the levels of guessing and of clear data.",
                  swept(sweep), stops.size()),
      (single ? "" : "The strongest attacker of each kind. ") + sweep_caption(sweep) + " Solid rule: clear data."};
  if (const std::string broken = broken_names(settings_at(stops)); !broken.empty() && single) {
    out.caption += fmt::format(" Not to be counted, because on clear data they find nobody either: {}.", broken);
  }
  if (representation != representations.front()) {
    out.name += "-" + slug(representation);
    out.secondary = true;
  }
  out.name = run.file_name(out.name);
  const SeriesStyle style = single ? attacker_style(settings) : SeriesStyle("line", drawing.labels);
  out.spec = panel_spec(title, std::move(drawing), sweep, style);
  return out;
}

// Along the first sweep of one axis.
Figure representation_figure(const RunResults& run, const Settings& settings) {
  const Names representations = representations_of(settings);
  const auto sweep =
      std::find_if(run.sweeps.begin(), run.sweeps.end(), [](const Sweep& one) { return one.axes.size() == 1; });
  if (sweep == run.sweeps.end() || representations.size() < 2) return {};
  std::vector<Stop> stops;
  for (const std::string& representation : representations) {
    for (Stop& stop : stops_of(*sweep, settings, representation)) {
      stop.line = representation.empty() ? "as given" : representation;
      stops.push_back(std::move(stop));
    }
  }
  LineRows drawing = series_lines(stops);
  if (drawing.rows.empty()) return {};
  // Each representation has its own level on clear data; four lines across the frame would say nothing.
  for (Json& row : drawing.rows) row.erase("clear");
  const std::string title = run.prefixed("Representations by " + swept(*sweep));
  Figure out{run.file_name("sweep-representations"), title,
             fmt::format("What data is good for and what attackers leave, by {}, for {} representations, with 95 % "
                         "intervals.",
                         swept(*sweep), representations.size()),
             "The strongest attacker of each kind. " + sweep_caption(*sweep)};
  const SeriesStyle style("line", drawing.labels);
  out.spec = panel_spec(title, std::move(drawing), *sweep, style);
  return out;
}

// What was varied to get there; representations where there are several.
std::string group_of(const Setting& setting, const RunResults& run, bool several) {
  if (several) return setting.representation.empty() ? "as given" : setting.representation;
  for (const Sweep& sweep : run.sweeps) {
    const auto& all = sweep.techniques;
    if (std::find(all.begin(), all.end(), setting.series.technique) == all.end()) continue;
    return "varying " + swept(sweep);
  }
  return "single setting";
}

Json tradeoff_layers(const SeriesStyle& style, const Names& groups, const std::string& purpose,
                     const std::pair<double, double>& range) {
  const Json y = numeric("y", few_ticks(percent_axis(capital(purpose) + " (%)")),
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
                                   {"y", purpose, ".1%"},
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

// Clear data as each representation's settings know it: the strongest attacker's level there.
void add_clear(Json& rows, const std::string& panel, const Settings& settings) {
  for (const std::string& representation : representations_of(settings)) {
    for (const Setting& setting : settings) {
      const Finding* purpose = purpose_of(setting);
      if (setting.representation != representation || !purpose) continue;
      const Number use = setting.series.unprotected ? Number(purpose->value) : shares_of(*purpose).clear;
      Number mixture;
      for (const Finding* attacker : leaks_in(panel, setting)) {
        const Shares shares = shares_of(*attacker);
        const Number clear = setting.series.unprotected ? shares.value.value : shares.clear;
        if (clear) mixture = std::min(mixture.value_or(1), *clear);
      }
      if (!use || !mixture) continue;
      const std::string name = representation.empty() ? "clear data" : "clear data, " + representation;
      rows.push_back({{"panel", panel}, {"setting", name}, {"clear", rounded(*mixture)}, {"y", rounded(*use)}});
      break;
    }
  }
}

Json claim_row(const Setting& setting, const Finding& purpose, const Claim& claim) {
  Json row = {{"setting", setting.name},
              {"y", rounded(purpose.value)},
              {"attacker_claimed", claim.claimed ? searcher_name(*claim.claimed) : ""},
              {"attacker", searcher_name(*claim.left)}};
  const Shares left = shares_of(*claim.left);
  if (claim.claimed) row["claimed"] = rounded(*shares_of(*claim.claimed).value.value);
  row["informed"] = rounded(*left.value.value);
  if (left.chance) row["chance"] = rounded(*left.chance);
  return row;
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

// Purpose against mixture of all settings: what is claimed, and what the strongest attackers leave of it.
Figure mixture_tradeoff_figure(const RunResults& run) {
  Json rows = Json::array();
  Names groups, panels, drawn;
  std::string purpose_text;
  const Settings settings = settings_of(run);
  const bool several = representations_of(settings).size() > 1;
  for (const std::string& panel : leak_panels(settings)) {
    const std::size_t before = rows.size();
    for (const Setting& setting : protected_only(settings)) {
      const Finding* purpose = purpose_of(setting);
      Findings searches = leaks_in(panel, setting);
      std::erase_if(searches, [](const Finding* finding) { return !is_search(*finding); });
      const Claim claim = claim_of(searches, setting);
      if (!purpose || purpose->about != About::utility || !claim.left) continue;
      purpose_text = purpose_name(*purpose);
      rows.push_back(claim_row(setting, *purpose, claim));
      rows.back()["panel"] = panel;
      rows.back()["line"] = group_of(setting, run, several);
      add_once(groups, rows.back()["line"]);
      add_once(drawn, setting.name);
    }
    if (rows.size() == before) continue;
    panels.push_back(panel);
    add_clear(rows, panel, settings);
  }
  if (panels.empty()) return {};
  const std::pair<double, double> range = range_of(rows);
  const std::string title = run.prefixed("Use against mixture, all settings");
  Figure out{run.file_name("mixture-tradeoff"), title,
             fmt::format("{} against the mixture that uninformed and informed attackers leave, in {} settings.",
                         capital(purpose_text), drawn.size()),
             "Upper right is better: useful, and nobody is found. Hollow: the mixture that uninformed attackers leave, "
             "which is what is claimed. Filled: what the strongest attacker leaves of it; the longer the line between "
             "the two, the less is left. Diamond: clear data. Dashed rule: guessing.",
             base_spec(title, std::move(rows))};
  in_named_panels(out.spec, panels, tradeoff_layers(SeriesStyle("line", groups), groups, purpose_text, range));
  out.spec["spec"]["height"] = 300;
  out.spec["spec"]["width"] = 390;
  return out;
}

// From the best to the worst setting, for the headline's target.
std::string range_fact(const RunResults& run) {
  std::vector<const Strongest*> entries;
  for (const Strongest& entry : run.ranking) {
    if (!entry.unprotected && entry.about == run.headline->about && entry.attribute == run.headline->attribute &&
        entry.strongest.measure == run.headline->strongest.measure) {
      entries.push_back(&entry);
    }
  }
  const auto [least, most] = std::minmax_element(
      entries.begin(), entries.end(), [](const Strongest* a, const Strongest* b) { return a->share < b->share; });
  if (entries.size() < 2 || *least == *most) return {};
  const auto told = [](const Strongest& entry) {
    return fmt::format("{} with {}", value_text({entry.strongest.value}, entry.strongest.unit),
                       spaced(entry.technique));
  };
  return fmt::format("{} from {} to {}", run.headline->strongest.measure, told(**least), told(**most));
}

std::vector<Section> write(const Shared& shared) {
  Section out{"settings", "Settings", "What does each setting cost, and what does it leave?",
              "A setting is good where the data still serves its purpose and attackers who know the method find no "
              "more than by guessing."};
  std::vector<Figure> figures;
  for (const RunResults& run : shared.runs) {
    const Settings settings = settings_of(run);
    figures.push_back(mixture_tradeoff_figure(run));
    for (const Sweep& sweep : run.sweeps) {
      for (const std::string& representation : representations_of(settings)) {
        figures.push_back(sweep_figure(sweep, representation, run, settings));
      }
    }
    figures.push_back(representation_figure(run, settings));
  }
  out.add(std::move(figures), "The same for other representations");
  return {out};
}

void tell(const RunResults& run, Card& card) {
  if (!card.headline || run.sweeps.empty()) return;
  card.facts.push_back({"Over all settings", range_fact(run)});
}

}  // namespace

Chapter settings_chapter() {
  return {.write = write, .tell = tell};
}

}  // namespace bauta::report
