// Reading of anonymised settings, and who of their attackers counts.
#include "bauta/report/anonymity.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "bauta/report/text.hpp"

namespace bauta::report {
namespace {

std::optional<Measured> measured(const Json& values, const char* name) {
  const Number value = number(values, name);
  if (!value) return std::nullopt;
  return Measured{value, interval(values, "ci")};
}

AttributeUtility read_attribute(const Json& values) {
  AttributeUtility out;
  out.attribute = text(values, "attribute");
  if (out.attribute.empty()) out.attribute = "unnamed attribute";
  out.interest = text(values, "role") == "interest";
  out.alpha = number(values, "alpha");
  out.classes = number(values, "classes");
  out.chance = number(values, "chance");
  out.balanced = number(values, "balanced");
  out.accuracy = {number(values, "accuracy"), interval(values, "ci")};
  out.clear = measured(field(values, "clear"), "accuracy");
  out.retrained = measured(field(values, "retrained"), "accuracy");
  return out;
}

// Two standard errors of a guesser: who stays within them on clear data has not shown that he can find anybody.
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
  out.mixture = {number(values, "mixture"), interval(values, "ci")};
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
  if (!value.is_object()) return plain_text(value);
  std::string out;
  for (const auto& [name, share] : value.items()) out += (out.empty() ? "" : ", ") + name + " " + plain_text(share);
  return out;
}

std::string sentence_of(const Survival& survival) {
  if (!survival.informed) return {};
  const std::string chance =
      survival.chance ? fmt::format(" Guessing leaves {}.", precise_percent(survival.chance)) : "";
  if (!survival.claimed) {
    return fmt::format("An informed attacker ({}) leaves a mixture of {}.{}", survival.attacker,
                       precise_percent(survival.informed), chance);
  }
  return fmt::format("A mixture of {} is claimed ({}); an informed attacker ({}) leaves {} of it.{}",
                     precise_percent(survival.claimed), survival.attacker_claimed, survival.attacker,
                     precise_percent(survival.informed), chance);
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

std::vector<std::size_t> Sweep::place(std::size_t technique) const {
  std::vector<std::size_t> out(axes.size());
  for (std::size_t i = axes.size(); i-- > 0;) {
    out[i] = technique % axes[i].values.size();
    technique /= axes[i].values.size();
  }
  return out;
}

Anonymised read_anonymised(Series series, const std::string& representation, const Json& key, const Json& values,
                           Json& rest) {
  Anonymised out;
  out.series = std::move(series);
  out.representation = representation;
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
    if (item.is_object()) out.attackers.push_back(read_attacker(item, out.records, out.series.clear()));
  }
  for (const Json& item : field(values, "survives")) {
    if (!item.is_object()) continue;
    Survival survival{.question = text(item, "question"),
                      .attacker_claimed = text(item, "attacker_claimed"),
                      .attacker = text(item, "attacker"),
                      .sentence = text(item, "sentence"),
                      .claimed = number(item, "claimed"),
                      .informed = number(item, "informed"),
                      .chance = number(item, "chance"),
                      .ci = interval(item, "ci")};
    if (survival.sentence.empty()) survival.sentence = sentence_of(survival);
    out.survives.push_back(std::move(survival));
  }
  const Json& worst = field(values, "worst_record");
  out.worst_attacker = text(worst, "attacker");
  out.worst_posterior = number(worst, "posterior");
  out.worst_rank = number(worst, "rank");
  out.found_first = number(worst, "found_first");
  out.remarks = texts(values, "remarks");
  keep_unknown(values,
               {"records", "train_records", "identities", "failures", "one_record_per_identity", "split", "parameters",
                "utility", "attackers", "survives", "worst_record", "exact_copies", "remarks"},
               key, rest);
  return out;
}

std::optional<Sweep> read_sweep(const Json& values) {
  Sweep out;
  std::size_t settings = 1;
  for (const Json& item : field(values, "axes")) {
    Sweep::Axis axis{text(item, "name"), texts(item, "values")};
    if (axis.name.empty() || axis.values.empty()) return std::nullopt;
    settings *= axis.values.size();
    out.axes.push_back(std::move(axis));
  }
  out.techniques = texts(values, "techniques");
  if (out.axes.empty() || out.techniques.size() != settings) return std::nullopt;
  return out;
}

Settings protected_settings(const std::vector<Anonymised>& all) {
  Settings out;
  for (const Anonymised& setting : all) {
    if (!setting.series.clear()) out.push_back(&setting);
  }
  return out;
}

void name_settings(std::vector<Anonymised>& all, const std::string& run) {
  std::set<std::string> techniques, representations;
  for (const Anonymised& setting : all) {
    const std::string& technique = setting.series.technique;
    if (!setting.series.clear()) techniques.insert(technique.substr(0, technique.find(':')));
    representations.insert(setting.representation);
  }
  for (Anonymised& setting : all) {
    const std::string& technique = setting.series.technique;
    const std::size_t colon = technique.find(':');
    const bool shared = techniques.size() == 1 && !setting.series.clear() && colon != std::string::npos;
    setting.name = shared ? technique.substr(colon + 1) : technique;
    if (!setting.series.variant.empty()) setting.name += " (" + setting.series.variant + ")";
    if (representations.size() > 1 && !setting.representation.empty())
      setting.name += " (" + setting.representation + ")";
    if (!run.empty()) setting.name = run + ": " + setting.name;
  }
}

std::vector<std::string> questions_of(const Settings& settings) {
  std::vector<std::string> out;
  for (const Anonymised* setting : settings) {
    for (const Reidentifier& attacker : setting->attackers) {
      if (std::find(out.begin(), out.end(), attacker.question) == out.end()) out.push_back(attacker.question);
    }
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
  Survival out;
  out.question = question;
  if (const Reidentifier* claimed = strongest(setting, question, false)) {
    out.attacker_claimed = claimed->attacker;
    out.claimed = claimed->mixture.value;
    out.chance = claimed->chance;
  }
  // Who knows the method may act as if he did not.
  const Reidentifier* informed = strongest(setting, question, true);
  if (informed && out.claimed && *out.claimed < *informed->mixture.value)
    informed = strongest(setting, question, false);
  if (informed) {
    out.attacker = informed->attacker;
    out.informed = informed->mixture.value;
    out.ci = informed->mixture.ci;
    out.chance = informed->chance;
  }
  out.sentence = sentence_of(out);
  return out;
}

Number advantage(const Reidentifier& attacker) {
  if (!attacker.mixture.value || !attacker.chance || *attacker.chance <= 0) return std::nullopt;
  return (*attacker.chance - *attacker.mixture.value) / *attacker.chance;
}

const Reidentifier* worst_of(const Anonymised& setting) {
  const Reidentifier* out = nullptr;
  for (const Reidentifier& attacker : setting.attackers) {
    if (attacker.broken() || !advantage(attacker)) continue;
    const bool more = out && *advantage(attacker) > *advantage(*out);
    const bool same = out && *advantage(attacker) == *advantage(*out);
    if (!out || more || (same && attacker.informed && !out->informed)) out = &attacker;
  }
  return out;
}

std::string broken_attackers(const Settings& settings) {
  std::vector<std::string> names;
  for (const Anonymised* setting : settings) {
    for (const Reidentifier& attacker : setting->attackers) {
      const std::string name = attacker_name(attacker);
      if (attacker.broken() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

std::string question_title(const std::string& question) {
  if (question == "record") return "Which record?";
  if (question == "identity") return "Which person?";
  return question;
}

std::string attacker_name(const Reidentifier& attacker) {
  return attacker.attacker + (attacker.informed ? " (informed)" : " (uninformed)");
}

Measured complement(const Measured& measured) {
  Measured out;
  if (measured.value) out.value = 1 - *measured.value;
  if (measured.ci) out.ci = Interval{1 - measured.ci->high, 1 - measured.ci->low};
  return out;
}

}  // namespace bauta::report
