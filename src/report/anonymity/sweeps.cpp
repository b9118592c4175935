// Sweeps of anonymised settings (S2, Fig. 1 to 5 and 8): what is left of the utility beside what attackers leave of the
// mixture. The paper's attackers are uninformed; informed ones stand beside them.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "style.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

/// A setting at its place in a sweep.
struct Stop {
  Json x;
  std::string series;  ///< value of further axes; empty where there is one axis
  const Anonymised* setting = nullptr;
};

struct Drawing {
  Json rows = Json::array();
  Names labels, panels;

  void add(Json row, const std::string& panel, const std::string& label, bool hollow) {
    row["panel"] = panel;
    row["line"] = label;
    row["hollow"] = hollow;
    row["pattern"] = hollow ? 1 : 0;
    add_once(labels, label);
    add_once(panels, panel);
    rows.push_back(std::move(row));
  }
};

constexpr const char* knowledge_caption =
    "Hollow marks and dashed lines: attackers who do not know the method, as in the paper. Filled marks and solid "
    "lines: informed attackers. Bars are 95 % intervals. Dashed rule: guessing. Solid rule: data that was not "
    "anonymised.";

Json utility_row(const Stop& stop, const AttributeUtility& item) {
  Json row = {{"x", stop.x}, {"setting", stop.setting->name}, {"measure", "accuracy of " + item.attribute}};
  put(row, "y", item.accuracy);
  if (item.interest && item.chance) row["chance"] = rounded(*item.chance);
  if (item.interest && item.clear) row["clear"] = rounded(*item.clear->value);
  return row;
}

Json mixture_row(const Stop& stop, const Reidentifier& attacker) {
  Json row = {{"x", stop.x}, {"setting", stop.setting->name}, {"measure", attacker_name(attacker)}};
  put(row, "y", attacker.mixture);
  if (attacker.chance) row["chance"] = rounded(*attacker.chance);
  if (attacker.clear_mixture && !attacker.broken()) row["clear"] = rounded(*attacker.clear_mixture);
  return row;
}

std::string mixture_panel(const std::string& question) {
  return "Mixture: " + question_title(question);
}

Settings settings_at(const std::vector<Stop>& stops) {
  Settings out;
  for (const Stop& stop : stops) out.push_back(stop.setting);
  return out;
}

// One axis: every attacker has a line.
Drawing attacker_lines(const std::vector<Stop>& stops, bool additional) {
  Drawing out;
  for (const Stop& stop : stops) {
    for (const AttributeUtility& item : stop.setting->attributes) {
      if (!item.accuracy.value || (!item.interest && !additional)) continue;
      const std::string panel = additional ? "Accuracy" : "Accuracy of " + item.attribute;
      out.add(utility_row(stop, item), panel, item.attribute, false);
    }
  }
  for (const std::string& question : questions_of(settings_at(stops))) {
    for (const Stop& stop : stops) {
      for (const Reidentifier& attacker : stop.setting->attackers) {
        if (attacker.question != question || !attacker.mixture.value) continue;
        out.add(mixture_row(stop, attacker), mixture_panel(question), attacker_name(attacker), !attacker.informed);
      }
    }
  }
  return out;
}

// Several axes or representations: a line per series, and only the strongest attacker of each kind.
Drawing series_lines(const std::vector<Stop>& stops) {
  Drawing out;
  for (const Stop& stop : stops) {
    const AttributeUtility* item = stop.setting->interest();
    if (item && item->accuracy.value)
      out.add(utility_row(stop, *item), "Accuracy of " + item->attribute, stop.series, false);
  }
  const Names questions = questions_of(settings_at(stops));
  for (const std::string& question : questions) {
    for (const bool informed : {false, true}) {
      for (const Stop& stop : stops) {
        const Reidentifier* attacker = strongest(*stop.setting, question, informed);
        if (!attacker) continue;
        const std::string kind = informed ? " (informed)" : " (uninformed)";
        out.add(mixture_row(stop, *attacker), mixture_panel(question) + (questions.size() == 1 ? kind : ""),
                stop.series, !informed);
      }
    }
  }
  return out;
}

// Attackers first: the attribute of interest has the colour of the text, and no attribute takes a colour from them.
SeriesStyle attacker_style(const AnonymisedRun& run) {
  Names labels;
  for (const Anonymised& setting : run.all) {
    for (const Reidentifier& attacker : setting.attackers) labels.push_back(attacker_name(attacker));
  }
  for (const Anonymised& setting : run.all) {
    for (const AttributeUtility& item : setting.attributes) {
      if (!item.interest) labels.push_back(item.attribute);
    }
  }
  return {"line", labels};
}

// "g = 128, w = 10": what all settings of a sweep share.
std::string fixed_parameters(const std::vector<Stop>& stops, const std::vector<Sweep::Axis>& axes) {
  std::string out;
  for (const char* name : {"g", "t", "w", "rp", "rq"}) {
    std::set<std::string> values;
    for (const Stop& stop : stops) values.insert(stop.setting->parameter(name));
    const bool varied = std::any_of(axes.begin(), axes.end(), [&](const auto& axis) { return axis.name == name; });
    if (varied || values.size() != 1 || values.begin()->empty()) continue;
    out += fmt::format("{}{}\u00a0=\u00a0{}", out.empty() ? "" : ", ", name, *values.begin());
  }
  return out;
}

int paper_figure(const std::string& parameter) {
  static const Names order = {"t", "w", "g", "rp", "rq"};
  const auto found = std::find(order.begin(), order.end(), parameter);
  return found == order.end() ? 0 : static_cast<int>(found - order.begin()) + 1;
}

Json panel_spec(const std::string& title, Drawing drawing, const Json& x, const SeriesStyle& style) {
  const Json y = share_channel("Accuracy, mixture (%)");
  const Json tooltip = tooltip_of({{"setting"},
                                   {"measure"},
                                   {"y", "share", ".2%"},
                                   {"low", "95 % from", ".2%"},
                                   {"high", "95 % to", ".2%"},
                                   {"chance", "guessing", ".2%"}});
  Json layers = line_layers(drawing.rows, x, y, style, drawing.labels, tooltip);
  Json spec = base_spec(title, std::move(drawing.rows));
  in_named_panels(spec, drawing.panels, std::move(layers));
  return spec;
}

std::string series_name(const Sweep& sweep, const std::vector<std::size_t>& place) {
  std::string out;
  for (std::size_t i = 1; i < sweep.axes.size(); ++i) {
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", sweep.axes[i].name, sweep.axes[i].values[place[i]]);
  }
  return out;
}

std::vector<Stop> stops_of(const AnonymisedRun& run, const Sweep& sweep, const ParameterAxis& axis,
                           const std::string& representation) {
  std::vector<Stop> out;
  for (std::size_t i = 0; i < sweep.techniques.size(); ++i) {
    const std::vector<std::size_t> place = sweep.place(i);
    const Anonymised* setting = run.setting(sweep.techniques[i], representation);
    if (setting) out.push_back({axis.at(place[0]), series_name(sweep, place), setting});
  }
  return out;
}

Names series_labels(const std::vector<Stop>& stops) {
  Names out;
  for (const Stop& stop : stops) out.push_back(stop.series);
  return out;
}

Figure sweep_figure(const Sweep& sweep, const std::string& representation, const AnonymisedRun& run) {
  const std::string& parameter = sweep.axes[0].name;
  const ParameterAxis axis(parameter, sweep.axes[0].values);
  const std::vector<Stop> stops = stops_of(run, sweep, axis, representation);
  if (stops.empty()) return {};
  const bool single = sweep.axes.size() == 1;
  Drawing drawing = single ? attacker_lines(stops, parameter == "rq") : series_lines(stops);
  if (drawing.rows.empty()) return {};

  const bool several = run.representations().size() > 1;
  std::string title = parameter_title(parameter);
  if (const int figure = paper_figure(parameter)) title += fmt::format(" (the paper's Fig. {})", figure);
  if (several) title += ", " + representation;
  title = run.run->prefixed(title);
  std::string caption;
  if (!single) caption = "The strongest attacker of each kind. ";
  caption += knowledge_caption;
  if (const std::string fixed = fixed_parameters(stops, sweep.axes); !fixed.empty()) {
    caption += fmt::format(" The rest stays at {}.", fixed);
  }
  if (const std::string broken = broken_attackers(settings_at(stops)); !broken.empty() && single) {
    caption += fmt::format(" Not to be counted, because on clear data they find nobody either: {}.", broken);
  }
  Figure out{"anonymity-" + slug(parameter),
             title,
             fmt::format("Accuracy of {} and identity mixture by {} in {} settings, with 95 % intervals, the levels of "
                         "guessing and of clear data.",
                         run.interest(), parameter_title(parameter), stops.size()),
             caption,
             {}};
  if (several && representation != run.representations().front()) {
    out.name += "-" + slug(representation);
    out.secondary = true;
  }
  out.name = run.run->file_name(out.name);
  const SeriesStyle style = single ? attacker_style(run) : SeriesStyle("line", series_labels(stops));
  out.spec = panel_spec(title, std::move(drawing), axis.channel(), style);
  return out;
}

// The sweep of rp is the paper's; without one, the first that has one axis.
const Sweep* representation_sweep(const AnonymisedRun& run) {
  const Sweep* out = nullptr;
  for (const Sweep& sweep : run.run->sweeps) {
    if (sweep.axes.size() != 1) continue;
    if (!out || (sweep.axes[0].name == "rp" && out->axes[0].name != "rp")) out = &sweep;
  }
  return out;
}

Figure representation_figure(const AnonymisedRun& run) {
  const Names representations = run.representations();
  const Sweep* sweep = representation_sweep(run);
  if (!sweep || representations.size() < 2) return {};
  const ParameterAxis axis(sweep->axes[0].name, sweep->axes[0].values);
  std::vector<Stop> stops;
  for (const std::string& representation : representations) {
    for (Stop& stop : stops_of(run, *sweep, axis, representation)) {
      stop.series = representation.empty() ? "as given" : representation;
      stops.push_back(std::move(stop));
    }
  }
  Drawing drawing = series_lines(stops);
  if (drawing.rows.empty()) return {};
  // Each representation has its own level on clear data; four lines across the frame would say nothing.
  for (Json& row : drawing.rows) row.erase("clear");
  const std::string title = run.run->prefixed("Representations (the paper's Fig. 8)");
  std::string caption =
      "The strongest attacker of each kind. Hollow marks and dashed lines: attackers who do not know the method, as in "
      "the paper. Filled marks and solid lines: informed attackers. Bars are 95 % intervals. Dashed rule: guessing.";
  if (const std::string fixed = fixed_parameters(stops, sweep->axes); !fixed.empty()) {
    caption += fmt::format(" The rest stays at {}.", fixed);
  }
  Figure out{run.run->file_name("anonymity-representations"), title,
             fmt::format("Accuracy of {} and identity mixture by {} for {} representations, with 95 % intervals.",
                         run.interest(), parameter_title(sweep->axes[0].name), representations.size()),
             caption, Json()};
  const SeriesStyle style("line", series_labels(stops));
  out.spec = panel_spec(title, std::move(drawing), axis.channel(), style);
  return out;
}

}  // namespace

std::vector<Figure> sweep_figures(const AnonymisedRun& run) {
  std::vector<const Sweep*> sweeps;
  for (const Sweep& sweep : run.run->sweeps) sweeps.push_back(&sweep);
  // In the paper's order; what it does not have comes last.
  const auto rank = [](const Sweep* sweep) {
    const int figure = paper_figure(sweep->axes[0].name);
    return figure == 0 ? 99 : figure;
  };
  std::stable_sort(sweeps.begin(), sweeps.end(), [&](const Sweep* a, const Sweep* b) { return rank(a) < rank(b); });
  std::vector<Figure> out;
  for (const Sweep* sweep : sweeps) {
    for (const std::string& representation : run.representations()) {
      out.push_back(sweep_figure(*sweep, representation, run));
    }
  }
  out.push_back(representation_figure(run));
  return out;
}

}  // namespace bauta::report
