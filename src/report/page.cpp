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

std::string fact(std::string_view name, const std::string& value, const char* width = "narrow") {
  if (value.empty()) return {};
  return fmt::format("<div class=\"{}\"><dt>{}</dt><dd>{}</dd></div>\n", width, escape_html(name), escape_prose(value));
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
    out +=
        fmt::format("<div class=\"reading\"><div class=\"number\">{}<small>{}</small></div>\n", percent(card.balanced),
                    escape_html("balanced accuracy" + (card.attribute.empty() ? "" : " on " + card.attribute) + ci));
    out += gauge(card) + "</div>\n";
  }
  out += "<dl class=\"facts\">\n";
  out += fact("Worst-case technique", card.technique);
  out += fact("Most successful attacker", card.attack);
  out += fact("Against blind guessing", above_chance_text(card));
  if (card.advantage_kept) {
    out += fact("Against clear data", percent(card.advantage_kept) + " of the attacker's advantage is left");
  } else if (card.balanced) {
    out += fact("Against clear data", card.ceiling ? "clear data gives no advantage, so this proves nothing"
                                                   : "not measured: without it, a failing attack proves nothing");
  }
  out += fact("What protection cost", card.cost, "wide");
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

std::string figure_block(const Figure& figure) {
  return fmt::format(
      "<figure>\n<h3>{}</h3>\n<div class=\"plot\" role=\"img\" aria-label=\"{}\" data-figure=\"{}\"></div>\n"
      "<figcaption><p>{}</p></figcaption>\n</figure>\n",
      escape_html(figure.title), escape_html(figure.alt), escape_html(figure.name), escape_html(figure.caption));
}

// What belongs to the first data set stands open, the same for other data is folded away.
std::string figure_blocks(const std::vector<Figure>& figures, const char* arrangement) {
  std::string open;
  std::string folded;
  for (const Figure& figure : figures) (figure.secondary ? folded : open) += figure_block(figure);
  if (!open.empty()) open = fmt::format("<div class=\"{}\">\n{}</div>\n", arrangement, open);
  if (folded.empty()) return open;
  return open + fmt::format(
                    "<details><summary>The same for the other data</summary>\n<div class=\"{}\">\n{}</div></details>\n",
                    arrangement, folded);
}

std::string empty_section(const char* what) {
  return fmt::format("<p class=\"lead\">{}</p>\n", what);
}

std::string recognition_section(const Report& report) {
  if (report.recognition.rows.empty()) return empty_section("No verification was run.");
  std::string out =
      "<p class=\"lead\">Protection that hides everything also hides who somebody is. Low error rates mean that the "
      "data is still useful.</p>\n";
  out += to_html(report.recognition);
  return out + figure_blocks(report.curves, "pair");
}

std::string scores_section(const Report& report) {
  return report.scores.empty() ? empty_section("The run kept no score distributions.")
                               : figure_blocks(report.scores, "column");
}

std::string leakage_section(const Report& report) {
  if (report.leakage.rows.empty()) return empty_section("No attack was run, so nothing is known about what leaks.");
  std::string out =
      "<p class=\"lead\">An attacker compares protected samples with protected samples of people whose attribute is "
      "known. The nearer to the clear-data line, the less the protection hides.</p>\n";
  out += to_html(report.leakage) + figure_blocks(report.successes, "column");
  return out + "<details><summary>All attacks in numbers</summary>\n" + to_html(report.attacks) + "</details>\n";
}

/// With two techniques or fewer the sections themselves are as short.
std::string summary_section(const Report& report) {
  if (report.summary.rows.size() < 3) return {};
  return "<section id=\"summary\">\n<h2>At a glance</h2>\n" + to_html(report.summary) + "</section>\n";
}

struct Further {
  std::string sections, links;
};

Further further_sections(const Report& report) {
  std::string out, links;
  const auto add = [&](const Table& table, const char* id, const char* link, const char* title, const char* lead) {
    if (table.rows.empty()) return;
    links += fmt::format("<a href=\"#{}\">{}</a>", id, link);
    out += fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n<p class=\"lead\">{}</p>\n{}</section>\n", id, title, lead,
                       to_html(table));
  };
  add(report.recovery, "recovery", "Inversion", "Can it be undone?",
      "An attacker who knows the technique, holds pairs or stole the key tries to get the clear template back. What "
      "came "
      "back is then recognised and read like clear data.");
  add(report.decisions, "decisions", "Decisions", "What do a system's answers tell?",
      "The attacker presents faces of his own and is told no more than match or no match; with secret keys, the system "
      "applies the victim's.");
  add(report.linkage, "linkage", "Linkage", "Can two applications be linked?",
      "The same people are enrolled under two keys. Unlinkable templates stay at the null level.");
  return {out, links};
}

std::string remarks_list(const RunResults& run) {
  std::map<std::string, std::vector<std::string>> by_remark;
  for (const std::string& remark : run.remarks) by_remark[remark] = {};
  for (const Verification& item : run.verifications) {
    for (const std::string& remark : item.remarks)
      by_remark[remark].push_back(item.series.label + " (" + item.series.data + ")");
  }
  for (const AttributeAttack& item : run.attacks) {
    for (const std::string& remark : item.remarks)
      by_remark[remark].push_back(item.series.label + " (" + item.attribute + ")");
  }
  if (by_remark.empty()) return {};
  std::string out = "<h4>Remarks</h4>\n<ul class=\"remarks\">\n";
  for (const auto& [remark, places] : by_remark) {
    std::string where;
    for (const std::string& place : places) where += (where.empty() ? "" : ", ") + place;
    if (places.size() > 4) where = fmt::format("{} cells", places.size());
    out += fmt::format("<li>{} <small>{}</small></li>\n", escape_html(remark), escape_html(where));
  }
  return out + "</ul>\n";
}

std::string counts_table(const RunResults& run) {
  Table table{.name = "counts-" + slug(run.name),
              .caption = "What was compared",
              .columns = {{"Technique", Table::Align::left},
                          {"Data", Table::Align::left},
                          {"Comparator", Table::Align::left},
                          {"Samples"},
                          {"Identities"},
                          {"Mated pairs"},
                          {"Non-mated pairs"},
                          {"Failures"}},
              .rows = {},
              .note = {},
              .csv_head = {},
              .csv_rows = {}};
  for (const Verification& item : run.verifications) {
    table.rows.push_back(
        {{cell(item.series.label), cell(item.series.data), cell(item.comparator.empty() ? "–" : item.comparator),
          cell(grouped(item.samples)), cell(grouped(item.identities)), cell(grouped(item.mated)),
          cell(grouped(item.non_mated)), cell(grouped(item.failures))},
         false});
  }
  return table.rows.empty() ? std::string() : to_html(table);
}

struct Definition {
  const char* name;
  const char* meaning;
};

constexpr Definition definitions[] = {
    {"Match", "Two samples match if and only if their score s reaches the threshold t: s ≥ t."},
    {"FMR", "False match rate: the share of non-mated pairs (different people) that match."},
    {"FNMR", "False non-match rate: the share of mated pairs (same person) that do not match."},
    {"FNMR at FMR f",
     "FNMR at the threshold with the largest FMR not above f, without interpolation; marked † where there are fewer "
     "than 1/f non-mated pairs."},
    {"EER",
     "Equal error rate: where FMR equals FNMR; between the two thresholds around the crossing it is interpolated "
     "linearly. "
     "Equal scores are never split."},
    {"AUC", "Probability that a mated pair scores higher than a non-mated one; ties count half. 0.5 is guessing."},
    {"d′", "Distance of the two mean scores in units of their pooled standard deviation."},
    {"D_sys",
     "Linkability from 0 (none) to 1 (full). Its null level is what unlinkable data of this size would give by "
     "accident."},
    {"min Cllr", "Cost of the scores as evidence after ideal calibration, in bits: 0 is perfect, 1 is worthless."},
    {"ZEBRA",
     "Disclosure to an attacker who holds the scores: expected bits (at most 0.721) and, as a letter, the strongest "
     "single "
     "piece of evidence, from 0 and A (weak) to F (conclusive)."},
    {"Success (balanced)",
     "Share of right guesses, averaged over the classes, so that a common class earns nothing. Chance is one over "
     "the number of classes."},
    {"Attack rules",
     "vote: the majority among the n most similar; mean, linear, log: per class the n best scores, equally or by rank "
     "weighted."},
    {"Intervals",
     "95 %, by resampling people rather than samples, because comparisons of one person are not independent."},
};

std::string definitions_block() {
  std::string out = "<h3>Definitions</h3>\n<div class=\"card\"><dl class=\"defs\">\n";
  for (const Definition& item : definitions) {
    out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape_html(item.name), escape_html(item.meaning));
  }
  return out + "</dl></div>\n";
}

std::string data_section(const std::vector<RunResults>& runs) {
  std::string out;
  for (const RunResults& run : runs) {
    out += fmt::format("<h3>{}</h3>\n<div class=\"card\"><dl class=\"facts plain\">\n", escape_html("Run " + run.name));
    out += fact("Bauta version", run.version.empty() ? "unknown" : run.version);
    out += fact("Seed", run.seed ? fmt::format("{:.0f}", *run.seed) : "unknown");
    out += fact("Cells", fmt::format("{} ({} failed)", run.cells, run.failed.size()));
    out += "</dl>\n" + remarks_list(run) + "</div>\n" + counts_table(run);
    if (!run.experiment.is_null()) {
      out += fmt::format("<details><summary>Experiment as it was run</summary>\n<pre>{}</pre></details>\n",
                         escape_html(run.experiment.dump(2)));
    }
  }
  return out + definitions_block();
}

std::string rest_section(const std::vector<RunResults>& runs) {
  std::string out;
  for (const RunResults& run : runs) {
    for (const Json& item : run.rest) {
      out += fmt::format("<pre>{}</pre>\n", escape_html((runs.size() > 1 ? run.name + "\n" : "") + item.dump(2)));
    }
  }
  if (out.empty()) return {};
  return "<section id=\"rest\">\n<details><summary>Everything else that the run recorded</summary>\n" + out +
         "</details>\n</section>\n";
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
  std::vector<Table> out = {summary,    recognition, leakage,  attacks,   estimators, health,
                            regression, privacy,     protocol, decisions, linkage,    recovery};
  std::erase_if(out, [](const Table& table) { return table.rows.empty(); });
  return out;
}

std::vector<Figure> Report::all_figures() const {
  std::vector<Figure> out = curves;
  out.insert(out.end(), scores.begin(), scores.end());
  out.insert(out.end(), successes.begin(), successes.end());
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
             .curves = {},
             .scores = {},
             .successes = {}};
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
  // Different attributes may shorten to the same file name.
  std::set<std::string> taken;
  for (std::vector<Figure>* part : {&out.curves, &out.scores, &out.successes}) give_unique_names(*part, taken);
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

  const Further further = further_sections(report);
  return fill(
      assets::page_html(),
      {{"policy", policy},
       {"title", escape_html(title_of(report.runs))},
       {"style", std::string(assets::page_css())},
       {"origin", escape_html(origin_line(report.runs))},
       {"headline",
        [&] {
          std::string cards;
          for (const RunResults& run : report.runs) cards += headline_card(run, report.runs);
          return cards;
        }()},
       {"failures", failures_block(report.runs)},
       {"recognition", recognition_section(report)},
       {"scores", scores_section(report)},
       {"leakage", leakage_section(report)},
       {"summary", summary_section(report)},
       {"summary_link", report.summary.rows.size() < 3 ? std::string() : "<a href=\"#summary\">At a glance</a>"},
       {"further", further.sections},
       {"further_links", further.links},
       {"data", data_section(report.runs)},
       {"rest", rest_section(report.runs)},
       {"figures", script_safe_json(specs.dump())},
       {"scripts", scripts}});
}

}  // namespace bauta::report
