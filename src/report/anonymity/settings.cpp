// Reading of anonymised settings, and who of their attackers counts.
#include "settings.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "text.hpp"

namespace bauta::report {
namespace {

AttributeUtility read_attribute(const Json& values) {
  AttributeUtility out;
  out.attribute = text(values, "attribute");
  if (out.attribute.empty()) out.attribute = "unnamed attribute";
  out.interest = text(values, "role") == "interest";
  out.alpha = number(values, "alpha");
  out.classes = number(values, "classes");
  out.chance = number(values, "chance");
  out.balanced = number(values, "balanced");
  out.accuracy = {number(values, "accuracy"), interval(values)};
  out.clear = measured(field(values, "clear"), "accuracy");
  out.retrained = measured(field(values, "retrained"), "accuracy");
  return out;
}

// Two standard errors of a guesser: who stays within them on clear data has not shown that they can find anybody.
std::optional<bool> works_on_clear(Number clear_mixture, Number chance, Number records) {
  if (!clear_mixture || !chance) return std::nullopt;
  const double trials = std::max(1.0, records.value_or(1));
  const double spread = std::max(0.0, *chance * (1 - *chance));
  return *clear_mixture < *chance - 2 * std::sqrt(spread / trials);
}

Reidentifier read_attacker(const Json& values, Number records, bool clear_data) {
  Reidentifier out;
  out.attacker = text(values, "attacker");
  if (out.attacker.empty()) out.attacker = "unnamed attacker";
  out.question = text(values, "question");
  if (out.question.empty()) out.question = "record";
  out.text = text(values, "text");
  out.informed = is_true(values, "informed");
  out.candidates = number(values, "candidates");
  out.chance = number(values, "chance");
  out.kl = number(values, "kl");
  out.temperature = number(values, "temperature");
  out.mixture = {number(values, "mixture"), interval(values)};
  out.clear_mixture = number(field(values, "clear"), "mixture");
  if (!out.clear_mixture && clear_data) out.clear_mixture = out.mixture.value;
  out.works = works_on_clear(out.clear_mixture, out.chance, records);
  for (const Json& item : field(values, "top")) {
    const Number k = number(item, "k");
    const std::optional<Measured> mixture = measured(item, "mixture");
    if (k && *k > 0 && mixture) out.top.push_back({*k, *mixture, number(item, "chance")});
  }
  std::sort(out.top.begin(), out.top.end(), [](const TopMixture& a, const TopMixture& b) { return a.k < b.k; });
  return out;
}

std::string parameter_text(const Json& value) {
  if (!value.is_object()) return text_of(value);
  std::string out;
  for (const auto& [name, share] : value.items()) out += (out.empty() ? "" : ", ") + name + " " + text_of(share);
  return out;
}

Anonymised read_setting(const Cell& cell, const RunResults& run) {
  const Values& values = cell.values;
  Anonymised out;
  // The representation has a place of its own; it is empty where templates were given.
  out.series = series_without(cell, run, {"representation"});
  out.representation = text(cell.key, "representation");
  if (!out.representation.empty()) out.series.label += " (" + out.representation + ")";
  out.split = text(values, "split");
  out.records = number(values, "records");
  out.train_records = number(values, "train_records");
  out.identities = number(values, "identities");
  out.failures = number(values, "failures");
  out.exact_copies = number(values, "exact_copies");
  out.one_record_per_identity = is_true(values, "one_record_per_identity");
  const Json& parameters = field(values, "parameters");
  if (parameters.is_object()) {
    for (const auto& [name, value] : parameters.items()) out.parameters.emplace_back(name, parameter_text(value));
  }
  const Json& utility = field(values, "utility");
  out.estimator = text(utility, "estimator");
  out.utility = number(utility, "value");
  out.utility_clear = number(utility, "clear");
  for (const Json& item : field(utility, "attributes")) {
    if (item.is_object()) out.attributes.push_back(read_attribute(item));
  }
  for (const Json& item : field(values, "attackers")) {
    if (item.is_object()) out.attackers.push_back(read_attacker(item, out.records, out.series.unprotected));
  }
  for (const Json& item : field(values, "survives")) {
    if (!item.is_object()) continue;
    out.survives.push_back({.question = text(item, "question"),
                            .attacker_claimed = text(item, "attacker_claimed"),
                            .attacker = text(item, "attacker"),
                            .claimed = number(item, "claimed"),
                            .informed = number(item, "informed"),
                            .chance = number(item, "chance"),
                            .ci = interval(item)});
  }
  const Json& worst = field(values, "worst_record");
  out.worst_attacker = text(worst, "attacker");
  out.worst_posterior = number(worst, "posterior");
  out.worst_rank = number(worst, "rank");
  out.found_first = number(worst, "found_first");
  return out;
}

// Short: what tells a setting from the run's others.
void name_settings(AnonymisedRun& run) {
  std::set<std::string> techniques, representations;
  for (const Anonymised& setting : run.all) {
    const std::string& technique = setting.series.technique;
    if (!setting.series.unprotected) techniques.insert(technique.substr(0, technique.find(':')));
    representations.insert(setting.representation);
  }
  for (Anonymised& setting : run.all) {
    const std::string& technique = setting.series.technique;
    const std::size_t colon = technique.find(':');
    const bool shared = techniques.size() == 1 && !setting.series.unprotected && colon != std::string::npos;
    setting.name = shared ? technique.substr(colon + 1) : technique;
    if (!setting.series.variant.empty()) setting.name += " (" + setting.series.variant + ")";
    if (representations.size() > 1 && !setting.representation.empty()) {
      setting.name += " (" + setting.representation + ")";
    }
    setting.name = run.run->prefixed(setting.name);
  }
}

}  // namespace

const AttributeUtility* Anonymised::interest() const {
  const auto found =
      std::find_if(attributes.begin(), attributes.end(), [](const AttributeUtility& item) { return item.interest; });
  return found == attributes.end() ? nullptr : &*found;
}

std::string Anonymised::parameter(const std::string& wanted) const {
  const auto found =
      std::find_if(parameters.begin(), parameters.end(), [&](const auto& entry) { return entry.first == wanted; });
  return found == parameters.end() ? std::string() : found->second;
}

Names AnonymisedRun::representations() const {
  Names out;
  for (const Anonymised& setting : all) add_once(out, setting.representation);
  return out;
}

const Anonymised* AnonymisedRun::setting(const std::string& technique, const std::string& representation) const {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Anonymised& setting) {
    return setting.series.technique == technique && setting.representation == representation;
  });
  return found == all.end() ? nullptr : &*found;
}

std::string AnonymisedRun::interest() const {
  for (const Anonymised& setting : all) {
    if (const AttributeUtility* item = setting.interest()) return item->attribute;
  }
  return "the attribute of interest";
}

void add_setting(const Cell& cell, const RunResults& run, std::vector<AnonymisedRun>& runs) {
  if (runs.empty() || runs.back().run != &run) runs.push_back({&run, {}});
  runs.back().all.push_back(read_setting(cell, run));
  name_settings(runs.back());
}

Settings protected_settings(const AnonymisedRun& run) {
  Settings out;
  for (const Anonymised& setting : run.all) {
    if (!setting.series.unprotected) out.push_back(&setting);
  }
  return out;
}

Settings headline_settings(const AnonymisedRun& run) {
  Settings out;
  for (const Anonymised* setting : protected_settings(run)) {
    if (run.run->headline && setting->series.technique == run.run->headline->technique) out.push_back(setting);
  }
  return out;
}

Names questions_of(const Settings& settings) {
  Names out;
  for (const Anonymised* setting : settings) {
    for (const Reidentifier& attacker : setting->attackers) add_once(out, attacker.question);
  }
  std::sort(out.begin(), out.end());
  return out;
}

const Reidentifier* strongest(const Anonymised& setting, const std::string& question, bool informed) {
  const Reidentifier* out = nullptr;
  for (const Reidentifier& attacker : setting.attackers) {
    if (attacker.question != question || attacker.informed != informed || !attacker.mixture.value) continue;
    const bool better = !out || (out->broken() && !attacker.broken()) ||
                        (out->broken() == attacker.broken() && *attacker.mixture.value < *out->mixture.value);
    if (better) out = &attacker;
  }
  return out;
}

Survival survival_of(const Anonymised& setting, const std::string& question) {
  for (const Survival& survival : setting.survives) {
    if (survival.question == question) return survival;
  }
  return {};
}

std::string survival_sentence(const Survival& survival) {
  if (!survival.informed) return {};
  const std::string chance =
      survival.chance ? fmt::format(" Guessing leaves {}.", precise_percent(survival.chance)) : "";
  if (!survival.claimed) {
    return fmt::format("The strongest attacker ({}) leaves a mixture of {}.{}", survival.attacker,
                       precise_percent(survival.informed), chance);
  }
  return fmt::format("A mixture of {} is claimed ({}); the strongest attacker ({}) leaves {} of it.{}",
                     precise_percent(survival.claimed), survival.attacker_claimed, survival.attacker,
                     precise_percent(survival.informed), chance);
}

std::string broken_attackers(const Settings& settings) {
  Names names;
  for (const Anonymised* setting : settings) {
    for (const Reidentifier& attacker : setting->attackers) {
      if (attacker.broken()) add_once(names, attacker_name(attacker));
    }
  }
  return joined(names);
}

std::string question_title(const std::string& question) {
  if (question == "record") return "Which record?";
  if (question == "identity") return "Which person?";
  return question;
}

std::string attacker_name(const Reidentifier& attacker) {
  return attacker.attacker + (attacker.informed ? " (informed)" : " (uninformed)");
}

std::string name_within_run(const Anonymised& setting) {
  const std::string prefix = setting.series.run + ": ";
  return setting.name.starts_with(prefix) ? setting.name.substr(prefix.size()) : setting.name;
}

Measured complement(const Measured& measured) {
  Measured out;
  if (measured.value) out.value = 1 - *measured.value;
  if (measured.ci) out.ci = Interval{1 - measured.ci->high, 1 - measured.ci->low};
  return out;
}

}  // namespace bauta::report
