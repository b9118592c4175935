// The chapter about identification: who of the enrolled people is it? One bar per recogniser and adversary, between
// chance and the level on clear data (S4, Fig. 6).
#include <algorithm>

#include <fmt/format.h>

#include "figures.hpp"
#include "settings/mixture.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

constexpr Search identification{"identification", "results", "recogniser", "kl_from_uniform"};

/// A recogniser of some adversary, as a cell shows it.
struct Recognised {
  const Cell* cell = nullptr;
  const Finding* finding = nullptr;
  Series series;
  std::string adversary;

  [[nodiscard]] Measured rank1() const { return {finding->value, finding->ci}; }
  [[nodiscard]] Measured clear() const {
    if (series.unprotected) return rank1();
    return finding->clear ? Measured{finding->clear->value, finding->clear->ci} : Measured{};
  }
};

std::vector<Recognised> recognised(const Runs& runs) {
  std::vector<Recognised> out;
  for (const Cell* cell :
       cells_of(runs, {identification.question},
                {"enrolled", "probes", "failures", "strangers", "chance", "results", "worst", "clear", "identities",
                 "people", "repeats", "repetitions", "identities_in_all", "unenrolled_people", "unenrolled_probes"})) {
    for (const Finding& finding : cell->findings) {
      if (finding.about != About::identity) continue;
      const std::string adversary = adversary_of(finding);
      out.push_back({cell, &finding, cell->series_without({"recogniser", "adversary", "recovery", "representation"}),
                     adversary.empty() ? "as protected" : adversary});
    }
  }
  return out;
}

/// "3 not enrolled": nothing was left of any of their samples.
std::string unenrolled_text(const Values& values) {
  const Number people = number(values, "unenrolled_people");
  return people ? fmt::format("{:.0f} not enrolled", *people) : std::string();
}

Table identification_table(const std::vector<Recognised>& all) {
  Table table{"identification",
              "Closed-set identification: share of probes named right at once, 95 % intervals in brackets",
              "On clear data: the same recogniser, people and samples without protection. A probe without a template "
              "counts as a guess; that of somebody of whom no sample was left to enrol as a miss. Always named: people "
              "whom every probe of theirs gives away. KL: divergence of the "
              "recogniser's belief from guessing."};
  bool broken = false;
  for (const Recognised& item : all) {
    const Json& shown = shown_of(*item.finding, *item.cell, identification);
    const Number kl = number(shown, identification.kl);
    Row(table)
        .series(item.series)
        .text("Recogniser", "recogniser", item.finding->attacker, text(item.cell->key, "representation"))
        .field("representation", Json(text(item.cell->key, "representation")))
        .text("Adversary", "adversary", item.adversary)
        .rate("Rank 1", "rank1", item.rank1())
        .star(fails_on_clear(*item.finding))
        .rate("Rank 5", "rank5", number(shown, "rank5"))
        .rate("Chance", "chance", item.finding->chance)
        .rate("Always named", "always", measured(shown, "always", "always_ci"))
        .field("never", number(shown, "never"))
        .field("above_chance", number(shown, "above_chance"))
        .rate("On clear data", "clear", item.clear())
        .count("People", "identities", number(item.cell->values, "identities"))
        .detail(unenrolled_text(item.cell->values))
        .field("unenrolled_people", number(item.cell->values, "unenrolled_people"))
        .field("unenrolled_probes", number(item.cell->values, "unenrolled_probes"))
        .field("mean_rank", number(shown, "mean_rank"))
        .show("KL (nats)", {kl ? fmt::format("{:.3g}", *kl) : "–"})
        .field("kl", kl)
        .field("top", Json(top_text(shown)))
        .health(nullptr, item.finding->healthy);
    broken |= fails_on_clear(*item.finding);
  }
  if (broken) table.note += " † Fails on clear data, or finds what is not there: its failure protects nobody.";
  return table;
}

Json bar_layers(const Json& rows, const SeriesStyle& style, const Names& recognisers, const Names& adversaries) {
  const Json x = {{"field", "adversary"},
                  {"type", "nominal"},
                  {"sort", adversaries},
                  {"title", nullptr},
                  {"axis", {{"labelAngle", 0}, {"grid", false}, {"labelLimit", 120}}}};
  const Json offset = {{"field", "recogniser"}, {"scale", {{"domain", recognisers}}}};
  const auto y = [](const char* field) {
    Json out = numeric(field, few_ticks(percent_axis("Named right at once (%)")), {{"domain", {0, 1}}});
    out["stack"] = nullptr;
    return out;
  };
  const Json tooltip = tooltip_of({{"technique"},
                                   {"recogniser"},
                                   {"adversary"},
                                   {"rank1", "rank 1", ".1%", true},
                                   {"clear", "on clear data", ".1%"},
                                   {"chance", "chance", ".1%"}});
  Json out = Json::parse(R"([{"mark": {"type": "bar", "opacity": 0.85}},
    {"mark": {"type": "rule", "color": "currentColor", "strokeWidth": 1.4}},
    {"mark": {"type": "tick", "color": "currentColor", "thickness": 2}}])");
  if (!any_row(rows, "clear")) out.erase(2);
  const char* const fields[] = {"rank1", "low", "clear"};
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i]["encoding"] = {{"x", x}, {"xOffset", offset}, {"y", y(fields[i])}};
  }
  out[0]["encoding"].update({{"color", style.color(recognisers)}, {"tooltip", tooltip}});
  out[1]["encoding"]["y2"] = {{"field", "high"}};
  if (any_row(rows, "chance")) {
    Json level = y("chance");
    level.erase("stack");
    level["aggregate"] = "min";
    out.push_back({{"mark", {{"type", "rule"}, {"color", "currentColor"}, {"opacity", 0.7}, {"strokeDash", {4, 4}}}},
                   {"encoding", {{"y", level}}}});
  }
  return out;
}

Figure identification_figure(const std::vector<Recognised>& all) {
  Json rows = Json::array();
  Names techniques, recognisers, adversaries;
  // Among some of the people things are another matter, shown elsewhere; unless nothing else was asked.
  const auto of_some = [](const Recognised& item) { return !text(item.cell->key, "identities").empty(); };
  const bool only_some = std::all_of(all.begin(), all.end(), of_some);
  for (const Recognised& item : all) {
    if (item.series.unprotected || (of_some(item) && !only_some)) continue;
    rows.push_back(
        {{"technique", item.series.label}, {"recogniser", item.finding->attacker}, {"adversary", item.adversary}});
    put(rows.back(), "rank1", item.rank1());
    if (item.clear().value) rows.back()["clear"] = rounded(*item.clear().value);
    if (item.finding->chance) rows.back()["chance"] = rounded(*item.finding->chance);
    add_once(techniques, item.series.label);
    add_once(recognisers, item.finding->attacker);
    add_once(adversaries, item.adversary);
  }
  Figure out{
      "identification", "Identification by recogniser and adversary",
      fmt::format("Share of probes named right at once by {} recognisers and {} adversaries on {} techniques, with "
                  "95 % intervals, chance and the level on clear data.",
                  recognisers.size(), adversaries.size(), techniques.size()),
      "One panel per technique, one group of bars per adversary; lower is better protection. Tick: the same "
      "recogniser on clear data. Dashed line: guessing. Lines on bars are 95 % intervals." +
          counterparts(adversaries.size() > 1 ? "Figures 6 (faces) and 7 (gaits)" : "")};
  if (rows.empty()) return out;
  Json layers = bar_layers(rows, SeriesStyle("recogniser", recognisers), recognisers, adversaries);
  out.spec = base_spec(out.title, std::move(rows));
  in_panels(out.spec, "technique", techniques, adversaries.size() > 3 ? 1 : 2, std::move(layers));
  out.spec["spec"]["width"] = adversaries.size() > 3 ? 800 : 390;
  out.spec["spec"]["height"] = 200;
  return out;
}

/// Without what was asked of some of the people only, which would bury the rest; unless nothing else was asked.
Runs about_everybody(Runs runs) {
  for (RunResults& run : runs) {
    const auto of_some = [](const Cell& cell) { return !text(cell.key, "identities").empty(); };
    if (!std::all_of(run.cells.begin(), run.cells.end(), of_some)) std::erase_if(run.cells, of_some);
  }
  return runs;
}

std::vector<Section> write(const Shared& shared) {
  Section out{"identification", "Identification", "Who is it?",
              "The attacker holds other samples of the people behind the data; the nearer the bars to the level of "
              "clear data, the less is hidden."};
  out.definitions = mixture_words();
  out.definitions.push_back({"Rank 1", "Share of probes whose person is named first; rank 5: among the first five."});
  out.definitions.push_back(
      {"Adversary",
       "What the recogniser has seen: clear samples only (naive), protected ones (parrot), or what an inversion "
       "brought back (recover)."});
  const std::vector<Recognised> all = recognised(shared.runs);
  const Runs everybody = about_everybody(shared.runs);
  add_claims(out, everybody, identification);
  out.add_panels({identification_figure(all)}, "Recognisers and adversaries, one panel per technique");
  out.add(search_figures(everybody, identification));
  out.add_long(identification_table(all), "Identification in numbers");
  return {out};
}

void tell(const RunResults& run, Card& card) {
  if (const Cell* cell = card.about(cells_of(run, {identification.question}))) {
    card.threat_model.push_back(fmt::format(
        "The attacker holds {} samples of {} people with their names, and names who is behind {} {}samples by {}.",
        grouped(number(cell->values, "enrolled")), grouped(number(cell->values, "identities")),
        grouped(number(cell->values, "probes")), card.headline->unprotected ? "" : "protected ",
        text(cell->key, "recogniser")));
  }
  const Settings settings = settings_of(run, {identification.question});
  const Setting* setting = headline_setting(settings, card);
  if (!setting || setting->series.unprotected) return;
  card.facts.push_back({"Finding people", claim_sentence(claim_of(setting->findings(is_search), *setting))});
}

}  // namespace

Chapter identification_chapter() {
  return {.write = write, .tell = tell};
}

}  // namespace bauta::report
