// Privacy against recognition, and the folds that both were measured on.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "bauta/report/table.hpp"
#include "bauta/report/text.hpp"

namespace bauta::report {
namespace {

using Fields = std::vector<std::string>;

Table::Cell error_cell(Number after, Number before) {
  return cell(percent(after), before ? fmt::format("clear {}", percent(before)) : std::string());
}

std::string other_on_clear(const Tradeoff& item) {
  if (item.estimator_clear.empty() || item.estimator_clear == item.estimator) return {};
  return "on clear data " + item.estimator_clear;
}

Table::Cell pic_cell(const Tradeoff& item) {
  if (!item.pic) return cell("undefined", item.pic_undefined);
  Table::Cell out = decimal_cell(item.pic, item.pic_ci, 2);
  if (*item.pic > 0) out.text = "+" + out.text;
  return out;
}

Table::Cell pic_auc_cell(const std::optional<PicAuc>& pic) {
  if (!pic) return cell("–");
  Table::Cell out = cell(decimal(pic->pic, 3));
  if (pic->pic && *pic->pic > 0) out.text = "+" + out.text;
  out.detail = pic->form;
  if (pic->printed)
    out.detail += fmt::format("{}as printed {}", out.detail.empty() ? "" : "; ", decimal(pic->printed, 3));
  return out;
}

std::string measures_text(const std::vector<RunResults>& runs) {
  std::set<std::string> names;
  for (const RunResults& run : runs) {
    for (const Tradeoff& item : run.tradeoffs) {
      if (!item.recognition_measure.empty()) names.insert(item.recognition_measure);
    }
  }
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

/// Classes of all folds, in order of appearance.
Fields classes_of(const std::vector<RunResults>& runs) {
  Fields out;
  for (const RunResults& run : runs) {
    if (!run.protocol) continue;
    for (const Protocol::Fold& fold : run.protocol->balance) {
      for (const auto& [name, count] : fold.classes) {
        if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
      }
    }
  }
  return out;
}

}  // namespace

Table privacy_table(const std::vector<RunResults>& runs) {
  const std::string measures = measures_text(runs);
  Table table{.name = "privacy",
              .caption = "Privacy against recognition, 95 % intervals in brackets",
              .columns = {{"Technique", Table::Align::left},
                          {"Attribute", Table::Align::left},
                          {"Most successful estimator", Table::Align::left},
                          {"Attribute error"},
                          {"Recognition error"},
                          {"Suppression"},
                          {"PIC (errors)"},
                          {"PIC (AUC)"}},
              .rows = {},
              .note = fmt::format(
                  "Attribute error: one less the balanced accuracy. {}Suppression: share of the accuracy on clear data "
                  "that protection takes; behind \"of\" stands what chance would leave. PIC above 0: the attacker lost "
                  "more than recognition did, each relative to its error (or AUC) on clear data.",
                  measures.empty() ? "" : "Recognition error: " + measures + ". "),
              .csv_head = {"run",
                           "technique",
                           "variant",
                           "attribute",
                           "estimator",
                           "estimator_clear",
                           "attribute_error_clear",
                           "attribute_error",
                           "recognition_measure",
                           "recognition_error_clear",
                           "recognition_error",
                           "suppression",
                           "suppression_low",
                           "suppression_high",
                           "reachable",
                           "pic",
                           "pic_low",
                           "pic_high",
                           "pic_undefined",
                           "auc_suppression",
                           "auc_identity_loss",
                           "auc_pic",
                           "auc_pic_printed",
                           "auc_form"},
              .csv_rows = {}};
  for (const RunResults& run : runs) {
    for (const Tradeoff& item : run.tradeoffs) {
      const Suppression suppression = item.suppression.value_or(Suppression{});
      table.rows.push_back({{series_cell(item.series), cell(item.attribute),
                             cell(item.estimator.empty() ? "none is healthy" : item.estimator, other_on_clear(item)),
                             error_cell(item.attribute_error, item.attribute_error_clear),
                             error_cell(item.recognition_error, item.recognition_error_clear),
                             suppression_cell(item.suppression), pic_cell(item), pic_auc_cell(item.pic_auc)},
                            false});
      Fields csv = {item.series.run,
                    item.series.technique,
                    item.series.variant,
                    item.attribute,
                    item.estimator,
                    item.estimator_clear,
                    exact(item.attribute_error_clear),
                    exact(item.attribute_error),
                    item.recognition_measure,
                    exact(item.recognition_error_clear),
                    exact(item.recognition_error),
                    exact(suppression.value)};
      add_interval(csv, suppression.ci);
      csv.push_back(exact(suppression.reachable));
      csv.push_back(exact(item.pic));
      add_interval(csv, item.pic_ci);
      csv.push_back(item.pic_undefined);
      const PicAuc auc = item.pic_auc.value_or(PicAuc{});
      for (const Number value : {auc.suppression, auc.identity_loss, auc.pic, auc.printed}) csv.push_back(exact(value));
      csv.push_back(auc.form);
      table.csv_rows.push_back(std::move(csv));
    }
  }
  return table;
}

Table protocol_table(const std::vector<RunResults>& runs) {
  const Fields classes = classes_of(runs);
  std::string names;
  for (const RunResults& run : runs) {
    if (run.protocol && names.find(run.protocol->text) == std::string::npos) {
      names += (names.empty() ? "" : ", ") + run.protocol->text;
    }
  }
  Table table{.name = "protocol",
              .caption = "What is in the folds of " + names,
              .columns = {{"Fold", Table::Align::left}, {"Identities"}, {"Samples"}},
              .rows = {},
              .note = "Nobody stands in two folds. The more alike the folds, the less a result depends on the split.",
              .csv_head = {"run", "protocol", "fold", "identities", "samples"},
              .csv_rows = {}};
  for (const std::string& name : classes) {
    table.columns.push_back({name});
    table.csv_head.push_back(name);
  }
  for (const RunResults& run : runs) {
    if (!run.protocol) continue;
    for (const Protocol::Fold& fold : run.protocol->balance) {
      const std::string label = "Fold " + grouped(fold.fold);
      Table::Row row{{cell(runs.size() > 1 ? run.name + ": " + label : label), cell(grouped(fold.identities)),
                      cell(grouped(fold.samples))},
                     false};
      Fields csv = {run.name, run.protocol->text, exact(fold.fold), exact(fold.identities), exact(fold.samples)};
      for (const std::string& name : classes) {
        const auto found = std::find_if(fold.classes.begin(), fold.classes.end(),
                                        [&](const auto& entry) { return entry.first == name; });
        const Number count = found == fold.classes.end() ? Number() : Number(found->second);
        row.cells.push_back(cell(grouped(count)));
        csv.push_back(exact(count));
      }
      table.rows.push_back(std::move(row));
      table.csv_rows.push_back(std::move(csv));
    }
  }
  return table;
}

}  // namespace bauta::report
