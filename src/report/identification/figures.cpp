#include "figures.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "figure_style.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

/// Cells of the informed adversary, and of clear data, by this recogniser.
std::vector<const NamedCell*> informed_cells(const std::vector<NamedCell>& cells, const std::string& system = {}) {
  const std::string informed = informed_adversary(cells);
  std::vector<const NamedCell*> out;
  for (const NamedCell& cell : cells) {
    if ((cell.unprotected || cell.adversary == informed) && (system.empty() || cell.system == system)) {
      out.push_back(&cell);
    }
  }
  return out;
}

Names systems_of(const std::vector<NamedCell>& cells, bool chosen) {
  Names out;
  for (const NamedCell* cell : informed_cells(cells)) {
    if (!chosen || !cell->choice.everybody()) add_once(out, cell->system);
  }
  return out;
}

/// The number of people along x, so that halves are evenly spaced; fewer to the right, as the paper has it.
Json people_channel() {
  return {{"field", "people"},
          {"type", "quantitative"},
          {"scale", {{"type", "log"}, {"base", 2}, {"reverse", true}, {"nice", false}, {"padding", 12}}},
          {"axis", {{"title", "People (fewer to the right)"}, {"format", ","}, {"grid", false}, {"tickCount", 6}}}};
}

Json rate_channel(const char* field) {
  return numeric(field, few_ticks(percent_axis("Named right at once (%)")), {{"domain", {0, 1}}});
}

/// Guessing, which fewer people make easier.
Json chance_layer() {
  return {{"mark", {{"type", "line"}, {"strokeDash", {4, 4}}, {"color", "currentColor"}, {"opacity", 0.7}}},
          {"encoding",
           {{"x", people_channel()},
            {"y",
             {{"aggregate", "min"},
              {"field", "chance"},
              {"type", "quantitative"},
              {"axis", few_ticks(percent_axis("Named right at once (%)"))},
              {"scale", {{"domain", {0, 1}}}}}}}}};
}

void in_wide_panels(Json& spec, const Names& panels, Json layers) {
  in_panels(spec, "panel", panels, 2, std::move(layers));
  spec["spec"]["width"] = 360;
  spec["spec"]["height"] = 230;
  spec["bounds"] = "flush";
  spec["spacing"] = {{"row", 60}, {"column", 64}};
}

/// Lines with marks and, from low to high, bars.
Json line_layers(const SeriesStyle& style, const Names& labels, const Json& tooltip) {
  Json out = Json::parse(R"([{"mark": {"type": "rule", "strokeWidth": 1.2, "opacity": 0.7}},
    {"mark": {"type": "line", "strokeWidth": 1.8}}, {"mark": {"type": "point", "filled": true, "size": 45}}])");
  const char* const fields[] = {"low", "rate", "rate"};
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i]["encoding"] = {{"x", people_channel()}, {"y", rate_channel(fields[i])}, {"color", style.color(labels)}};
  }
  out[0]["encoding"]["y2"] = {{"field", "high"}};
  out[2]["encoding"].update({{"shape", style.shape(labels)}, {"tooltip", tooltip}});
  return out;
}

/// Counterparts of panels about ways to choose people, and about what they were chosen on.
/// (16 and 17 are 12 and 14 with another set of faces.)
std::string people_panels_in_paper(const Names& panels) {
  const std::pair<const char*, const char*> figures[] = {{"random", "Figures 10 (faces) and 11 (gaits)"},
                                                         {"center on test", "Figures 14 and 17 (faces)"},
                                                         {"classification on test", "Figure 15 (gaits)"},
                                                         {"distinctive on clear", "Figure 19 (faces)"}};
  Names known;
  for (const auto& [panel, figure] : figures) {
    if (std::ranges::find(panels, panel) != panels.end()) known.push_back(fmt::format("{} (panel \"{}\")", figure, panel));
  }
  return counterparts(fmt::format("{}", fmt::join(known, ", ")));
}

std::string choice_panels_in_paper(const Names& looked_at) {
  Names known;
  for (const std::string& on : looked_at) {
    if (on == "test") known.emplace_back("Figures 12 and 16 (faces) and 13 (gaits) (panel \"chosen on test\")");
    if (on == "clear") known.emplace_back("Figure 18 (faces) (panel \"chosen on clear\")");
  }
  return counterparts(fmt::format("{}", fmt::join(known, ", ")));
}

Json row_of(const NamedCell& cell, const std::string& panel) {
  Json row = {
      {"technique", cell.technique}, {"panel", panel}, {"people", cell.enrolled}, {"chance", rounded(cell.chance())}};
  put(row, "rate", {cell.rate(), cell.finding->ci});
  return row;
}

Figure people_figure(const RunResults& run, const std::vector<NamedCell>& cells, const std::string& system) {
  Names panels, techniques, masked;
  const auto own = informed_cells(cells, system);
  for (const NamedCell* cell : own) {
    if (!cell->choice.everybody()) add_once(panels, cell->choice.name());
    if (!cell->unprotected) add_once(masked, cell->technique);
  }
  Json rows = Json::array();
  for (const NamedCell* cell : own) {
    add_once(techniques, cell->technique);
    if (!cell->choice.everybody()) {
      rows.push_back(row_of(*cell, cell->choice.name()));
      continue;
    }
    for (const std::string& panel : panels) rows.push_back(row_of(*cell, panel));
  }
  Figure out{
      run.file_name("fewer-people-" + slug(system)), run.prefixed("Among fewer people: " + system),
      fmt::format("Share of probes named right at once by {} who learned from masked samples, for decreasing "
                  "numbers of people chosen in {} ways.",
                  system, panels.size()),
      "One panel per way to choose people, everybody at its left. Dashed line: guessing. Bars are 95 % intervals "
      "over people, all repetitions together. Chosen on test: by the very samples that are judged, a winner's "
      "curse." +
          people_panels_in_paper(panels),
      nullptr};
  if (panels.empty()) return out;
  const SeriesStyle style("technique", masked);
  Json layers = line_layers(style, techniques,
                            tooltip_of({{"technique"},
                                        {"panel", "chosen"},
                                        {"people", "people", ",d"},
                                        {"rate", "named", ".1%", true},
                                        {"chance", "chance", ".1%"}}));
  layers.push_back(chance_layer());
  out.spec = base_spec(out.title, std::move(rows));
  in_wide_panels(out.spec, panels, std::move(layers));
  return out;
}

/// Means over techniques that are protected.
struct Mean {
  double people = 0, chance = 0, sum = 0, count = 0;
  std::vector<double> repeats = {};  ///< sums

  void add(const NamedCell& cell) {
    people = cell.enrolled;
    chance = cell.chance();
    sum += cell.rate();
    if (count == 0) repeats.assign(cell.repeats.size(), 0);
    if (repeats.size() != cell.repeats.size()) repeats.clear();
    for (std::size_t r = 0; r < repeats.size(); ++r) repeats[r] += cell.repeats[r];
    ++count;
  }
};

Figure choice_figure(const RunResults& run, const std::vector<NamedCell>& cells, const std::string& system) {
  std::map<std::pair<std::string, std::string>, Mean> means;  // by choice and size
  Names looked_at, ways;
  Mean everybody;
  for (const NamedCell* cell : informed_cells(cells, system)) {
    if (cell->unprotected) continue;
    if (cell->choice.everybody()) {
      everybody.add(*cell);
      continue;
    }
    means[{cell->choice.name(), cell->choice.size}].add(*cell);
    add_once(ways, cell->choice.way);
    if (!cell->choice.looked_at.empty()) add_once(looked_at, cell->choice.looked_at);
  }
  Figure out{
      run.file_name("chosen-people-" + slug(system)), run.prefixed("Ways to choose people: " + system),
      fmt::format("Share of probes named right at once, as a mean over techniques, for {} ways to choose people.",
                  ways.size()),
      "Means over all techniques. Shaded: from the lowest to the highest repetition of the random choice. Dashed "
      "line: guessing. Chosen on test: by the very samples that are judged, a winner's curse." +
          choice_panels_in_paper(looked_at),
      nullptr};
  if (ways.size() < 2) return out;
  if (looked_at.empty()) looked_at = {"labels"};
  Json rows = Json::array();
  Names panels;
  for (const std::string& on : looked_at) {
    const std::string panel = on == "labels" ? "chosen" : "chosen on " + on;
    panels.push_back(panel);
    for (const auto& [key, mean] : means) {
      const std::string way = key.first.substr(0, key.first.find(" on "));
      if (key.first != way && key.first != way + " on " + on) continue;
      Json row = {{"way", way}, {"panel", panel}, {"people", mean.people}, {"chance", rounded(mean.chance)}};
      row["rate"] = rounded(mean.sum / mean.count);
      if (way == "random" && !mean.repeats.empty()) {
        const auto [least, most] = std::minmax_element(mean.repeats.begin(), mean.repeats.end());
        row["least"] = rounded(*least / mean.count);
        row["most"] = rounded(*most / mean.count);
      }
      rows.push_back(std::move(row));
    }
    for (std::size_t i = 0; everybody.count > 0 && i < ways.size(); ++i) {
      rows.push_back({{"way", ways[i]},
                      {"panel", panel},
                      {"people", everybody.people},
                      {"chance", rounded(everybody.chance)},
                      {"rate", rounded(everybody.sum / everybody.count)}});
    }
  }
  const SeriesStyle style("way", ways);
  Json layers = Json::array();
  layers.push_back(
      filtered("isValid(datum.least)",
               {{"mark", {{"type", "area"}, {"opacity", 0.12}, {"color", "currentColor"}}},
                {"encoding", {{"x", people_channel()}, {"y", rate_channel("least")}, {"y2", {{"field", "most"}}}}}}));
  Json lines = line_layers(style, ways, tooltip_of({{"way"}, {"people", "people", ",d"}, {"rate", "named", ".1%"}}));
  lines.erase(0);
  for (Json& layer : lines) layers.push_back(std::move(layer));
  layers.push_back(chance_layer());
  out.spec = base_spec(out.title, std::move(rows));
  in_wide_panels(out.spec, panels, std::move(layers));
  return out;
}

}  // namespace

std::string counterparts(std::string_view figures) {
  return figures.empty() ? std::string() : fmt::format(" Counterpart in Hanisch et al. (2024): {}.", figures);
}

Figure recogniser_figure(const RunResults& run, const std::vector<NamedCell>& cells) {
  Json rows = Json::array();
  Names techniques, systems = systems_of(cells, false);
  for (const NamedCell* cell : informed_cells(cells)) {
    if (!cell->choice.everybody()) continue;
    add_once(techniques, cell->technique);
    rows.push_back({{"technique", cell->technique}, {"system", cell->system}, {"chance", rounded(cell->chance())}});
    put(rows.back(), "rate", {cell->rate(), cell->finding->ci});
  }
  Figure out{
      run.file_name("recognisers"), run.prefixed("Every recogniser against every technique"),
      fmt::format("Share of probes named right at once by {} recognisers that learned from masked samples, against "
                  "{} techniques.",
                  systems.size(), techniques.size()),
      "Recognisers learned from masked samples. Bars are 95 % intervals; dashed line: guessing." +
          counterparts("Figures 8 (faces) and 9 (gaits)"),
      nullptr};
  if (systems.size() < 2 || rows.empty()) return out;
  const SeriesStyle style("system", systems);
  const Json y = technique_axis(techniques), offset = {{"field", "system"}, {"scale", {{"domain", systems}}}};
  const auto x = [](const char* field) {
    return numeric(field, few_ticks(percent_axis("Named right at once (%)")), {{"domain", {0, 1}}});
  };
  Json bars = {
      {"mark", {{"type", "rule"}, {"strokeWidth", 1.4}}},
      {"encoding",
       {{"y", y}, {"yOffset", offset}, {"x", x("low")}, {"x2", {{"field", "high"}}}, {"color", style.color(systems)}}}};
  Json marks = {{"mark", {{"type", "point"}, {"filled", true}, {"size", 55}}},
                {"encoding",
                 {{"y", y},
                  {"yOffset", offset},
                  {"x", x("rate")},
                  {"color", style.color(systems)},
                  {"shape", style.shape(systems)},
                  {"tooltip", tooltip_of({{"technique"}, {"system", "recogniser"}, {"rate", "named", ".1%", true}})}}}};
  Json chance = x("chance");
  chance["aggregate"] = "min";
  Json level = {{"mark", {{"type", "rule"}, {"color", "currentColor"}, {"opacity", 0.7}, {"strokeDash", {4, 4}}}},
                {"encoding", {{"x", chance}}}};
  out.spec = base_spec(out.title, std::move(rows));
  out.spec["width"] = 560;
  out.spec["height"] = {{"step", 9.0 * static_cast<double>(systems.size() + 1)}, {"for", "position"}};
  out.spec["layer"] = {std::move(bars), std::move(marks), std::move(level)};
  return out;
}

std::vector<Figure> people_figures(const RunResults& run, const std::vector<NamedCell>& cells) {
  std::vector<Figure> out;
  for (const std::string& system : systems_of(cells, true)) out.push_back(people_figure(run, cells, system));
  return out;
}

std::vector<Figure> choice_figures(const RunResults& run, const std::vector<NamedCell>& cells) {
  std::vector<Figure> out;
  for (const std::string& system : systems_of(cells, true)) {
    out.push_back(choice_figure(run, cells, system));
    out.back().secondary = out.size() > 1;
  }
  return out;
}

}  // namespace bauta::report
