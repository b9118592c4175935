// Fills the page's template. Text that comes from a run passes escape_html or script_safe_json, without exception.
#include "bauta/report/page.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <sodium.h>

#include "bauta/core/error.hpp"
#include "bauta/report/assets.hpp"
#include "bauta/report/judgement.hpp"
#include "bauta/report/sections.hpp"
#include "bauta/report/text.hpp"

namespace bauta::report {
namespace {

// One pass over the template: a value that contains a placeholder's text stays what it is.
std::string fill(std::string_view text, const std::map<std::string, std::string, std::less<>>& values) {
  std::string out;
  while (true) {
    const std::size_t open = text.find("{{");
    const std::size_t close = text.find("}}", open);
    if (open == std::string_view::npos || close == std::string_view::npos) return out.append(text);
    const auto value = values.find(text.substr(open + 2, close - open - 2));
    BAUTA_ASSERT(value != values.end());
    out.append(text.substr(0, open)).append(value->second);
    text.remove_prefix(close + 2);
  }
}

std::string digest_of(std::string_view script) {
  unsigned char digest[crypto_hash_sha256_BYTES];
  crypto_hash_sha256(digest, reinterpret_cast<const unsigned char*>(script.data()), script.size());
  char text[sodium_base64_ENCODED_LEN(sizeof digest, sodium_base64_VARIANT_ORIGINAL)];
  sodium_bin2base64(text, sizeof text, digest, sizeof digest, sodium_base64_VARIANT_ORIGINAL);
  return fmt::format("'sha256-{}'", text);
}

std::string gauge_name(double at, const char* row, const std::string& text) {
  const char* end = at > 0.75 ? " at-end" : at < 0.2 ? " at-start" : "";
  return fmt::format("<span class=\"name {}{}\" style=\"left:{:.2f}%\">{}</span>", row, end, 100 * at,
                     escape_html(text));
}

// Where the attacker stands between blind guessing and clear data.
std::string gauge(const Headline& card) {
  const auto within = [](double rate) { return std::clamp(rate, 0.0, 1.0); };
  const double value = within(*card.balanced);
  const double start = card.chance ? within(*card.chance) : 0;
  std::string spoken = percent(card.balanced) + " on a scale from 0 to 100 %";
  std::string out =
      fmt::format("<span class=\"track\"></span><span class=\"fill\" style=\"left:{:.2f}%;width:{:.2f}%\"></span>",
                  100 * std::min(start, value), 100 * std::abs(value - start));
  if (card.chance) {
    const std::string text = "chance " + percent(card.chance);
    spoken += "; " + text;
    out += fmt::format("<span class=\"tick chance\" style=\"left:{:.2f}%\"></span>", 100 * start);
    out += gauge_name(start, "below", text);
  }
  if (card.ceiling) {
    const std::string text = "clear data " + percent(card.ceiling);
    spoken += "; " + text;
    out += fmt::format("<span class=\"tick\" style=\"left:{:.2f}%\"></span>", 100 * within(*card.ceiling));
    out += gauge_name(within(*card.ceiling), "above", text);
  }
  return fmt::format("<div class=\"gauge\" role=\"img\" aria-label=\"{}\">{}</div>\n", escape_html(spoken), out);
}

std::string above_chance_text(const Headline& card) {
  if (!card.balanced || !card.chance) return {};
  const double points = 100 * (*card.balanced - *card.chance);
  return fmt::format("{:.1f} percentage points {} chance", std::abs(points), points < 0 ? "below" : "above");
}

std::string headline_card(const RunResults& run, const std::vector<RunResults>& runs) {
  const Headline card = headline_of(run, runs);
  std::string out = "<article class=\"card\">\n";
  if (runs.size() > 1) out += fmt::format("<p class=\"origin\">{}</p>\n", escape_html(run.name));
  out += fmt::format("<p class=\"verdict\">{}</p>\n", escape_prose(card.verdict));
  if (card.balanced) {
    const std::string ci =
        card.ci ? fmt::format(" [{:.1f}, {:.1f}]", 100 * card.ci->low, 100 * card.ci->high) : std::string();
    out += fmt::format("<div class=\"reading\"><div class=\"number\">{}<small>{}</small></div>\n",
                       percent(card.balanced), escape_html(card.measure + ci));
    out += gauge(card) + "</div>\n";
  }
  out += "<dl class=\"facts\">\n";
  out += fact(card.technique_role, card.technique);
  out += fact("Most successful attacker", card.attack);
  out += fact("Against blind guessing", above_chance_text(card));
  if (card.advantage_kept) {
    out += fact("Against clear data", percent(card.advantage_kept) + " of the attacker's advantage is left");
  } else if (card.balanced) {
    out += fact("Against clear data", card.ceiling ? "clear data gives no advantage, so this proves nothing"
                                                   : "not measured: without it, a failing attack proves nothing");
  }
  out += fact("What protection cost", card.cost, "wide");
  for (const auto& [name, value] : card.facts) out += fact(name, value, "wide");
  out += "</dl>\n";
  if (!card.threat_model.empty()) {
    out += fmt::format("<p class=\"threat\"><strong>Threat model.</strong> {}</p>\n", escape_html(card.threat_model));
  }
  return out + "</article>\n";
}

std::string failures_block(const std::vector<RunResults>& runs) {
  std::size_t cells = 0;
  std::string items;
  std::size_t failed = 0;
  for (const RunResults& run : runs) {
    cells += run.cells;
    for (const FailedCell& item : run.failed) {
      ++failed;
      items += fmt::format("<li><code>{}</code><br>{}</li>\n",
                           escape_html((runs.size() > 1 ? item.run + ": " : "") + item.key), escape_html(item.error));
    }
  }
  if (failed == 0) return {};
  return fmt::format(
      "<section class=\"alarm\" role=\"alert\">\n<h2>{} of {} cells failed</h2>\n<p>What follows is incomplete.</p>\n"
      "<ul>\n{}</ul>\n</section>\n",
      failed, cells, items);
}

std::string origin_line(const std::vector<RunResults>& runs) {
  std::string names;
  std::set<std::string> versions;
  for (const RunResults& run : runs) {
    names += (names.empty() ? "" : ", ") + run.name;
    if (!run.version.empty()) versions.insert(run.version);
  }
  std::string out = (runs.size() > 1 ? "Runs " : "Run ") + names;
  for (const std::string& version : versions) out += " · Bauta " + version;
  return out;
}

std::string title_of(const std::vector<RunResults>& runs) {
  for (const RunResults& run : runs) {
    if (!run.title.empty()) return run.title;
  }
  return "What does the protected data still tell?";
}

void give_unique_names(std::vector<Figure>& figures, std::set<std::string>& taken) {
  for (Figure& figure : figures) {
    const std::string base = figure.name;
    for (int copy = 2; !taken.insert(figure.name).second; ++copy) figure.name = fmt::format("{}-{}", base, copy);
  }
}

}  // namespace

std::vector<Table> Report::tables() const {
  std::vector<Table> out = {summary,    recognition,   leakage,      attacks,   estimators, health,
                            regression, privacy,       protocol,     decisions, linkage,    recovery,
                            anonymity,  reidentifiers, clear_levels, settings};
  std::erase_if(out, [](const Table& table) { return table.rows.empty(); });
  return out;
}

std::vector<Figure> Report::all_figures() const {
  std::vector<Figure> out;
  for (const std::vector<Figure>* part :
       {&curves, &scores, &successes, &estimations, &learning, &controls, &tradeoffs, &protocols, &anonymities}) {
    out.insert(out.end(), part->begin(), part->end());
  }
  return out;
}

Report make_report(std::vector<RunResults> runs) {
  Report out{.runs = std::move(runs),
             .summary = {},
             .recognition = {},
             .leakage = {},
             .attacks = {},
             .estimators = {},
             .health = {},
             .regression = {},
             .privacy = {},
             .protocol = {},
             .decisions = {},
             .linkage = {},
             .recovery = {},
             .anonymity = {},
             .reidentifiers = {},
             .clear_levels = {},
             .settings = {},
             .curves = {},
             .scores = {},
             .successes = {},
             .estimations = {},
             .learning = {},
             .controls = {},
             .tradeoffs = {},
             .protocols = {},
             .anonymities = {}};
  out.summary = summary_table(out.runs);
  out.recognition = recognition_table(out.runs);
  out.estimators = estimator_table(out.runs);
  out.health = health_table(out.runs);
  out.regression = regression_table(out.runs);
  out.privacy = privacy_table(out.runs);
  out.protocol = protocol_table(out.runs);
  out.decisions = decisions_table(out.runs);
  out.linkage = linkage_table(out.runs);
  out.recovery = recovery_table(out.runs);
  out.leakage = leakage_table(out.runs);
  out.attacks = attack_table(out.runs);
  out.curves = curve_figures(out.runs);
  out.scores = score_figures(out.runs);
  out.successes = attack_figures(out.runs);
  out.estimations = estimator_figures(out.runs);
  out.learning = learning_figures(out.runs);
  out.controls = control_figures(out.runs);
  out.tradeoffs = tradeoff_figures(out.runs);
  out.protocols = protocol_figures(out.runs);
  out.anonymity = anonymity_table(out.runs);
  out.reidentifiers = reidentifier_table(out.runs);
  out.clear_levels = clear_level_table(out.runs);
  out.settings = setting_table(out.runs);
  out.anonymities = anonymity_figures(out.runs);
  // Different attributes may shorten to the same file name.
  std::set<std::string> taken;
  for (std::vector<Figure>* part : {&out.curves, &out.scores, &out.successes, &out.estimations, &out.learning,
                                    &out.controls, &out.tradeoffs, &out.protocols, &out.anonymities}) {
    give_unique_names(*part, taken);
  }
  return out;
}

std::string render_page(const Report& report) {
  Json specs = Json::object();
  for (const Figure& figure : report.all_figures()) specs[figure.name] = figure.spec;

  std::string sources;
  std::string scripts;
  const std::string licence = fmt::format("/*\nVega, Vega-Lite, Vega-Embed:\n{}*/\n", assets::vega_licence());
  for (const std::string& code : {licence + std::string(assets::vega_js()), std::string(assets::vega_lite_js()),
                                  std::string(assets::vega_embed_js()), std::string(assets::page_js())}) {
    const std::string safe = script_safe_code(code);
    sources += " " + digest_of(safe);
    scripts += "<script>" + safe + "</script>\n";
  }
  // Only our own scripts run, whatever a run's text may contain, and no request leaves the page.
  const std::string policy =
      "default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'; "
      "script-src" +
      sources;

  std::vector<Section> sections = result_sections(report);
  sections.push_back({"data", "Data and method", "Data, parameters and definitions",
                      "What was run on what, and what the words mean.", data_section(report.runs)});
  std::string links;
  std::string bodies;
  for (const Section& section : sections) {
    links += fmt::format("<a href=\"#{}\">{}</a>", section.id, section.link);
    bodies += fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n<p class=\"lead\">{}</p>\n{}</section>\n", section.id,
                          section.title, section.lead, section.body);
  }
  return fill(assets::page_html(), {{"policy", policy},
                                    {"title", escape_html(title_of(report.runs))},
                                    {"style", std::string(assets::page_css())},
                                    {"origin", escape_html(origin_line(report.runs))},
                                    {"headline",
                                     [&] {
                                       std::string cards;
                                       for (const RunResults& run : report.runs)
                                         cards += headline_card(run, report.runs);
                                       return cards;
                                     }()},
                                    {"failures", failures_block(report.runs)},
                                    {"links", links},
                                    {"sections", bodies},
                                    {"rest", rest_section(report.runs)},
                                    {"figures", script_safe_json(specs.dump())},
                                    {"scripts", scripts}});
}

}  // namespace bauta::report
