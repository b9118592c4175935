#include "bauta/measure/finding.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

namespace bauta {

namespace {

constexpr std::array<std::pair<About, std::string_view>, 5> words = {{{About::attribute, "attribute"},
                                                                      {About::identity, "identity"},
                                                                      {About::link, "link"},
                                                                      {About::recognition, "recognition"},
                                                                      {About::utility, "utility"}}};

/// A leak of which a guesser and the guesser's opposite see the same (a rate; chance is one half, certainty 0 or 1). Not
/// on clear data, where being wrong is to fail.
bool works_either_way(const Finding& finding) {
  constexpr double rounding = 1e-9;
  return is_leak(finding.about) && !finding.unprotected && finding.unit == "rate" && finding.chance &&
         std::abs(*finding.chance - 0.5) < rounding &&
         finding.certainty == (finding.worse == Worse::higher ? 1 : 0);
}

/// As wrong as guessing, or as the attacker is where there is nothing to find, is no leak.
double wrong_from(const Finding& finding) {
  const double nothing = finding.floor ? finding.floor->value : *finding.chance;
  return finding.worse == Worse::higher ? std::min(*finding.chance, nothing) : std::max(*finding.chance, nothing);
}

}  // namespace

std::string_view to_text(About about) {
  for (const auto& [known, word] : words) {
    if (known == about) return word;
  }
  return {};
}

std::optional<About> parse_about(std::string_view text) {
  for (const auto& [known, word] : words) {
    if (word == text) return known;
  }
  return std::nullopt;
}

std::optional<double> share_at(const Finding& finding, double value) {
  if (!finding.chance || !std::isfinite(value)) return std::nullopt;
  const double way = finding.certainty - *finding.chance;
  if (!std::isfinite(way) || !(finding.worse == Worse::higher ? way > 0 : way < 0)) return std::nullopt;
  return (value - *finding.chance) / way;
}

std::optional<double> share_of_way(const Finding& finding) {
  return share_at(finding, finding.value);
}

bool beyond_chance(const Level& level, const Finding& finding) {
  if (!finding.chance) return false;
  const bool higher = finding.worse == Worse::higher;
  double nearest = level.value;
  if (level.ci) {
    nearest = higher ? level.ci->low : level.ci->high;
  } else if (finding.floor && finding.floor->ci) {
    return higher ? level.value > finding.floor->ci->high : level.value < finding.floor->ci->low;
  } else if (const auto samples = finding.counts.find("samples");
             finding.unit == "rate" && samples != finding.counts.end() && samples->second > 0) {
    const double variance = std::max(0.0, *finding.chance * (1 - *finding.chance));
    const double spread = 2 * std::sqrt(variance / static_cast<double>(samples->second));
    nearest -= higher ? spread : -spread;
  }
  return higher ? nearest > *finding.chance : nearest < *finding.chance;
}

bool surely_wrong(const Level& level, const Finding& finding) {
  if (!finding.chance || !level.ci) return false;
  return finding.worse == Worse::higher ? level.ci->high < wrong_from(finding) : level.ci->low > wrong_from(finding);
}

bool may_be_turned_round(const Finding& finding) {
  if (!works_either_way(finding) || !finding.ci) return false;
  return finding.worse == Worse::higher ? finding.ci->low < wrong_from(finding) : finding.ci->high > wrong_from(finding);
}

bool fails_on_clear(const Finding& finding) {
  if (!is_leak(finding.about)) return false;
  if (finding.healthy) return !*finding.healthy;
  if (finding.unprotected) return finding.chance && !beyond_chance(Level{finding.value, finding.ci}, finding);
  return finding.clear && finding.chance && !beyond_chance(*finding.clear, finding);
}

Interval mirrored(const Interval& rates) {
  return {1 - rates.high, 1 - rates.low};
}

std::optional<Finding> turned_round(const Finding& finding) {
  if (!works_either_way(finding) || !surely_wrong(Level{finding.value, finding.ci}, finding)) return std::nullopt;
  Finding turned = finding;
  turned.attacker += ", turned round";
  turned.value = 1 - turned.value;
  turned.ci = mirrored(*turned.ci);
  if (turned.auc) turned.auc = 1 - *turned.auc;
  if (turned.floor) {
    turned.floor->value = 1 - turned.floor->value;
    if (turned.floor->ci) {
      turned.floor->ci = mirrored(*turned.floor->ci);
      if (beyond_chance(*turned.floor, Finding{.worse = turned.worse, .chance = turned.chance})) turned.healthy = false;
    }
  }
  for (double& draw : turned.draws) draw = 1 - draw;
  return turned;
}

Level level_of(const Finding& finding) {
  return {finding.value, finding.ci, finding.draws, finding.drawn_over};
}

bool chosen_behind_mask(const Finding& finding) {
  const std::string looked_at = finding.axis("selected_on");
  return looked_at == "masked" || looked_at == "test";
}

void add_clear_levels(std::span<Finding> findings) {
  // The same attacker asks for the same thing in the same way, whatever the technique and what is known of it.
  const auto asked = [](const Finding& finding) {
    std::map<std::string, std::string> axes = finding.axes;
    for (const char* only_masked : {"technique", "adversary", "informed", "recovery"}) axes.erase(only_masked);
    return std::tuple(finding.about, finding.attacker, finding.measure, finding.chance, std::move(axes));
  };
  std::map<decltype(asked(Finding())), Level> on_clear;
  for (const Finding& finding : findings) {
    if (finding.unprotected) on_clear.try_emplace(asked(finding), level_of(finding));
  }
  for (Finding& finding : findings) {
    if (finding.unprotected || finding.clear || chosen_behind_mask(finding)) continue;
    if (const auto found = on_clear.find(asked(finding)); found != on_clear.end()) finding.clear = found->second;
  }
}

}  // namespace bauta
