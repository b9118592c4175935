// Tables beside recognition and leakage: what the page says at a glance, decisions only, linkage across keys,
// inversions.
#include <algorithm>

#include <fmt/format.h>

#include "bauta/report/judgement.hpp"
#include "bauta/report/table.hpp"
#include "bauta/report/text.hpp"

namespace bauta::report {
namespace {

using Fields = std::vector<std::string>;

const AttributeAttack* attack_of(const RunResults& run, const Series& series, const std::string& attribute,
                                 const std::string& kind) {
  for (const AttributeAttack& attack : run.attacks) {
    if (attack.kind == kind && attack.attribute == attribute && attack.best &&
        attack.series.technique == series.technique && attack.series.variant == series.variant) {
      return &attack;
    }
  }
  return nullptr;
}

/// Attributes in the order in which they were attacked.
Fields attacked_attributes(const std::vector<RunResults>& runs) {
  Fields names;
  for (const RunResults& run : runs) {
    for (const AttributeAttack& attack : run.attacks) {
      if (std::find(names.begin(), names.end(), attack.attribute) == names.end()) names.push_back(attack.attribute);
    }
  }
  return names;
}

}  // namespace

Table summary_table(const std::vector<RunResults>& runs) {
  const Fields attributes = attacked_attributes(runs);
  Table table{.name = "summary",
              .caption = "What each technique costs and what it leaves, 95 % intervals in brackets",
              .columns = {{"Technique", Table::Align::left}, {"EER"}},
              .rows = {},
              .note =
                  "The first row of a run is what clear data gives. Attacks: balanced accuracy of the most "
                  "successful one of its kind.",
              .csv_head = {"run", "technique", "variant", "eer", "eer_low", "eer_high"},
              .csv_rows = {}};
  for (const std::string& attribute : attributes) {
    for (const char* kind : {"similarity", "estimate"}) {
      table.columns.push_back(
          {fmt::format("{}, {}", attribute, kind == std::string("estimate") ? "best estimator" : "similarity attack")});
      for (const char* part : {"", "_low", "_high"})
        table.csv_head.push_back(fmt::format("{}_{}{}", attribute, kind, part));
    }
  }
  bool unhealthy = false;
  for (const RunResults& run : runs) {
    for (const Verification& item : run.verifications) {
      if (item.series.data != run.verifications.front().series.data) continue;
      Table::Row row;
      row.cells = {series_cell(item.series), rate_cell(item.eer, item.eer_ci)};
      Fields csv = {item.series.run, item.series.technique, item.series.variant, exact(item.eer)};
      add_interval(csv, item.eer_ci);
      for (const std::string& attribute : attributes) {
        for (const char* kind : {"similarity", "estimate"}) {
          const AttributeAttack* attack = attack_of(run, item.series, attribute, kind);
          row.cells.push_back(attack ? rate_cell(attack->best->balanced, attack->best_ci) : cell("–"));
          row.cells.back().starred = attack && attack->unhealthy();
          unhealthy |= row.cells.back().starred;
          csv.push_back(attack ? exact(attack->best->balanced) : std::string());
          add_interval(csv, attack ? attack->best_ci : std::nullopt);
        }
      }
      table.rows.push_back(std::move(row));
      table.csv_rows.push_back(std::move(csv));
    }
  }
  if (unhealthy) table.note += " † No attack of this kind is healthy: the number says nothing about protection.";
  return table;
}

Table decisions_table(const std::vector<RunResults>& runs) {
  Table table{.name = "decisions",
              .caption = "Attackers who see match or no match only, 95 % intervals in brackets",
              .columns = {{"Technique", Table::Align::left},
                          {"Attribute", Table::Align::left},
                          {"System set to FMR"},
                          {"Answer to a non-match", Table::Align::left},
                          {"Queries"},
                          {"Targets decided"},
                          {"Balanced"}},
              .rows = {},
              .note =
                  "Decided: the answers told the attacker something; otherwise he draws lots. Random key: a "
                  "cryptosystem that returns some key on failure, so that only a key that comes back is known to be "
                  "the right one.",
              .csv_head = {"run", "technique", "variant", "attribute", "fmr", "refusal", "queries", "decided",
                           "balanced", "balanced_low", "balanced_high", "chance"},
              .csv_rows = {}};
  for (const RunResults& run : runs) {
    for (const OnlineAttack& attack : run.online) {
      for (const OnlineResult& result : attack.results) {
        table.rows.push_back(
            {{series_cell(attack.series), cell(attack.attribute), cell(result.fmr ? percent_name(*result.fmr) : "–"),
              cell(result.refusal), cell(grouped(result.queries)), cell(percent(result.decided)),
              rate_cell(result.balanced, result.ci)},
             false});
        Fields csv = {attack.series.run,     attack.series.technique, attack.series.variant,
                      attack.attribute,      exact(result.fmr),       result.refusal,
                      exact(result.queries), exact(result.decided),   exact(result.balanced)};
        add_interval(csv, result.ci);
        csv.push_back(exact(attack.chance));
        table.csv_rows.push_back(std::move(csv));
      }
    }
  }
  return table;
}

Table linkage_table(const std::vector<RunResults>& runs) {
  Table table{.name = "linkage",
              .caption = "Can templates of one person under two application keys be linked?",
              .columns = {{"Technique", Table::Align::left},
                          {"Linkage function", Table::Align::left},
                          {"D_sys"},
                          {"Null level (95 %)"},
                          {"Maximal linkability (bit)"},
                          {"Null level"},
                          {"EER of a linker"}},
              .rows = {},
              .note =
                  "Null level: what unlinkable templates of as many people would give by accident; whole people are "
                  "exchanged, because under two given keys all comparisons of a person move together. "
                  "Resampling would raise D_sys itself, so no interval stands beside it.",
              .csv_head = {"run", "technique", "variant", "comparator", "mated", "d_sys", "d_sys_low", "d_sys_high",
                           "d_sys_null", "d_sys_null_high", "maximal_linkability", "maximal_linkability_null", "eer",
                           "eer_low", "eer_high"},
              .csv_rows = {}};
  for (const RunResults& run : runs) {
    for (const Linkage& item : run.linkages) {
      table.rows.push_back(
          {{cell(item.series.label), cell(item.comparator), cell(decimal(item.d_sys, 3)),
            cell(decimal(item.d_sys_null, 3), fmt::format("({})", decimal(item.d_sys_null_high, 3))),
            cell(decimal(item.maximal, 3)), cell(decimal(item.maximal_null, 3)), rate_cell(item.eer, item.eer_ci)},
           false});
      Fields csv = {item.series.run, item.series.technique, item.series.variant,
                    item.comparator, exact(item.mated),     exact(item.d_sys)};
      add_interval(csv, item.d_sys_ci);
      for (const Number value : {item.d_sys_null, item.d_sys_null_high, item.maximal, item.maximal_null, item.eer}) {
        csv.push_back(exact(value));
      }
      add_interval(csv, item.eer_ci);
      table.csv_rows.push_back(std::move(csv));
    }
  }
  return table;
}

Table recovery_table(const std::vector<RunResults>& runs) {
  Table table{.name = "recovery",
              .caption = "What inversion brings back, 95 % intervals in brackets",
              .columns = {{"Technique", Table::Align::left},
                          {"Recovery", Table::Align::left},
                          {"Cosine to the original"},
                          {"EER against clear samples"},
                          {"Identified at rank 1"},
                          {"Attribute", Table::Align::left},
                          {"The technique's claim", Table::Align::left}},
              .rows = {},
              .note =
                  "Cosine: less the mean template, so that 0 is what somebody reaches who never saw the target. "
                  "Recognition compares what came back with clear templates of other samples; behind the interval "
                  "stands what clear data (EER) or guessing (rank 1) gives.",
              .csv_head = {"run", "technique", "variant", "recovery", "cosine", "cosine_low", "cosine_high", "eer",
                           "eer_low", "eer_high", "clear_eer", "rank1", "rank1_low", "rank1_high", "rank1_chance"},
              .csv_rows = {}};
  for (const RunResults& run : runs) {
    for (const RecoveredTemplates& item : run.recovered) {
      std::string attributes;
      for (const auto& attribute : item.attributes) {
        attributes += fmt::format("{}{} {} (clear {}, chance {})", attributes.empty() ? "" : "; ", attribute.name,
                                  percent(attribute.balanced), percent(attribute.clear), percent(attribute.chance));
      }
      Table::Cell cosine = decimal_cell(item.cosine, item.cosine_ci, 3);
      Table::Cell eer = rate_cell(item.eer, item.eer_ci);
      if (item.clear_eer) eer.detail += fmt::format(" clear {}", percent(item.clear_eer));
      Table::Cell rank1 = rate_cell(item.rank1, item.rank1_ci);
      if (item.rank1_chance) rank1.detail += fmt::format(" chance {}", percent(item.rank1_chance));
      table.rows.push_back({{cell(item.series.label), cell(item.recovery), cosine, eer, rank1,
                             cell(attributes.empty() ? "–" : attributes), cell(item.claim.empty() ? "–" : item.claim)},
                            false});
      Fields csv = {item.series.run, item.series.technique, item.series.variant, item.recovery, exact(item.cosine)};
      add_interval(csv, item.cosine_ci);
      csv.push_back(exact(item.eer));
      add_interval(csv, item.eer_ci);
      csv.push_back(exact(item.clear_eer));
      csv.push_back(exact(item.rank1));
      add_interval(csv, item.rank1_ci);
      csv.push_back(exact(item.rank1_chance));
      table.csv_rows.push_back(std::move(csv));
    }
  }
  return table;
}

}  // namespace bauta::report
