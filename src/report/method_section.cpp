// How the numbers came about: runs, counts, remarks, definitions, and what has no place of its own.
#include <map>
#include <span>

#include <fmt/format.h>

#include "bauta/report/sections.hpp"
#include "bauta/report/text.hpp"

namespace bauta::report {
namespace {

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
  for (const Anonymised& item : run.anonymised) {
    for (const std::string& remark : item.remarks) by_remark[remark].push_back(item.name);
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
    {"Estimator",
     "A classifier that an attacker trains on protected samples of people whose attribute is known. Ceiling: the same "
     "one on clear data. Floor: the same one trained with labels exchanged between people."},
    {"Healthy", "An estimator beats chance on clear data, and its floor does not."},
    {"Controls",
     "Null: data with nothing to find. Planted: a leak of known size, named by the balanced accuracy of an attacker "
     "who "
     "knows it."},
    {"Suppression",
     "(A − A′) / A with balanced accuracy A on clear and A′ on protected data; reachable is A′ at chance."},
    {"PIC (errors)",
     "Privacy gain less identity loss: (AE′ − AE) / AE − (RE′ − RE) / RE with the attacker's error AE and the "
     "recognition error RE, dashed for protected data. Undefined where an error on clear data is 0."},
    {"PIC (AUC)", "The same idea from areas under curves: suppression of the attribute less loss of identity."},
    {"Corrected for the choice",
     "The best of several attacks looks better than it is, because luck is chosen too; this bias is removed."},
    {"Intervals",
     "95 %, by resampling people rather than samples, because comparisons of one person are not independent."},
};

constexpr Definition anonymity_definitions[] = {
    {"Identity mixture",
     "Share of anonymised records whose original, or whose person, the attacker does not name first; within k guesses: "
     "not among his k best."},
    {"Guessing", "An attacker who knows nothing leaves a mixture of 1 − k / candidates."},
    {"Informed", "Knows the method and its parameters, though no secret; the paper's attackers are uninformed."},
    {"Claimed, left", "The mixture against the strongest uninformed attacker, and against the strongest informed one."},
    {"Fails on clear data",
     "An attacker who finds no more than guessing, up to two standard errors, where nothing was anonymised."},
    {"KL from guessing",
     "Kullback-Leibler divergence of the attacker's belief over candidates from the uniform one, in nats, mean over "
     "records; 0 is guessing, the logarithm of the number of candidates is certainty."},
    {"U", "Accuracy of the attribute of interest, and accuracies of additional ones weighted by alpha, summed."},
    {"Learned anew", "The estimator learns from anonymised records instead of clear ones."},
    {"g, t, w, rp, rq",
     "Size of the random set, its share of records with the same attribute, weight of retained features, and shares of "
     "features retained for the attribute of interest and for additional ones."},
};

std::string definition_items(std::span<const Definition> items) {
  std::string out;
  for (const Definition& item : items) {
    out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape_html(item.name), escape_html(item.meaning));
  }
  return out;
}

// Only the words that the page uses, where it is about anonymised records alone.
std::string definitions_block(const std::vector<RunResults>& runs) {
  bool anonymised = false;
  bool other = false;
  for (const RunResults& run : runs) {
    anonymised |= !run.anonymised.empty();
    other |= !run.verifications.empty() || !run.attacks.empty() || !run.recovered.empty() || !run.linkages.empty();
  }
  std::string out = "<h3>Definitions</h3>\n<div class=\"card\"><dl class=\"defs\">\n";
  if (anonymised) out += definition_items(anonymity_definitions);
  if (other || !anonymised) out += definition_items(definitions);
  return out + "</dl></div>\n";
}

// How the anonymised data was cut; one text per run, unless representations lost different records.
std::string splits_of(const RunResults& run) {
  std::string out;
  for (const Anonymised& item : run.anonymised) {
    if (!item.split.empty() && out.find(item.split) == std::string::npos) out += (out.empty() ? "" : "; ") + item.split;
  }
  return out;
}

}  // namespace

std::string data_section(const std::vector<RunResults>& runs) {
  std::string out;
  for (const RunResults& run : runs) {
    out += fmt::format("<h3>{}</h3>\n<div class=\"card\"><dl class=\"facts plain\">\n", escape_html("Run " + run.name));
    out += fact("Bauta version", run.version.empty() ? "unknown" : run.version);
    out += fact("Seed", run.seed ? fmt::format("{:.0f}", *run.seed) : "unknown");
    out += fact("Cells", fmt::format("{} ({} failed)", run.cells, run.failed.size()));
    out += fact("Split", splits_of(run), "wide");
    out += "</dl>\n" + remarks_list(run) + "</div>\n" + counts_table(run);
    if (!run.experiment.is_null()) {
      out += fmt::format("<details><summary>Experiment as it was run</summary>\n<pre>{}</pre></details>\n",
                         escape_html(run.experiment.dump(2)));
    }
  }
  return out + definitions_block(runs);
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

}  // namespace bauta::report
