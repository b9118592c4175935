// Anonymised settings in numbers.
#include <algorithm>

#include <fmt/format.h>

#include "bauta/report/table.hpp"
#include "bauta/report/text.hpp"

namespace bauta::report {
namespace {

using Fields = std::vector<std::string>;

void add_once(Fields& list, const std::string& item) {
  if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

Settings all_settings(const std::vector<RunResults>& runs) {
  Settings out;
  for (const RunResults& run : runs) {
    for (const Anonymised& setting : run.anonymised) out.push_back(&setting);
  }
  return out;
}

const AttributeUtility* attribute_of(const Anonymised& setting, const std::string& name, bool interest) {
  for (const AttributeUtility& item : setting.attributes) {
    if (item.attribute == name && item.interest == interest) return &item;
  }
  return nullptr;
}

Fields attributes_of(const Settings& settings, bool interest) {
  Fields out;
  for (const Anonymised* setting : settings) {
    for (const AttributeUtility& item : setting->attributes) {
      if (item.interest == interest) add_once(out, item.attribute);
    }
  }
  return out;
}

Table::Cell name_cell(const Anonymised& setting) {
  return cell(setting.name, setting.series.clear() ? "clear data" : "");
}

Table::Cell accuracy_cell(const AttributeUtility* item) {
  return item ? rate_cell(item->accuracy.value, item->accuracy.ci) : cell("–");
}

Table::Cell with_detail(Table::Cell out, const std::string& detail) {
  if (!detail.empty()) out.detail += (out.detail.empty() ? "" : " ") + detail;
  return out;
}

// The paper's attackers; the strongest informed one behind it.
Table::Cell kl_cell(const Anonymised& setting, const std::string& question) {
  const Reidentifier* claimed = strongest(setting, question, false);
  const Reidentifier* informed = strongest(setting, question, true);
  const auto digits = [](const Reidentifier* attacker) {
    return attacker && attacker->kl ? fmt::format("{:.3g}", *attacker->kl) : std::string();
  };
  const std::string known = digits(informed);
  return cell(digits(claimed).empty() ? "–" : digits(claimed), known.empty() ? known : "informed " + known);
}

Table::Cell worst_record_cell(const Anonymised& setting) {
  if (!setting.worst_posterior) return cell("–");
  std::string detail = setting.worst_attacker;
  if (setting.worst_rank) detail += fmt::format("{}rank {}", detail.empty() ? "" : ", ", grouped(setting.worst_rank));
  return cell(precise_percent(setting.worst_posterior), detail);
}

std::string reading_of(const Reidentifier& attacker, bool clear) {
  if (!attacker.works) return "clear data was not tried";
  if (attacker.broken()) return "shows nothing: fails on clear data";
  if (clear) return "the ceiling";
  if (!attacker.mixture.value || !attacker.chance) return "–";
  const double high = attacker.mixture.ci ? attacker.mixture.ci->high : *attacker.mixture.value;
  if (high < *attacker.chance) return "finds more than guessing";
  const double low = attacker.mixture.ci ? attacker.mixture.ci->low : *attacker.mixture.value;
  return low > *attacker.chance ? "finds less than guessing" : "not distinguishable from guessing";
}

Fields parameter_names(const Settings& settings) {
  Fields out;
  for (const Anonymised* setting : settings) {
    for (const auto& [name, value] : setting->parameters) add_once(out, name);
  }
  return out;
}

std::string question_word(const std::string& question) {
  return question == "identity" ? "person" : question;
}

}  // namespace

Table anonymity_table(const std::vector<RunResults>& runs) {
  const Settings settings = all_settings(runs);
  const Fields interests = attributes_of(settings, true);
  const Fields additional = attributes_of(settings, false);
  const std::vector<std::string> questions = questions_of(settings);
  const bool retrained = std::any_of(settings.begin(), settings.end(), [](const Anonymised* setting) {
    return setting->interest() && setting->interest()->retrained;
  });
  Table table{
      .name = "anonymity",
      .caption = "Anonymised settings: what they are good for, and who is found again; 95 % intervals in brackets",
      .columns = {{"Setting", Table::Align::left}},
      .rows = {},
      .note =
          "Accuracy: of estimators that learned from clear data. U: accuracy of interest and weighted accuracies "
          "of additional attributes, summed. Mixture: share of records that the strongest attacker does not "
          "find; claimed against attackers who do not know the method, left by attackers who do. KL: of the "
          "attacker's beliefs from guessing, in nats. Worst record: the surest that an attacker is of any "
          "original. Exact copies: anonymised records that are an original.",
      .csv_head = {"run", "technique", "variant", "representation", "records", "interest", "accuracy", "accuracy_low",
                   "accuracy_high", "accuracy_clear", "retrained", "utility", "utility_clear"},
      .csv_rows = {}};
  for (const std::string& name : interests) table.columns.push_back({"Accuracy of " + name});
  if (retrained) table.columns.push_back({"Learned anew"});
  for (const std::string& name : additional) {
    table.columns.push_back({"Accuracy of " + name});
    for (const char* part : {"", "_low", "_high", "_clear"}) table.csv_head.push_back("accuracy_" + name + part);
  }
  table.columns.push_back({"U"});
  for (const std::string& question : questions) {
    const std::string kind = question_word(question);
    table.columns.push_back({fmt::format("Mixture claimed, {}", kind)});
    table.columns.push_back({fmt::format("Mixture left, {}", kind)});
    table.columns.push_back({fmt::format("KL, {}", kind)});
    for (const char* part :
         {"claimed", "attacker_claimed", "informed", "informed_low", "informed_high", "attacker", "chance"}) {
      table.csv_head.push_back(question + "_" + part);
    }
  }
  table.columns.push_back({"Worst record"});
  table.columns.push_back({"Exact copies"});
  for (const char* name : {"worst_posterior", "worst_rank", "worst_attacker", "found_first", "exact_copies"}) {
    table.csv_head.emplace_back(name);
  }
  for (const Anonymised* setting : settings) {
    std::vector<Table::Cell> row = {name_cell(*setting)};
    const AttributeUtility* interest = setting->interest();
    for (const std::string& name : interests) row.push_back(accuracy_cell(attribute_of(*setting, name, true)));
    if (retrained) {
      const Measured anew = interest && interest->retrained ? *interest->retrained : Measured{};
      row.push_back(rate_cell(anew.value, anew.ci));
    }
    const Measured accuracy = interest ? interest->accuracy : Measured{};
    Fields csv = {setting->series.run,     setting->series.technique, setting->series.variant,
                  setting->representation, exact(setting->records),   interest ? interest->attribute : std::string(),
                  exact(accuracy.value)};
    add_interval(csv, accuracy.ci);
    csv.push_back(interest && interest->clear ? exact(interest->clear->value) : std::string());
    csv.push_back(interest && interest->retrained ? exact(interest->retrained->value) : std::string());
    csv.push_back(exact(setting->utility));
    csv.push_back(exact(setting->utility_clear));
    for (const std::string& name : additional) {
      const AttributeUtility* item = attribute_of(*setting, name, false);
      row.push_back(accuracy_cell(item));
      csv.push_back(item ? exact(item->accuracy.value) : std::string());
      add_interval(csv, item ? item->accuracy.ci : std::nullopt);
      csv.push_back(item && item->clear ? exact(item->clear->value) : std::string());
    }
    row.push_back(with_detail(cell(decimal(setting->utility, 3)), setting->utility_clear && !setting->series.clear()
                                                                      ? "clear " + decimal(setting->utility_clear, 3)
                                                                      : std::string()));
    for (const std::string& question : questions) {
      const Survival survival = survival_of(*setting, question);
      row.push_back(mixture_cell(survival.claimed));
      row.push_back(with_detail(mixture_cell(survival.informed, survival.ci), survival.attacker));
      row.push_back(kl_cell(*setting, question));
      csv.insert(csv.end(), {exact(survival.claimed), survival.attacker_claimed, exact(survival.informed)});
      add_interval(csv, survival.ci);
      csv.insert(csv.end(), {survival.attacker, exact(survival.chance)});
    }
    row.push_back(worst_record_cell(*setting));
    row.push_back(cell(grouped(setting->exact_copies)));
    csv.insert(csv.end(), {exact(setting->worst_posterior), exact(setting->worst_rank), setting->worst_attacker,
                           exact(setting->found_first), exact(setting->exact_copies)});
    table.rows.push_back({std::move(row), false});
    table.csv_rows.push_back(std::move(csv));
  }
  return table;
}

Table reidentifier_table(const std::vector<RunResults>& runs) {
  Table table{
      .name = "anonymity-attackers",
      .caption = "Attackers in detail, 95 % intervals in brackets",
      .columns = {{"Setting", Table::Align::left},
                  {"Attacker", Table::Align::left},
                  {"Looks for", Table::Align::left},
                  {"Candidates"},
                  {"Mixture"},
                  {"Guessing"},
                  {"On clear data"},
                  {"KL (nats)"},
                  {"Reading", Table::Align::left}},
      .rows = {},
      .note =
          "Mixture: share of records that the attacker does not find. On clear data: the same attacker on records "
          "that were not anonymised; who finds nobody there proves nothing by finding nobody elsewhere.",
      .csv_head = {"run", "technique", "variant", "representation", "attacker", "question", "informed", "candidates",
                   "mixture", "mixture_low", "mixture_high", "chance", "clear_mixture", "works", "kl", "temperature",
                   "top"},
      .csv_rows = {}};
  for (const Anonymised* setting : all_settings(runs)) {
    for (const Reidentifier& attacker : setting->attackers) {
      const std::string kl = attacker.kl ? fmt::format("{:.3g}", *attacker.kl) : "–";
      table.rows.push_back(
          {{name_cell(*setting), cell(attacker.attacker, attacker.informed ? "informed" : "uninformed"),
            cell(question_word(attacker.question)), cell(grouped(attacker.candidates)),
            mixture_cell(attacker.mixture.value, attacker.mixture.ci), mixture_cell(attacker.chance),
            mixture_cell(attacker.clear_mixture), cell(kl), cell(reading_of(attacker, setting->series.clear()))},
           attacker.broken()});
      std::string top;
      for (const TopMixture& item : attacker.top) {
        top += fmt::format("{}{}:{}", top.empty() ? "" : " ", exact(item.k), exact(item.mixture.value));
      }
      Fields csv = {setting->series.run,
                    setting->series.technique,
                    setting->series.variant,
                    setting->representation,
                    attacker.attacker,
                    attacker.question,
                    attacker.informed ? "true" : "false",
                    exact(attacker.candidates),
                    exact(attacker.mixture.value)};
      add_interval(csv, attacker.mixture.ci);
      csv.insert(csv.end(), {exact(attacker.chance), exact(attacker.clear_mixture), health_word(attacker.works),
                             exact(attacker.kl), exact(attacker.temperature), top});
      table.csv_rows.push_back(std::move(csv));
    }
  }
  return table;
}

Table clear_level_table(const std::vector<RunResults>& runs) {
  Table table{
      .name = "anonymity-clear",
      .caption = "Levels on clear data: nothing anonymised can be expected to do better",
      .columns = {{"Read or found", Table::Align::left},
                  {"By", Table::Align::left},
                  {"Classes or candidates"},
                  {"Right"},
                  {"Guessing"}},
      .rows = {},
      .note = {},
      .csv_head = {"run", "representation", "what", "by", "classes", "right", "right_low", "right_high", "chance"},
      .csv_rows = {}};
  Fields done;
  const auto add = [&](const Anonymised& setting, const std::string& what, const std::string& by, Number classes,
                       const Measured& right, Number chance) {
    const std::string key = setting.series.run + "\n" + setting.representation + "\n" + what + "\n" + by;
    if (!right.value || std::find(done.begin(), done.end(), key) != done.end()) return;
    done.push_back(key);
    std::string where = setting.representation;
    if (runs.size() > 1) where = setting.series.run + (where.empty() ? "" : ", " + where);
    table.rows.push_back({{cell(what, where), cell(by.empty() ? "–" : by), cell(grouped(classes)),
                           mixture_cell(right.value, right.ci), mixture_cell(chance)},
                          false});
    Fields csv = {setting.series.run, setting.representation, what, by, exact(classes), exact(right.value)};
    add_interval(csv, right.ci);
    csv.push_back(exact(chance));
    table.csv_rows.push_back(std::move(csv));
  };
  // Cells of clear data have intervals; what stands beside the settings fills the gaps.
  Settings ordered;
  for (const bool clear : {true, false}) {
    for (const Anonymised* setting : all_settings(runs)) {
      if (setting->series.clear() == clear) ordered.push_back(setting);
    }
  }
  for (const Anonymised* setting : ordered) {
    const bool clear = setting->series.clear();
    for (const AttributeUtility& item : setting->attributes) {
      add(*setting, item.attribute, setting->estimator, item.classes,
          clear ? item.accuracy : item.clear.value_or(Measured{}), item.chance);
    }
    for (const Reidentifier& attacker : setting->attackers) {
      const Measured found = complement(clear ? attacker.mixture : Measured{attacker.clear_mixture, std::nullopt});
      add(*setting, question_word(attacker.question), attacker.attacker, attacker.candidates, found,
          attacker.chance ? Number(1 - *attacker.chance) : std::nullopt);
    }
  }
  return table;
}

Table setting_table(const std::vector<RunResults>& runs) {
  const Settings settings = all_settings(runs);
  const Fields names = parameter_names(settings);
  Table table{.name = "anonymity-settings",
              .caption = "Parameters, and what was measured on",
              .columns = {{"Setting", Table::Align::left}},
              .rows = {},
              .note = {},
              .csv_head = {"run", "technique", "variant", "representation"},
              .csv_rows = {}};
  for (const std::string& name : names) {
    table.columns.push_back({name});
    table.csv_head.push_back(name);
  }
  for (const char* name : {"Records", "Learned from", "Identities", "Failures"}) table.columns.push_back({name});
  for (const char* name : {"records", "train_records", "identities", "failures", "split"}) {
    table.csv_head.emplace_back(name);
  }
  for (const Anonymised* setting : settings) {
    std::vector<Table::Cell> row = {name_cell(*setting)};
    Fields csv = {setting->series.run, setting->series.technique, setting->series.variant, setting->representation};
    for (const std::string& name : names) {
      const std::string value = setting->parameter(name);
      row.push_back(cell(value.empty() ? "–" : value));
      csv.push_back(value);
    }
    for (const Number count : {setting->records, setting->train_records, setting->identities, setting->failures}) {
      row.push_back(cell(grouped(count)));
      csv.push_back(exact(count));
    }
    csv.push_back(setting->split);
    table.rows.push_back({std::move(row), false});
    table.csv_rows.push_back(std::move(csv));
  }
  return table;
}

}  // namespace bauta::report
