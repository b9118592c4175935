// The chapter about open sets: is it anybody of those who are known, and who?
#include <algorithm>

#include <fmt/format.h>

#include "chapter.hpp"
#include "settings/mixture.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

/// "eigenface-svm (parrot)".
std::string searcher(const Cell& cell) {
  const std::string adversary = text(cell.key, "adversary"), recovery = text(cell.key, "recovery");
  const std::string who = text(cell.key, "recogniser");
  if (adversary.empty()) return who;
  return fmt::format("{} ({}{})", who, adversary, recovery.empty() ? "" : ", " + recovery);
}

Series series_of(const Cell& cell) {
  return cell.series_without({"recogniser", "adversary", "recovery", "representation"});
}

/// Whoever is not missed.
Measured found(const Json& point) {
  const Measured missed = measured(point, "fnir");
  if (!missed.value) return {};
  Measured out{1 - *missed.value};
  if (missed.ci) out.ci = Interval{1 - missed.ci->high, 1 - missed.ci->low};
  return out;
}

Table open_set_table(const Cells& cells) {
  Table table{
      "open-set", "Open-set identification: people found at given rates of false alarms, 95 % intervals in brackets",
      "Found: somebody who is enrolled raises an alarm under their own name; everybody else of them is missed (FNIR). "
      "False alarm (FPIR): somebody who is not enrolled raises one. The more are found, the greater the leak. † Fewer "
      "searches for people who are not enrolled than one false alarm needs."};
  for (const Cell* cell : cells) {
    for (const Json* point : objects(cell->values, "points")) {
      const double fpir = number(*point, "fpir").value_or(0);
      Row(table)
          .series(series_of(*cell))
          .text("Recogniser", "recogniser", searcher(*cell), text(cell->key, "representation"))
          .show("False alarms", {percent_name(fpir), {}, !is_true(*point, "resolvable")})
          .field("fpir", Number(fpir))
          .field("actual_fpir", number(*point, "actual_fpir"))
          .precise("Found", "found", found(*point))
          .precise("On clear data", "clear", found(field(*point, "clear")))
          .precise("Missed", "fnir", number(*point, "fnir"))
          .field("threshold", number(*point, "threshold"))
          .count("People enrolled", "enrolled_people", number(cell->values, "enrolled_people"))
          .count("Searches", "searches", number(cell->values, "searches"))
          .count("For others", "searches_for_others", number(cell->values, "searches_for_others"));
    }
  }
  return table;
}

/// One panel per technique and recogniser, one line per adversary, and that of clear data in each.
Figure open_set_figure(const Cells& cells) {
  Json rows = Json::array();
  Names panels, adversaries, masked_by;
  const auto add = [&](const Cell& cell, const std::string& panel, const std::string& who) {
    const Json& curve = field(cell.values, "curve");
    // From the strictest threshold on: where alarms are as rare, those who find most come last, and steps go on from
    // there.
    for (std::size_t i = curve.size(); i-- > 0;) {
      const std::vector<double> rates = numbers_of(curve[i]);
      if (rates.size() != 2) continue;
      rows.push_back(
          {{"technique", panel}, {"who", who}, {"fpir", rounded(rates[0])}, {"found", rounded(1 - rates[1])}});
    }
    add_once(adversaries, who);
  };
  const auto wanted = [](const Cell& cell, bool unprotected) {
    return text(cell.key, "identities").empty() && cell.series.unprotected == unprotected;
  };
  const auto same_eyes = [](const Cell& a, const Cell& b) {
    return a.series.run == b.series.run && text(a.key, "recogniser") == text(b.key, "recogniser") &&
           text(a.key, "representation") == text(b.key, "representation");
  };
  for (const Cell* cell : cells) {
    if (!wanted(*cell, false)) continue;
    const std::string panel = series_of(*cell).label + ", " + text(cell->key, "recogniser");
    if (std::find(panels.begin(), panels.end(), panel) == panels.end()) {
      panels.push_back(panel);
      for (const Cell* clear : cells) {
        if (wanted(*clear, true) && same_eyes(*clear, *cell)) add(*clear, panel, "clear data");
      }
    }
    const std::string undone = text(cell->key, "recovery");
    const std::string who = text(cell->key, "adversary") + (undone.empty() ? "" : ", " + undone);
    add_once(masked_by, who);
    add(*cell, panel, who);
  }
  Figure out{
      "open-set", "People found against false alarms",
      fmt::format("Share of enrolled people found over false alarm rate of {} adversaries, in {} panels of technique "
                  "and recogniser.",
                  masked_by.size(), panels.size()),
      "One panel per technique and recogniser; the nearer to the corner at the upper left, the more is given away. "
      "Each step is a threshold on the score of the best candidate."};
  if (rows.empty()) return out;
  const SeriesStyle style("who", masked_by);
  const auto axis = [](const char* field, const char* title) {
    return numeric(field, few_ticks(percent_axis(title)), {{"domain", {0, 1}}});
  };
  Json line = {{"mark", {{"type", "line"}, {"interpolate", "step-after"}, {"strokeWidth", 1.8}}},
               {"encoding",
                {{"x", axis("fpir", "False alarms (%)")},
                 {"y", axis("found", "People found (%)")},
                 {"order", {{"field", "fpir"}, {"type", "quantitative"}}},
                 {"color", style.color(adversaries)},
                 {"tooltip", tooltip_of({{"technique", "panel"},
                                         {"who", "adversary"},
                                         {"fpir", "false alarms", ".1%"},
                                         {"found", "people found", ".1%"}})}}}};
  out.spec = base_spec(out.title, std::move(rows));
  in_small_panels(out.spec, panels, Json::array({std::move(line)}));
  return out;
}

std::vector<Section> write(const Shared& shared) {
  Section out{
      "open-set", "Open set", "Is it anybody who is known, and who?",
      "Some of the people who are searched for are not enrolled. An attacker who must not raise false alarms finds "
      "fewer people; the more are found, the more is given away."};
  out.definitions = {{"Found", "Share of searches for enrolled people that name the right one (TPIR, 1 - FNIR)."},
                     {"FPIR", "Share of searches for people who are not enrolled that name somebody."},
                     {"FNIR", "Share of searches for enrolled people that name nobody, or somebody else."}};
  const Cells cells = cells_of(shared.runs, {"open-set"}, {"failures", "score", "recogniser"});
  out.add_panels({open_set_figure(cells)}, "People found against false alarms, one panel per technique and recogniser");
  out.add_long(open_set_table(cells), "Open-set identification in numbers");
  return {out};
}

}  // namespace

Chapter open_set_chapter() {
  return {.write = write};
}

}  // namespace bauta::report
