// What stands in the report's tables.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "bauta/report/judgement.hpp"
#include "bauta/report/table.hpp"
#include "bauta/report/text.hpp"

namespace bauta::report {
namespace {

using Fields = std::vector<std::string>;

// Every false match rate that any cell reports, largest first: the columns of the table.
std::vector<double> reported_fmrs(const std::vector<RunResults>& runs) {
  std::set<double, std::greater<>> rates;
  for (const RunResults& run : runs) {
    for (const Verification& item : run.verifications) {
      for (const OperatingPoint& point : item.operating_points) {
        if (point.fmr) rates.insert(*point.fmr);
      }
    }
  }
  return {rates.begin(), rates.end()};
}

const OperatingPoint* at_fmr(const Verification& item, double fmr) {
  const auto found = std::find_if(item.operating_points.begin(), item.operating_points.end(),
                                  [&](const OperatingPoint& point) { return point.fmr == fmr; });
  return found == item.operating_points.end() ? nullptr : &*found;
}

Fields recognition_csv(const Verification& item, const std::vector<double>& fmrs) {
  Fields row = {item.series.run,       item.series.data,     item.series.technique,  item.series.variant,
                item.comparator,       exact(item.samples),  exact(item.identities), exact(item.mated),
                exact(item.non_mated), exact(item.failures), exact(item.eer)};
  add_interval(row, item.eer_ci);
  row.push_back(exact(item.rocch_eer));
  row.push_back(exact(item.auc));
  add_interval(row, item.auc_ci);
  row.push_back(exact(item.d_prime));
  add_interval(row, item.d_prime_ci);
  for (const Number value :
       {item.d_sys, item.d_sys_null, item.cllr, item.min_cllr, item.zebra_bits, item.zebra_worst}) {
    row.push_back(exact(value));
  }
  row.push_back(item.zebra_tag);
  for (const double fmr : fmrs) {
    const OperatingPoint* point = at_fmr(item, fmr);
    row.push_back(point ? exact(point->fnmr) : std::string());
    add_interval(row, point ? point->ci : std::nullopt);
    row.push_back(point ? exact(point->threshold) : std::string());
    row.push_back(point ? (point->resolvable ? "true" : "false") : "");
  }
  return row;
}

Fields attack_csv(const AttributeAttack& attack, const AttackResult& result, const std::optional<Interval>& ci) {
  Fields row = {
      attack.series.run, attack.series.technique, attack.series.variant, attack.attribute,      attack.comparator,
      result.rule,       exact(result.n),         exact(result.n_used),  exact(result.success), exact(result.balanced)};
  add_interval(row, ci);
  row.push_back(exact(attack.chance));
  return row;
}

const Fields attack_head = {"run",    "technique", "variant",  "attribute",    "comparator",    "rule",  "n",
                            "n_used", "success",   "balanced", "balanced_low", "balanced_high", "chance"};

std::string per_class_text(const AttackResult& result) {
  std::string out;
  for (const auto& [name, rate] : result.per_class) out += (out.empty() ? "" : ", ") + name + " " + percent(rate);
  return out.empty() ? "–" : out;
}

// "best of 16; corrected for the choice 85.9 %"
std::string chosen_from(const AttributeAttack& attack) {
  if (!attack.best_of || *attack.best_of < 2) return {};
  std::string out = fmt::format("best of {}", grouped(attack.best_of));
  if (attack.corrected) out += fmt::format("; corrected for the choice {}", percent(attack.corrected));
  return out;
}

}  // namespace

Table recognition_table(const std::vector<RunResults>& runs) {
  const std::vector<double> fmrs = reported_fmrs(runs);
  Table table{
      .name = "recognition",
      .caption = "Recognition performance per technique, 95 % intervals in brackets",
      .columns = {{"Technique", Table::Align::left}, {"Data", Table::Align::left}, {"EER"}},
      .rows = {},
      .note = {},
      .csv_head =
          {"run",        "data",      "technique", "variant",    "comparator",        "samples",      "identities",
           "mated",      "non_mated", "failures",  "eer",        "eer_low",           "eer_high",     "rocch_eer",
           "auc",        "auc_low",   "auc_high",  "d_prime",    "d_prime_low",       "d_prime_high", "d_sys",
           "d_sys_null", "cllr",      "min_cllr",  "zebra_bits", "zebra_worst_log10", "zebra_tag"},
      .csv_rows = {}};
  for (const double fmr : fmrs) {
    table.columns.push_back({"FNMR at FMR " + percent_name(fmr)});
    for (const char* part : {"", "_low", "_high", "_threshold", "_resolvable"}) {
      table.csv_head.push_back(fmt::format("fnmr_at_fmr_{}{}", fmr, part));
    }
  }
  for (const char* head : {"AUC", "d′", "D_sys (null)", "min Cllr (bit)", "ZEBRA"}) table.columns.push_back({head});

  bool unresolved = false;
  for (const RunResults& run : runs) {
    for (const Verification& item : run.verifications) {
      Table::Row row;
      row.cells = {series_cell(item.series), cell(item.series.data), rate_cell(item.eer, item.eer_ci)};
      for (const double fmr : fmrs) {
        const OperatingPoint* point = at_fmr(item, fmr);
        row.cells.push_back(point ? rate_cell(point->fnmr, point->ci) : cell("–"));
        row.cells.back().starred = point && !point->resolvable;
        unresolved |= row.cells.back().starred;
      }
      row.cells.push_back(decimal_cell(item.auc, item.auc_ci, 4));
      row.cells.push_back(decimal_cell(item.d_prime, item.d_prime_ci, 2));
      row.cells.push_back(cell(decimal(item.d_sys, 3), item.d_sys_null ? "(" + decimal(item.d_sys_null, 3) + ")" : ""));
      row.cells.push_back(cell(decimal(item.min_cllr, 3)));
      row.cells.push_back(cell(item.zebra_tag.empty() ? "–" : item.zebra_tag,
                               item.zebra_bits ? decimal(item.zebra_bits, 3) + " bit" : ""));
      table.rows.push_back(std::move(row));
      table.csv_rows.push_back(recognition_csv(item, fmrs));
    }
  }
  if (unresolved) {
    table.note =
        "† Too few non-mated comparisons to resolve this false match rate: the value is not a measurement at it.";
  }
  return table;
}

Table leakage_table(const std::vector<RunResults>& runs) {
  Table table{.name = "leakage",
              .caption = "Most successful attack per technique and attribute, balanced accuracy with 95 % interval",
              .columns = {{"Technique", Table::Align::left},
                          {"Attribute", Table::Align::left},
                          {"Best attack", Table::Align::left},
                          {"Success (balanced)"},
                          {"Chance"},
                          {"Clear data"},
                          {"Advantage kept"},
                          {"Reading", Table::Align::left}},
              .rows = {},
              .note =
                  "Advantage kept: how much of the attacker's advantage over chance on clear data is left after "
                  "protection; 100 % means that the protection hides nothing, 0 % that it hides everything.",
              .csv_head = attack_head,
              .csv_rows = {}};
  for (const char* head : {"ceiling", "advantage_kept", "corrected", "best_of", "healthy"})
    table.csv_head.push_back(head);
  const AttributeAttack* worst = worst_attack(runs);
  for (const RunResults& run : runs) {
    for (const AttributeAttack& attack : run.attacks) {
      if (!attack.best) continue;
      const Judgement judged = judge(attack, ceiling_of(attack, runs));
      Table::Row row;
      row.marked = &attack == worst;
      row.cells = {series_cell(attack.series),
                   cell(attack.attribute),
                   cell(best_attack_name(attack) + (attack.unhealthy() ? " (unhealthy)" : ""), chosen_from(attack)),
                   rate_cell(attack.best->balanced, attack.best_ci),
                   cell(percent(attack.chance)),
                   cell(percent(judged.ceiling)),
                   cell(percent(judged.advantage_kept)),
                   cell((row.marked ? "worst case: " : "") + judged.reading)};
      table.rows.push_back(std::move(row));
      table.csv_rows.push_back(attack_csv(attack, *attack.best, attack.best_ci));
      table.csv_rows.back().push_back(exact(judged.ceiling));
      table.csv_rows.back().push_back(exact(judged.advantage_kept));
      table.csv_rows.back().push_back(exact(attack.corrected));
      table.csv_rows.back().push_back(exact(attack.best_of));
      table.csv_rows.back().push_back(health_word(attack.best->evidence.healthy));
    }
  }
  return table;
}

Table attack_table(const std::vector<RunResults>& runs) {
  Table table{.name = "attacks",
              .caption = "Every attack on an attribute that was tried, 95 % intervals in brackets",
              .columns = {{"Technique", Table::Align::left},
                          {"Attribute", Table::Align::left},
                          {"Rule or estimator", Table::Align::left},
                          {"n"},
                          {"Balanced"},
                          {"Plain accuracy"},
                          {"Per class", Table::Align::left}},
              .rows = {},
              .note = {},
              .csv_head = attack_head,
              .csv_rows = {}};
  bool shortened = false;
  for (const RunResults& run : runs) {
    for (const AttributeAttack& attack : run.attacks) {
      for (const AttackResult& result : attack.results) {
        const bool best = attack.best && result.rule == attack.best->rule && result.n == attack.best->n;
        const bool fewer = result.n && result.n_used && *result.n_used != *result.n;
        Table::Row row;
        row.marked = best;
        row.cells = {cell(attack.series.label),
                     cell(attack.attribute),
                     cell(result.rule + (best ? " (best)" : "") + (result.evidence.unhealthy() ? " (unhealthy)" : "")),
                     cell(result.n ? grouped(result.n) : "–", fewer ? "uses " + grouped(result.n_used) : ""),
                     rate_cell(result.balanced, result.ci),
                     cell(percent(result.success)),
                     cell(per_class_text(result))};
        row.cells[3].starred = fewer;
        shortened |= fewer;
        table.rows.push_back(std::move(row));
        table.csv_rows.push_back(attack_csv(attack, result, result.ci));
      }
    }
  }
  if (shortened) table.note = "† Fewer than n samples were there to choose from; the rule used as many as stated.";
  return table;
}

}  // namespace bauta::report
