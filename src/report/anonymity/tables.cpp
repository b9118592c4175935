// Anonymised settings in numbers.
#include <algorithm>

#include <fmt/format.h>

#include "style.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

const AttributeUtility* attribute_of(const Anonymised& setting, const std::string& name, bool interest) {
  for (const AttributeUtility& item : setting.attributes) {
    if (item.attribute == name && item.interest == interest) return &item;
  }
  return nullptr;
}

Names attributes_of(const Settings& settings, bool interest) {
  Names out;
  for (const Anonymised* setting : settings) {
    for (const AttributeUtility& item : setting->attributes) {
      if (item.interest == interest) add_once(out, item.attribute);
    }
  }
  return out;
}

std::string question_word(const std::string& question) {
  return question == "identity" ? "person" : question;
}

// Run, technique, variant and representation under the setting's short name.
Row setting_row(Table& table, const Anonymised& setting) {
  Row row(table);
  row.field("run", Json(setting.series.run))
      .show("Setting", {setting.name, setting.series.unprotected ? "clear data" : ""}, Table::Align::left)
      .field("technique", Json(setting.series.technique))
      .field("variant", Json(setting.series.variant))
      .field("representation", Json(setting.representation));
  return row;
}

void add_utility(Row& row, const Anonymised& setting, const Settings& settings) {
  const AttributeUtility* interest = setting.interest();
  const AttributeUtility none;
  row.field("records", setting.records).field("interest", Json(interest ? interest->attribute : ""));
  for (const std::string& name : attributes_of(settings, true)) {
    const AttributeUtility* item = attribute_of(setting, name, true);
    row.show("Accuracy of " + name, rate_cell(item ? item->accuracy : Measured{}));
  }
  const AttributeUtility& main = interest ? *interest : none;
  row.field("accuracy", main.accuracy).field("accuracy_clear", main.clear.value_or(Measured{}).value);
  const bool any = std::any_of(settings.begin(), settings.end(), [](const Anonymised* other) {
    return other->interest() && other->interest()->retrained;
  });
  const Measured anew = main.retrained.value_or(Measured{});
  if (any) row.show("Learned anew", rate_cell(anew));
  row.field("retrained", anew.value);
  for (const std::string& name : attributes_of(settings, false)) {
    const AttributeUtility* item = attribute_of(setting, name, false);
    row.rate("Accuracy of " + name, "accuracy_" + name, item ? item->accuracy : Measured{})
        .field("accuracy_" + name + "_clear", item ? item->clear.value_or(Measured{}).value : Number());
  }
  row.decimal("U", "utility", setting.utility, 3)
      .detail(setting.utility_clear && !setting.series.unprotected ? "clear " + decimal(setting.utility_clear, 3) : "")
      .field("utility_clear", setting.utility_clear);
}

// The paper's attackers; the strongest informed one behind it.
Table::Cell kl_cell(const Anonymised& setting, const std::string& question) {
  const auto digits = [&](bool informed) {
    const Reidentifier* attacker = strongest(setting, question, informed);
    return attacker && attacker->kl ? fmt::format("{:.3g}", *attacker->kl) : std::string();
  };
  return {digits(false).empty() ? "–" : digits(false), digits(true).empty() ? "" : "informed " + digits(true)};
}

void add_survival(Row& row, const Anonymised& setting, const std::string& question) {
  const Survival survival = survival_of(setting, question);
  const std::string kind = question_word(question);
  row.precise("Mixture claimed, " + kind, question + "_claimed", survival.claimed)
      .field(question + "_attacker_claimed", Json(survival.attacker_claimed))
      .precise("Mixture left, " + kind, question + "_informed", Measured{survival.informed, survival.ci})
      .detail(survival.attacker)
      .field(question + "_attacker", Json(survival.attacker))
      .field(question + "_chance", survival.chance)
      .show("KL, " + kind, kl_cell(setting, question));
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

}  // namespace

Table anonymity_table(const Settings& settings) {
  Table table{"anonymity",
              "Anonymised settings: what they are good for, and who is found again; 95 % intervals in brackets",
              "Accuracy: of estimators that learned from clear data. U: accuracy of interest and weighted accuracies "
              "of additional attributes, summed. Mixture: share of records that the strongest attacker does not "
              "find; claimed against attackers who do not know the method, left by the strongest of all. KL: of the "
              "attacker's beliefs from guessing, in nats. Worst record: the surest that an attacker is of any "
              "original. Exact copies: anonymised records that are an original."};
  const Names questions = questions_of(settings);
  for (const Anonymised* setting : settings) {
    Row row = setting_row(table, *setting);
    add_utility(row, *setting, settings);
    for (const std::string& question : questions) add_survival(row, *setting, question);
    Names surest = {setting->worst_attacker};
    if (setting->worst_rank) surest.push_back("rank " + grouped(setting->worst_rank));
    std::erase(surest, "");
    row.precise("Worst record", "worst_posterior", setting->worst_posterior)
        .detail(setting->worst_posterior ? joined(surest) : "")
        .field("worst_rank", setting->worst_rank)
        .field("worst_attacker", Json(setting->worst_attacker))
        .field("found_first", setting->found_first)
        .count("Exact copies", "exact_copies", setting->exact_copies);
  }
  return table;
}

Table reidentifier_table(const Settings& settings) {
  Table table{"anonymity-attackers", "Attackers in detail, 95 % intervals in brackets",
              "Mixture: share of records that the attacker does not find. On clear data: the same attacker on records "
              "that were not anonymised; who finds nobody there proves nothing by finding nobody elsewhere."};
  for (const Anonymised* setting : settings) {
    for (const Reidentifier& attacker : setting->attackers) {
      Names top;
      for (const TopMixture& item : attacker.top) top.push_back(exact(item.k) + ":" + exact(item.mixture.value));
      setting_row(table, *setting)
          .mark(attacker.broken())
          .text("Attacker", "attacker", attacker.attacker, attacker.informed ? "informed" : "uninformed")
          .show("Looks for", {question_word(attacker.question)}, Table::Align::left)
          .field("question", Json(attacker.question))
          .field("informed", Json(attacker.informed))
          .count("Candidates", "candidates", attacker.candidates)
          .precise("Mixture", "mixture", attacker.mixture)
          .precise("Guessing", "chance", attacker.chance)
          .precise("On clear data", "clear_mixture", attacker.clear_mixture)
          .field("works", attacker.works ? Json(*attacker.works) : Json())
          .show("KL (nats)", {attacker.kl ? fmt::format("{:.3g}", *attacker.kl) : "–"})
          .field("kl", attacker.kl)
          .field("temperature", attacker.temperature)
          .field("top", Json(joined(top, " ")))
          .show("Reading", {reading_of(attacker, setting->series.unprotected)}, Table::Align::left);
    }
  }
  return table;
}

Table clear_level_table(const Settings& settings) {
  Table table{"anonymity-clear", "Levels on clear data: nothing anonymised can be expected to do better"};
  Names done;
  const auto add = [&](const Anonymised& setting, const std::string& what, const std::string& by, Number classes,
                       const Measured& right, Number chance) {
    const std::string key = joined({setting.series.run, setting.representation, what, by}, "\n");
    if (!right.value || std::find(done.begin(), done.end(), key) != done.end()) return;
    done.push_back(key);
    const bool several = setting.name != name_within_run(setting);
    Names where = {several ? setting.series.run : "", setting.representation};
    std::erase(where, "");
    Row(table)
        .field("run", Json(setting.series.run))
        .field("representation", Json(setting.representation))
        .text("Read or found", "what", what, joined(where))
        .text("By", "by", by)
        .count("Classes or candidates", "classes", classes)
        .precise("Right", "right", right)
        .precise("Guessing", "chance", chance);
  };
  // Cells of clear data have intervals; what stands beside the settings fills the gaps.
  Settings ordered = settings;
  std::stable_partition(ordered.begin(), ordered.end(),
                        [](const Anonymised* setting) { return setting->series.unprotected; });
  for (const Anonymised* setting : ordered) {
    const bool clear = setting->series.unprotected;
    for (const AttributeUtility& item : setting->attributes) {
      add(*setting, item.attribute, setting->estimator, item.classes,
          clear ? item.accuracy : item.clear.value_or(Measured{}), item.chance);
    }
    for (const Reidentifier& attacker : setting->attackers) {
      const Measured found = complement(clear ? attacker.mixture : Measured{attacker.clear_mixture});
      add(*setting, question_word(attacker.question), attacker.attacker, attacker.candidates, found,
          complement({attacker.chance}).value);
    }
  }
  return table;
}

Table setting_table(const Settings& settings) {
  Table table{"anonymity-settings", "Parameters, and what was measured on"};
  Names names, splits;
  for (const Anonymised* setting : settings) {
    for (const auto& [name, value] : setting->parameters) add_once(names, name);
    if (!setting->split.empty()) add_once(splits, setting->split);
  }
  if (!splits.empty()) table.note = "Split: " + joined(splits, "; ") + ".";
  for (const Anonymised* setting : settings) {
    Row row = setting_row(table, *setting);
    for (const std::string& name : names) {
      const std::string value = setting->parameter(name);
      row.show(name, {value.empty() ? "–" : value}).field(name, Json(value));
    }
    row.count("Records", "records", setting->records)
        .count("Learned from", "train_records", setting->train_records)
        .count("Identities", "identities", setting->identities)
        .count("Failures", "failures", setting->failures)
        .field("split", Json(setting->split));
  }
  return table;
}

}  // namespace bauta::report
