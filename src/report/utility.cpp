// The chapter about utility: how well what anonymised records should still tell can be read from them.
#include <fmt/format.h>

#include "settings/settings.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

void add_attribute(Row& row, const Json& item) {
  const bool interest = text(item, "role") == "interest";
  row.text("Attribute", "attribute", text(item, "attribute"), interest ? "of interest" : "")
      .field("role", Json(text(item, "role")))
      .field("alpha", number(item, "alpha"))
      .field("classes", number(item, "classes"))
      .rate("Accuracy", "accuracy", measured(item, "accuracy"))
      .field("balanced", number(item, "balanced"))
      .rate("Learned anew", "retrained", measured(field(item, "retrained"), "accuracy"))
      .rate("On clear data", "clear", measured(field(item, "clear"), "accuracy"))
      .rate("Largest class", "chance", number(item, "chance"));
}

Table utility_table(const Settings& settings) {
  Table table{
      "utility", "What each setting is good for, 95 % intervals in brackets",
      "Accuracy: of an estimator that learned from clear data. Learned anew: of one that learned from protected "
      "data. Largest class: always naming it."};
  Names splits;
  for (const Setting& setting : settings) {
    for (const Cell* cell : setting.cells) {
      const Values& values = cell->values;
      const Number clear = number(values, "clear");
      if (const std::string split = text(values, "split"); !split.empty()) add_once(splits, split);
      for (const Json* item : objects(values, "attributes")) {
        Row row = setting_row(table, setting);
        add_attribute(row, *item);
        row.text("Read by", "estimator", text(values, "estimator"));
        row.decimal("U", "utility", number(values, "value"), 3)
            .detail(clear && !setting.series.unprotected ? "clear " + decimal(clear, 3) : "")
            .field("utility_clear", clear);
        for (const char* name : {"records", "train_records", "failures"}) row.field(name, number(values, name));
      }
    }
  }
  if (!splits.empty()) table.note += " Split: " + joined(splits, "; ") + ".";
  return table;
}

std::vector<Section> write(const Shared& shared) {
  Section out{"utility", "Utility", "What is it still good for?",
              "What the data is kept for should be read from it as well as from clear data."};
  out.definitions = {
      {"U", "Accuracy of the attribute of interest, and accuracies of additional ones weighted by alpha, summed."},
      {"Learned anew", "The estimator learns from protected records instead of clear ones."}};
  out.add_long(utility_table(settings_of(shared.runs, {"utility"})), "Utility in numbers", 12);
  return {out};
}

void tell(const RunResults& run, Card& card) {
  const Settings settings = settings_of(run, {"utility"});
  const Setting* setting = headline_setting(settings, card);
  if (!setting) return;
  Names out;
  for (const Cell* cell : setting->cells) {
    for (const Json* item : objects(cell->values, "attributes")) {
      const Number accuracy = number(*item, "accuracy");
      const Number clear = number(field(*item, "clear"), "accuracy");
      if (!accuracy) continue;
      out.push_back(fmt::format("{} {}", text(*item, "attribute"), percent(accuracy)));
      if (clear) out.back() += fmt::format(" instead of {} on clear data", percent(clear));
      if (setting->cells.size() > 1) out.back() += fmt::format(" ({})", text(cell->values, "estimator"));
    }
  }
  if (!out.empty()) card.facts.push_back({"What it is still good for", "Accuracy of " + joined(out, "; ")});
}

}  // namespace

Chapter utility_chapter() {
  return {.write = write, .tell = tell};
}

}  // namespace bauta::report
