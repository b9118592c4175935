// Plain words for attack results. Worst case first: never the mean over attackers.
#include "bauta/report/judgement.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bauta/report/text.hpp"

namespace bauta::report {
namespace {

Number share_above(Number value, Number chance, Number top) {
  if (!value || !chance || !top || *top <= *chance) return std::nullopt;
  return (*value - *chance) / (*top - *chance);
}

bool above(const Measured& success, Number chance) {
  if (!success.value || !chance) return false;
  return success.ci ? success.ci->low > *chance : *success.value > *chance;
}

bool above_chance(const AttributeAttack& attack) {
  return attack.best && above({attack.best->balanced, attack.best_ci}, attack.chance);
}

// What clear data gives: the run's cell for it, or else the best of the ceilings that stand beside the estimators.
std::optional<Measured> top_of(const AttributeAttack& attack, const AttributeAttack* ceiling) {
  if (ceiling) return Measured{ceiling->best->balanced, ceiling->best_ci};
  std::optional<Measured> out;
  for (const AttackResult& result : attack.results) {
    const std::optional<Measured>& clear = result.evidence.clear;
    if (clear && !result.evidence.unhealthy() && (!out || *clear->value > *out->value)) out = clear;
  }
  return out;
}

std::string reading_of(const AttributeAttack& attack, const std::optional<Measured>& top) {
  if (!attack.chance) return "chance level unknown";
  if (attack.unhealthy()) return "shows nothing: no attack of this kind is healthy";
  const bool leaks = above_chance(attack);
  if (attack.series.clear()) return leaks ? "the ceiling" : "the attack fails on clear data";
  if (leaks) {
    if (!top) return "leaks";
    const bool hides_nothing = attack.best_ci && attack.best_ci->high >= *top->value;
    return hides_nothing ? "leaks as much as clear data" : "leaks";
  }
  if (top && !above(*top, attack.chance)) return "shows nothing: the attack fails on clear data too";
  if (attack.best_ci && attack.best_ci->high < *attack.chance)
    return "below chance: turning the guesses round would leak";
  return "not distinguishable from chance";
}

const AttributeAttack* find_attack(const RunResults& run, const std::string& technique, const std::string& attribute) {
  const AttributeAttack* found = nullptr;
  for (const AttributeAttack& attack : run.attacks) {
    if (attack.series.technique != technique || attack.attribute != attribute) continue;
    if (!attack.best || attack.unhealthy()) continue;
    if (found == nullptr || *attack.best->balanced > *found->best->balanced) found = &attack;
  }
  return found;
}

std::string change(const char* what, Number before, Number after) {
  if (!after) return {};
  if (!before) return fmt::format("{} {}", what, percent(after));
  return fmt::format("{} {} instead of {} on clear data", what, percent(after), percent(before));
}

// The strictest operating point that the data could resolve is the one that people will ask about.
const OperatingPoint* strictest(const Verification& item) {
  const OperatingPoint* out = nullptr;
  for (const OperatingPoint& point : item.operating_points) {
    if (point.fmr && point.fnmr && point.resolvable && (!out || *point.fmr < *out->fmr)) out = &point;
  }
  return out;
}

// What protection cost in recognition on one data set.
std::string cost_on(const std::string& data, const std::string& technique, const RunResults& run,
                    const std::vector<RunResults>& runs) {
  for (const Verification& item : run.verifications) {
    if (item.series.technique != technique || item.series.data != data) continue;
    const Verification* clear = clear_of(item.series, runs);
    std::string out = change("Equal error rate", clear ? clear->eer : std::nullopt, item.eer);
    if (const OperatingPoint* point = strictest(item)) {
      Number before;
      if (clear) {
        for (const OperatingPoint& other : clear->operating_points) {
          if (other.fmr == point->fmr) before = other.fnmr;
        }
      }
      const std::string what =
          fmt::format("False non-match rate at a false match rate of {}:", percent_name(*point->fmr));
      out += (out.empty() ? "" : ". ") + change(what.c_str(), before, point->fnmr);
    }
    return out + (data == "attacker" ? " (on the attacker's data)" : "");
  }
  return {};
}

// Where the target's own recognition cannot be measured (one sample per person), the attacker's data tells the cost.
std::string cost_of(const std::string& technique, const RunResults& run, const std::vector<RunResults>& runs) {
  for (const char* data : {"target", "test", "attacker"}) {
    std::string out = cost_on(data, technique, run, runs);
    if (!out.empty()) return out;
  }
  return {};
}

std::string listed(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  std::string out;
  if (value.is_array()) {
    for (const Json& item : value) {
      if (item.is_string()) out += (out.empty() ? "" : ", ") + item.get<std::string>();
    }
  }
  return out;
}

std::string threat_model_of(const AttributeAttack* attack, const RunResults& run) {
  std::string out;
  if (attack) {
    out = fmt::format(
        "The attacker holds {} samples of {} other people whose {} is known, can protect them in the same way, and {} "
        "{} protected samples of {} people",
        grouped(attack->attacker_samples), grouped(attack->attacker_identities), attack->attribute,
        attack->kind == "estimate" ? "trains classifiers on them to read" : "compares them with",
        grouped(attack->target_samples), grouped(attack->target_identities));
    if (!attack->comparator.empty()) out += fmt::format(" by the comparator {}", attack->comparator);
    out += ". Nothing else about the targets is known.";
    if (attack->tuning_samples) {
      out += fmt::format(" Classifiers are tuned on {} samples of {} further people.", grouped(attack->tuning_samples),
                         grouped(attack->tuning_identities));
    }
  }
  const Json protocol = run.experiment.is_object() ? run.experiment.value("protocol", Json()) : Json();
  if (protocol.is_object()) {
    const std::string kind = run.protocol ? run.protocol->text : listed(protocol.value("kind", Json()));
    const std::string adversary = listed(protocol.value("adversary", Json()));
    if (!kind.empty()) out += " Protocol: " + kind + ".";
    if (!adversary.empty()) out += " Adversary: " + adversary + ".";
  }
  return out;
}

std::string verdict_of(const Headline& card, const RunResults& run) {
  if (!card.balanced) {
    const bool tried = std::any_of(run.attacks.begin(), run.attacks.end(), [](const AttributeAttack& attack) {
      return attack.unhealthy() && !attack.series.clear();
    });
    return tried ? "No attack was healthy, so nothing is known about what leaks."
                 : "No attack on protected data was measured, so nothing is known about what leaks.";
  }
  std::string out =
      fmt::format("The most successful attacker guesses {} right in {} of cases, counted equally for each class",
                  card.attribute.empty() ? "the attribute" : card.attribute, percent(card.balanced));
  if (card.chance) out += fmt::format("; guessing blindly gives {}", percent(card.chance));
  return out + ".";
}

void take_text(const Json& headline, const char* name, std::string& place) {
  if (headline.is_object() && headline.contains(name) && headline[name].is_string()) {
    place = headline[name].get<std::string>();
  }
}

Number take_number(const Json& headline, const char* name, Number otherwise) {
  if (headline.is_object() && headline.contains(name) && headline[name].is_number())
    return headline[name].get<double>();
  return otherwise;
}

}  // namespace

Judgement judge(const AttributeAttack& attack, const AttributeAttack* ceiling) {
  Judgement out;
  const std::optional<Measured> top = top_of(attack, ceiling);
  if (top) out.ceiling = top->value;
  // Where clear data gives no certain advantage, or the attack is broken, a share of it would be a share of noise.
  if (top && attack.best && !attack.unhealthy() && !attack.series.clear() && above(*top, attack.chance)) {
    out.advantage_kept = share_above(attack.best->balanced, attack.chance, out.ceiling);
  }
  out.reading = reading_of(attack, top);
  return out;
}

const AttributeAttack* worst_attack(std::span<const RunResults> runs) {
  const AttributeAttack* worst = nullptr;
  double worst_share = 0;
  for (const RunResults& run : runs) {
    for (const AttributeAttack& attack : run.attacks) {
      if (attack.series.clear() || !attack.best || attack.unhealthy()) continue;
      const Number share = share_above(attack.best->balanced, attack.chance, 1.0);
      if (share && (!worst || *share > worst_share)) {
        worst = &attack;
        worst_share = *share;
      }
    }
  }
  return worst;
}

std::string attack_name(const AttackResult& result) {
  std::string out = result.rule.empty() ? "similarity" : result.rule;
  if (result.n) out += ", n\u00a0=\u00a0" + grouped(result.n);
  return out;
}

std::string best_attack_name(const AttributeAttack& attack) {
  const char* kind = attack.kind == "estimate" ? "estimator " : "similarity attack, ";
  return kind + attack_name(*attack.best);
}

Headline headline_of(const RunResults& run, const std::vector<RunResults>& runs) {
  Headline out;
  if (run.attacks.empty() && !run.anonymised.empty()) return anonymity_headline(run);
  const AttributeAttack* attack = worst_attack({&run, 1});
  if (attack) {
    out.technique = attack->series.technique;
    out.attribute = attack->attribute;
  }
  take_text(run.headline, "technique", out.technique);
  take_text(run.headline, "attribute", out.attribute);
  attack = find_attack(run, out.technique, out.attribute);
  if (attack) {
    const std::optional<Measured> top = top_of(*attack, ceiling_of(*attack, runs));
    out.balanced = attack->best->balanced;
    out.ci = attack->best_ci;
    out.chance = attack->chance;
    out.attack = best_attack_name(*attack);
    if (top) out.ceiling = top->value;
  }
  const Number stated = take_number(run.headline, "balanced", std::nullopt);
  if (stated) {
    out.balanced = stated;
    AttackResult named{};
    take_text(run.headline, "rule", named.rule);
    named.n = take_number(run.headline, "n", std::nullopt);
    std::string kind = "similarity";
    take_text(run.headline, "attack", kind);
    std::string estimator;
    take_text(run.headline, "estimator", estimator);
    if (!named.rule.empty() || named.n) out.attack = kind + " attack, " + attack_name(named);
    if (!estimator.empty()) out.attack = "estimator " + estimator;
    const Json& ci = run.headline.contains("ci") ? run.headline["ci"] : Json();
    if (ci.is_array() && ci.size() == 2 && ci[0].is_number() && ci[1].is_number()) {
      out.ci = Interval{ci[0].get<double>(), ci[1].get<double>()};
    }
  }
  out.chance = take_number(run.headline, "chance", out.chance);
  out.ceiling = take_number(run.headline, "ceiling", out.ceiling);
  out.advantage_kept = share_above(out.balanced, out.chance, out.ceiling);
  out.measure = "balanced accuracy" + (out.attribute.empty() ? "" : " on " + out.attribute);
  out.verdict = verdict_of(out, run);
  take_text(run.headline, "verdict", out.verdict);
  out.cost = cost_of(out.technique, run, runs);
  out.threat_model = threat_model_of(attack, run);
  return out;
}

}  // namespace bauta::report
