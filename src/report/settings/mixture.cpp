#include "mixture.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "text.hpp"

namespace bauta::report {
namespace {

// Sentences of a few settings stand open.
constexpr std::size_t few_settings = 3;

Measured complement(const Measured& measured) {
  Measured out;
  if (measured.value) out.value = 1 - *measured.value;
  if (measured.ci) out.ci = Interval{1 - measured.ci->high, 1 - measured.ci->low};
  return out;
}

bool is_uninformed(const Finding& finding) {
  return !is_informed(finding);
}

std::string sentences_of(const Settings& settings) {
  std::string out;
  for (const Setting& setting : settings) {
    const std::string said = claim_sentence(claim_of(setting.findings(is_search), setting));
    if (said.empty()) continue;
    out += fmt::format("<li><strong>{}</strong> {}</li>\n", escape_html(setting.name), escape_prose(said));
  }
  return out.empty() ? out : "<ul class=\"survives\">\n" + out + "</ul>\n";
}

// Lines that can be told apart: the sweep of one axis with the fewest settings; without any, all settings of the first
// representation.
const Sweep* narrowest_sweep(const RunResults& run) {
  const Sweep* out = nullptr;
  for (const Sweep& sweep : run.sweeps) {
    if (sweep.axes.size() == 1 && (!out || sweep.techniques.size() < out->techniques.size())) out = &sweep;
  }
  return out;
}

std::vector<Stop> few_stops(const RunResults& run, const Settings& settings) {
  if (settings.empty()) return {};
  const std::string& representation = settings.front().representation;
  if (const Sweep* sweep = narrowest_sweep(run)) return stops_of(*sweep, settings, representation, 0);
  std::vector<Stop> out;
  for (const Setting& setting : settings) {
    if (setting.representation == representation) out.push_back({Json(), setting.name, &setting});
  }
  return out;
}

const Json& shown_in(const Finding& finding, const Setting& setting, const Search& search) {
  static const Json nothing;
  for (const Cell* cell : setting.cells) {
    const Json& shown = shown_of(finding, *cell, search);
    if (!shown.is_null()) return shown;
  }
  return nothing;
}

// The mixture of guessing at each k, as a line: in a plain scale a straight one.
Json guess_line(const Json& x, const Json& y) {
  Json at = y;
  at["field"] = "guess";
  at["type"] = "quantitative";
  at["aggregate"] = "max";
  return {{"mark", {{"type", "line"}, {"color", "currentColor"}, {"opacity", 0.7}, {"strokeDash", {4, 4}}}},
          {"encoding", {{"x", x}, {"y", at}}}};
}

void add_guesses(LineRows& drawing, const Stop& stop, const Finding& attacker, const Json& shown) {
  for (const Json* top : objects(shown, "top")) {
    const Number k = number(*top, "k");
    const Measured mixture = measured(*top, "mixture");
    if (!k || *k <= 0 || !mixture.value) continue;
    Json row = {{"x", *k}, {"attacker", searcher_name(attacker)}};
    put(row, "y", mixture);
    if (const Number chance = number(*top, "chance")) row["guess"] = rounded(*chance);
    drawing.add(std::move(row), is_informed(attacker) ? "Informed attackers" : "Uninformed attackers", stop.line,
                !is_informed(attacker));
  }
}

Figure guess_figure(const std::vector<Stop>& stops, const RunResults& run, const Search& search) {
  LineRows drawing;
  for (const auto kind : {is_uninformed, is_informed}) {
    for (const Stop& stop : stops) {
      const Finding* attacker = strongest_of(stop.setting->findings(is_search), kind);
      if (attacker) add_guesses(drawing, stop, *attacker, shown_in(*attacker, *stop.setting, search));
    }
  }
  std::set<double> ks;
  for (const Json& row : drawing.rows) ks.insert(row["x"].get<double>());
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
                                   {"y", "mixture", ".2%", true},
                                   {"guess", "guessing", ".2%"}});
  Json layers = line_layers(drawing.rows, x, y, SeriesStyle("line", drawing.labels), drawing.labels, tooltip);
  if (any_row(drawing.rows, "guess")) layers.insert(layers.begin(), guess_line(x, y));
  const std::string title = run.prefixed(std::string("More than one guess, ") + search.question);
  Figure out{
      run.file_name(std::string(search.question) + "-guesses"), title,
      fmt::format("Mixture within k guesses of the strongest uninformed and informed attackers in {} settings, beside "
                  "guessing.",
                  drawing.labels.size()),
      "An attacker may name k candidates. Dashed line without marks: guessing; the further below it, the more is "
      "given away. The strongest attacker of each kind is drawn. Bars are 95 % intervals.",
      base_spec(title, std::move(drawing.rows))};
  in_named_panels(out.spec, drawing.panels, std::move(layers));
  return out;
}

double candidates_of(const Finding& finding) {
  for (const char* name : {"candidates", "identities"}) {
    if (const auto found = finding.counts.find(name); found != finding.counts.end()) {
      return static_cast<double>(found->second);
    }
  }
  return 0;
}

// Rows of beliefs, and the highest level that is drawn.
LineRows belief_rows(const std::vector<Stop>& stops, const Search& search, double& top) {
  LineRows out;
  for (const Stop& stop : stops) {
    for (const Finding* finding : stop.setting->findings(is_search)) {
      const Json& shown = shown_in(*finding, *stop.setting, search);
      const Number kl = number(shown, search.kl);
      if (!kl || finding->unprotected) continue;
      Json row = {{"x", stop.x}, {"setting", stop.setting->name}};
      put(row, "y", {kl});
      if (const double among = candidates_of(*finding); among > 1) row["certain"] = rounded(std::log(among));
      top = std::max({top, *kl, row.value("certain", 0.0)});
      out.add(std::move(row), "", searcher_name(*finding), !is_informed(*finding));
    }
  }
  return out;
}

Figure belief_figure(const std::vector<Stop>& stops, const RunResults& run, const Search& search) {
  const Sweep* sweep = narrowest_sweep(run);
  if (!sweep) return {};
  double top = 0;
  LineRows drawing = belief_rows(stops, search, top);
  if (drawing.rows.empty()) return {};
  double least = HUGE_VAL, most = 0;
  for (const Json& row : drawing.rows) {
    least = std::min(least, row["y"].get<double>());
    most = std::max(most, row["y"].get<double>());
  }
  Json axis = {{"title", "KL from guessing (nats)"}};
  // Room above for the name of the highest line.
  Json scale = {{"domain", {0, rounded(1.1 * top)}}, {"nice", false}};
  if (most > 50 * std::max(least, 0.0)) {
    // Nearly logarithmic, and still with a place for nothing at all.
    axis["values"] = {0, 0.001, 0.01, 0.1, 1, 10};
    axis["format"] = "~g";
    scale = {{"type", "symlog"}, {"constant", 0.001}, {"domain", {0, rounded(2.2 * top)}}, {"nice", false}};
  }
  const Json tooltip =
      tooltip_of({{"setting"}, {"line", "attacker"}, {"y", "KL (nats)", ".4~g"}, {"certain", "certainty", ".4~g"}});
  const ParameterAxis x(sweep->axes[0].name, sweep->axes[0].values);
  Json layers = line_layers(drawing.rows, x.channel(), {{"axis", axis}, {"scale", scale}},
                            SeriesStyle("line", drawing.labels), drawing.labels, tooltip);
  for (Json layer : level_line("certain", "max", "certainty")) {
    layer["encoding"]["y"]["axis"] = axis;
    layer["encoding"]["y"]["scale"] = scale;
    layers.push_back(std::move(layer));
  }
  const std::string title = run.prefixed(std::string("Distance of beliefs from guessing, ") + search.question);
  Figure out{
      run.file_name(std::string(search.question) + "-beliefs"), title,
      fmt::format("Divergence of the attackers' beliefs from the uniform distribution by {}, in {} settings.",
                  sweep->axes[0].name, stops.size()),
      "KL divergence of what an attacker believes from a uniform guess, mean over records: 0 where they have "
      "learned nothing; at the solid rule they are certain, rightly or wrongly. Hollow: uninformed. Filled: informed.",
      base_spec(title, std::move(drawing.rows))};
  out.spec["width"] = 560;
  out.spec["height"] = 230;
  out.spec["layer"] = std::move(layers);
  return out;
}

}  // namespace

bool is_search(const Finding& finding) {
  return is_leak(finding.about) && finding.measure == "rank-1 rate";
}

bool is_informed(const Finding& finding) {
  return finding.axis("informed") == "yes";
}

std::string adversary_of(const Finding& finding) {
  Names out = {finding.axis("adversary"), finding.axis("recovery")};
  std::erase(out, "");
  return joined(out);
}

std::string searcher_name(const Finding& finding) {
  const std::string adversary = adversary_of(finding);
  if (!adversary.empty()) return fmt::format("{} ({})", finding.attacker, adversary);
  if (finding.axis("informed").empty()) return finding.attacker;
  return finding.attacker + (is_informed(finding) ? " (informed)" : " (uninformed)");
}

Shares shares_of(const Finding& finding) {
  const Shares plain{{finding.value, finding.ci},
                     finding.chance,
                     finding.clear && !fails_on_clear(finding) ? Number(finding.clear->value) : Number()};
  if (!is_search(finding)) return plain;
  return {complement(plain.value), complement({plain.chance}).value, complement({plain.clear}).value};
}

const Finding* strongest_of(const Findings& findings, bool (*wanted)(const Finding&)) {
  const Finding* out = nullptr;
  for (const Finding* finding : findings) {
    if (wanted && !wanted(*finding)) continue;
    if (!out || ranks_before(*finding, *out)) out = finding;
  }
  return out;
}

Claim claim_of(const Findings& searches, const Setting& setting) {
  Claim claim{strongest_of(searches, is_uninformed), strongest_of(searches), {}};
  if (!claim.left) return claim;
  claim.value = shares_of(*claim.left).value;
  for (const Strongest& entry : *setting.ranking) {
    const Finding& ranked = entry.strongest;
    const Finding& left = *claim.left;
    if (!entry.ci || ranked.attacker != left.attacker || ranked.measure != left.measure || ranked.axes != left.axes)
      continue;
    claim.value = complement(entry.value());
  }
  return claim;
}

std::string claim_sentence(const Claim& claim) {
  if (!claim.left) return {};
  const Shares left = shares_of(*claim.left);
  const std::string mixture = precise_percent(claim.value.value, claim.value.ci);
  const std::string guessing = left.chance ? fmt::format(" Guessing leaves {}.", precise_percent(left.chance)) : "";
  if (!claim.claimed || claim.claimed == claim.left) {
    return fmt::format("The strongest attacker, {}, leaves a mixture of {}.{}", searcher_name(*claim.left), mixture,
                       guessing);
  }
  return fmt::format("A mixture of {} is claimed against {}; the strongest attacker, {}, leaves {}.{}",
                     precise_percent(shares_of(*claim.claimed).value.value), searcher_name(*claim.claimed),
                     searcher_name(*claim.left), mixture, guessing);
}

void add_claims(Section& section, const Runs& runs, const Search& search) {
  Settings first, all;
  for (const RunResults& run : runs) {
    for (const Setting& setting : protected_only(settings_of(run, {search.question}))) {
      all.push_back(setting);
      if (run.headline && run.headline->technique == setting.series.technique) first.push_back(setting);
    }
  }
  if (all.size() <= few_settings) first = all;
  const std::string sentences = sentences_of(first);
  if (!sentences.empty()) {
    section.add_html("<div class=\"card\">\n<h3>What is left of the claim</h3>\n" + sentences + "</div>\n");
  }
  if (first.size() < all.size()) {
    section.add_html(sentences_of(all), fmt::format("The same for all {} settings", all.size()));
  }
}

std::vector<Figure> search_figures(const Runs& runs, const Search& search) {
  std::vector<Figure> out;
  for (const RunResults& run : runs) {
    const Settings settings = protected_only(settings_of(run, {search.question}));
    const std::vector<Stop> stops = few_stops(run, settings);
    out.push_back(guess_figure(stops, run, search));
    out.push_back(belief_figure(stops, run, search));
  }
  return out;
}

const Json& shown_of(const Finding& finding, const Cell& cell, const Search& search) {
  static const Json nothing;
  const bool its_own =
      std::any_of(cell.findings.begin(), cell.findings.end(), [&](const Finding& other) { return &other == &finding; });
  if (!its_own) return nothing;
  for (const Json* item : objects(cell.values, search.list)) {
    if (text(*item, search.attacker) == finding.attacker) return *item;
  }
  return nothing;
}

std::string top_text(const Json& shown) {
  Names out;
  for (const Json* top : objects(shown, "top")) {
    out.push_back(exact(number(*top, "k")) + ":" + exact(number(*top, "mixture")));
  }
  return joined(out, " ");
}

std::string broken_names(const Settings& settings) {
  Names out;
  for (const Setting& setting : settings) {
    for (const Finding* finding : setting.findings(is_search)) {
      if (fails_on_clear(*finding)) add_once(out, searcher_name(*finding));
    }
  }
  return joined(out);
}

std::vector<Definition> mixture_words() {
  return {
      {"Identity mixture",
       "Share of records whose original, or whose person, the attacker does not name first; within k guesses: not "
       "among their k best. Who guesses leaves 1 − k / candidates."},
      {"Informed", "Knows the method and its parameters, though no secret, or has learned from protected samples."},
      {"Claimed, left", "The mixture against the strongest uninformed attacker, and against the strongest of all."},
      {"Fails on clear data", "An attacker who finds no more than guessing where nothing is protected."},
      {"KL from guessing",
       "Kullback-Leibler divergence of the attacker's belief over candidates from the uniform one, in nats, mean over "
       "records; 0 is guessing, the logarithm of the number of candidates is certainty."}};
}

}  // namespace bauta::report
