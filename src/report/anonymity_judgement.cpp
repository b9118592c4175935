// What the page says first about anonymised records: who is found again by somebody who knows the method, and what the
// records are still good for.
#include <algorithm>

#include <fmt/format.h>

#include "bauta/report/judgement.hpp"
#include "bauta/report/text.hpp"

namespace bauta::report {
namespace {

double loss_of(const Anonymised& setting) {
  const Reidentifier* worst = worst_of(setting);
  return worst ? *advantage(*worst) : -2;
}

const Anonymised* worst_setting(const Settings& settings) {
  const auto found = std::max_element(settings.begin(), settings.end(), [](const Anonymised* a, const Anonymised* b) {
    return loss_of(*a) < loss_of(*b);
  });
  return found == settings.end() ? nullptr : *found;
}

std::string found_what(const Reidentifier& attacker) {
  return attacker.question == "identity" ? "the person behind" : "the original of";
}

std::string utility_sentence(const Anonymised& setting) {
  const AttributeUtility* item = setting.interest();
  if (!item || !item->accuracy.value) return {};
  std::string out = fmt::format(" The attribute {} is still read right in {} of them", item->attribute,
                                percent(item->accuracy.value));
  if (item->clear) out += fmt::format(", {} on clear data", percent(item->clear->value));
  if (item->chance) out += fmt::format(", {} by always naming the largest class", percent(item->chance));
  return out + ".";
}

std::string verdict_of(const Anonymised* setting, const Reidentifier* attacker) {
  if (!setting) return "Nothing was anonymised, so nothing is known about who can be found again.";
  if (!attacker) {
    return "No attacker finds anybody on clear data, so nothing is known about who can be found again." +
           utility_sentence(*setting);
  }
  const bool tried = std::any_of(setting->attackers.begin(), setting->attackers.end(),
                                 [](const Reidentifier& other) { return other.informed && !other.broken(); });
  std::string out =
      attacker->informed ? fmt::format("The strongest informed attacker ({}) finds", attacker->attacker)
      : tried            ? fmt::format("The strongest attacker ({}), who does not even need to know the method, finds",
                                       attacker->attacker)
              : fmt::format("Nobody who knows the method was tried; without it, the strongest attacker ({}) finds",
                            attacker->attacker);
  out += fmt::format(" {} {} of the anonymised records", found_what(*attacker),
                     percent(complement(attacker->mixture).value));
  if (attacker->candidates) out += fmt::format(", among {}", grouped(attacker->candidates));
  if (attacker->chance) out += fmt::format("; guessing finds {}", percent(1 - *attacker->chance));
  return out + "." + utility_sentence(*setting);
}

std::string cost_of(const Anonymised& setting) {
  std::string out;
  for (const AttributeUtility& item : setting.attributes) {
    if (!item.accuracy.value) continue;
    out += fmt::format("{}{} {}", out.empty() ? "Accuracy of " : "; ", item.attribute, percent(item.accuracy.value));
    if (item.clear) out += fmt::format(" instead of {} on clear data", percent(item.clear->value));
  }
  return out;
}

std::string mixture_fact(const Survival& survival) {
  std::string out;
  if (survival.claimed)
    out = fmt::format("{} against {} (uninformed)", precise_percent(survival.claimed), survival.attacker_claimed);
  if (survival.informed) {
    out += fmt::format("{}{} against {} (informed)", out.empty() ? "" : ", ",
                       precise_percent(survival.informed, survival.ci), survival.attacker);
  }
  if (!out.empty() && survival.chance) out += fmt::format("; guessing leaves {}", precise_percent(survival.chance));
  return out;
}

// The card says which run it is about.
std::string name_within_run(const Anonymised& setting) {
  const std::string prefix = setting.series.run + ": ";
  return setting.name.starts_with(prefix) ? setting.name.substr(prefix.size()) : setting.name;
}

// From the best to the worst setting, for the same question.
std::string range_fact(const Settings& settings, const Reidentifier& attacker) {
  const Anonymised* least = nullptr;
  const Anonymised* most = nullptr;
  const auto found = [&](const Anonymised& setting) -> Number {
    const Reidentifier* other = strongest(setting, attacker.question, attacker.informed);
    return other ? complement(other->mixture).value : std::nullopt;
  };
  for (const Anonymised* setting : settings) {
    if (!found(*setting)) continue;
    if (!least || *found(*setting) < *found(*least)) least = setting;
    if (!most || *found(*setting) > *found(*most)) most = setting;
  }
  if (!least || least == most) return {};
  return fmt::format("from {} found with {} to {} with {}", percent(found(*least)), name_within_run(*least),
                     percent(found(*most)), name_within_run(*most));
}

// A technique's text is one long word.
std::string spaced(const std::string& technique) {
  std::string out;
  for (const char c : technique) {
    out += c;
    if (c == ':' || c == ',') out += ' ';
  }
  return out;
}

std::string broken_fact(const Settings& settings) {
  const std::string names = broken_attackers(settings);
  return names.empty() ? names : names + ": finding nobody proves nothing";
}

Number clear_found(const Reidentifier& attacker) {
  return attacker.clear_mixture ? Number(1 - *attacker.clear_mixture) : std::nullopt;
}

}  // namespace

Settings headline_settings(const RunResults& run) {
  const Settings settings = protected_settings(run.anonymised);
  const std::string named = text(run.headline, "technique");
  Settings out;
  for (const Anonymised* setting : settings) {
    if (setting->series.technique == named) out.push_back(setting);
  }
  if (!out.empty() || settings.empty()) return out;
  const std::string& technique = worst_setting(settings)->series.technique;
  for (const Anonymised* setting : settings) {
    if (setting->series.technique == technique) out.push_back(setting);
  }
  return out;
}

Headline anonymity_headline(const RunResults& run) {
  Headline out;
  const Settings settings = protected_settings(run.anonymised);
  const Settings chosen = headline_settings(run);
  const Anonymised* setting = worst_setting(chosen);
  const Reidentifier* attacker = setting ? worst_of(*setting) : nullptr;
  const bool named = setting && setting->series.technique == text(run.headline, "technique");
  out.technique_role = named || settings.size() == 1 ? "Setting" : "Worst of all settings";
  if (setting) {
    out.technique = spaced(setting->series.technique);
    if (!setting->representation.empty()) out.technique += " on " + setting->representation;
    out.cost = cost_of(*setting);
  }
  out.verdict = verdict_of(setting, attacker);
  if (attacker) {
    const Measured found = complement(attacker->mixture);
    out.balanced = found.value;
    out.ci = found.ci;
    out.measure = attacker->question == "identity" ? "of people found again" : "of records found again";
    out.attack = attacker_name(*attacker);
    if (attacker->chance) out.chance = 1 - *attacker->chance;
    out.ceiling = clear_found(*attacker);
    if (out.chance && out.ceiling && *out.ceiling > *out.chance)
      out.advantage_kept = (*out.balanced - *out.chance) / (*out.ceiling - *out.chance);
    out.threat_model = sentence(attacker->text);
    out.facts = {
        {"Identity mixture, the share that is not found", mixture_fact(survival_of(*setting, attacker->question))},
        {fmt::format("Over all {} settings", settings.size()), range_fact(settings, *attacker)}};
  }
  out.facts.emplace_back("Attackers who fail on clear data", broken_fact(settings));
  if (setting && setting->exact_copies && *setting->exact_copies > 0) {
    out.facts.emplace_back("Exact copies", fmt::format("{} anonymised records are an original, unchanged",
                                                       grouped(setting->exact_copies)));
  }
  // The run's own verdict lists every question; those sentences stand below, and the card keeps to the worst.
  if (!attacker && !text(run.headline, "verdict").empty()) out.verdict += " " + text(run.headline, "verdict");
  // Of a release its maker's verdict stands, which speaks of labels too.
  const std::string released = text(run.release, "verdict");
  if (!released.empty()) out.verdict = released;
  return out;
}

}  // namespace bauta::report
