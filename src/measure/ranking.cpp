#include "bauta/measure/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "joint_draws.hpp"
#include "largest_value.hpp"

namespace bauta {

namespace {

/// Findings as they are ranked: of whoever is surely wrong, the answers turned round.
class Attackers {
 public:
  explicit Attackers(std::span<const Finding> findings) : findings_(findings) {
    for (std::size_t i = 0; i < findings.size(); ++i) {
      if (auto turned = turned_round(findings[i])) turned_.emplace(i, std::move(*turned));
    }
  }

  [[nodiscard]] const Finding& operator[](std::size_t i) const {
    const auto turned = turned_.find(i);
    return turned == turned_.end() ? findings_[i] : turned->second;
  }

 private:
  std::span<const Finding> findings_;
  std::map<std::size_t, Finding> turned_;
};

/// The scale on which the attackers of one entry are compared: that of the strongest one's measure, turned so that
/// higher is worse. It is the scale of shares, stretched; attackers with the same chance level keep their values to the
/// last bit.
class CommonScale {
 public:
  explicit CommonScale(const Finding& strongest)
      : strongest_(strongest), sign_(strongest.worse == Worse::higher ? 1 : -1) {}

  [[nodiscard]] double of(const Finding& finding, double value) const {
    if (!std::isfinite(value)) return std::numeric_limits<double>::quiet_NaN();
    if (same_way(finding)) return sign_ * value;
    return sign_ * (*strongest_.chance + *share_at(finding, value) * way());
  }
  /// What the finding's interval says of the truth, here.
  [[nodiscard]] Plausible plausible(const Finding& finding) const {
    const bool rate_there = finding.unit == "rate";
    return {of(finding, finding.value), here(finding, *finding.ci),
            rate_there ? here(finding, {0, 1}) : Interval{-HUGE_VAL, HUGE_VAL}};
  }
  [[nodiscard]] double chance() const { return sign_ * *strongest_.chance; }
  [[nodiscard]] bool rate() const { return strongest_.unit == "rate"; }
  [[nodiscard]] double lowest() const { return rate() ? std::min(0.0, sign_) : -HUGE_VAL; }
  [[nodiscard]] double highest() const {
    return rate() ? std::max(0.0, sign_) : std::max(sign_ * strongest_.certainty, sign_ * strongest_.value);
  }
  /// Back to the strongest one's measure.
  [[nodiscard]] double value(double here) const { return sign_ * here; }
  [[nodiscard]] Interval value(const Interval& here) const {
    return sign_ > 0 ? here : Interval{-here.high, -here.low};
  }
  [[nodiscard]] Interval shares(const Interval& here) const {
    return {*share_at(strongest_, value(here.low)), *share_at(strongest_, value(here.high))};
  }

 private:
  [[nodiscard]] Interval here(const Finding& finding, const Interval& there) const {
    const double a = of(finding, there.low), b = of(finding, there.high);
    return {std::min(a, b), std::max(a, b)};
  }
  [[nodiscard]] double way() const { return strongest_.certainty - *strongest_.chance; }
  [[nodiscard]] bool same_way(const Finding& finding) const {
    return finding.chance == strongest_.chance && finding.certainty == strongest_.certainty;
  }

  const Finding& strongest_;
  double sign_;
};

/// Draws in which everybody has a value.
DrawnValues drawn_values(std::span<const Finding* const> drawn, const CommonScale& scale) {
  const std::size_t m = drawn.size();
  DrawnValues values;
  values.lowest = scale.lowest();
  values.highest = scale.highest();
  for (const Finding* finding : drawn) {
    values.observed.push_back(scale.of(*finding, finding->value));
    values.chance.push_back(scale.chance());
    values.plausible.push_back(scale.plausible(*finding));
  }
  const Matrix<double> joined = join_draws(drawn);
  std::vector<double> kept;
  for (std::size_t d = 0; d < joined.rows(); ++d) {
    const auto row = joined.row(d);
    if (!std::all_of(row.begin(), row.end(), [](double value) { return std::isfinite(value); })) continue;
    for (std::size_t j = 0; j < m; ++j) kept.push_back(scale.of(*drawn[j], row[j]));
  }
  values.drawn = Matrix<double>(kept.size() / m, m);
  std::copy(kept.begin(), kept.end(), values.drawn.data());
  return values;
}

/// What the strongest one's having been chosen is worth; the first of `candidates` is the strongest.
void correct_for_choice(std::span<const Finding* const> candidates, RankedTarget& target) {
  const CommonScale scale(*candidates[0]);
  std::vector<const Finding*> drawn;
  double reach = -HUGE_VAL;  // of those without draws, and of those who may be wrong more often than right
  const auto may_reach = [&](const Finding& finding, const Interval& rates) {
    reach = std::max({reach, scale.of(finding, rates.low), scale.of(finding, rates.high)});
  };
  for (const Finding* finding : candidates) {
    if (!finding->ci) return;
    if (may_be_turned_round(*finding)) may_reach(*finding, mirrored(*finding->ci));
    if (has_draws(*finding)) {
      drawn.push_back(finding);
    } else {
      may_reach(*finding, *finding->ci);
    }
  }
  if (drawn.empty() || drawn[0] != candidates[0]) return;
  const DrawnValues values = drawn_values(drawn, scale);
  if (values.drawn.rows() == 0) return;
  LargestValue largest = largest_value(values);
  largest.ci.high = std::min(std::max(largest.ci.high, reach), values.highest);
  target.corrected = scale.value(largest.corrected);
  target.allowance = largest.allowance;
  target.ci = scale.value(largest.ci);
  target.share_ci = scale.shares(largest.ci);
}

bool same_target(const RankedTarget& target, const Finding& finding) {
  return target.about == finding.about && target.unprotected == finding.unprotected &&
         target.technique == finding.axis("technique") && target.people == chosen_people(finding) &&
         (target.about != About::attribute || target.attribute == finding.axis("attribute"));
}

/// One attacker by the names of several adversaries, who learn and meet the same: told by equal draws.
bool same_attacker(const Finding& a, const Finding& b) {
  const auto but_names = [](std::map<std::string, std::string> axes) {
    for (const char* name : {"adversary", "informed"}) axes.erase(name);
    return axes;
  };
  const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  return !a.draws.empty() && a.attacker == b.attacker && a.measure == b.measure && a.value == b.value &&
         std::ranges::equal(a.draws, b.draws, same) && but_names(a.axes) == but_names(b.axes);
}

void rank(const Attackers& attackers, RankedTarget& target) {
  std::stable_sort(target.attackers.begin(), target.attackers.end(),
                   [&](std::size_t a, std::size_t b) { return ranks_before(attackers[a], attackers[b]); });
  const Finding& strongest = attackers[target.attackers[0]];
  target.healthy = !fails_on_clear(strongest);
  target.strongest = strongest;
  target.share = *share_of_way(strongest);
  std::vector<const Finding*> candidates;
  for (const std::size_t i : target.attackers) {
    if (target.healthy && fails_on_clear(attackers[i])) continue;
    const bool known = std::ranges::any_of(
        candidates, [&](const Finding* candidate) { return same_attacker(*candidate, attackers[i]); });
    if (!known) candidates.push_back(&attackers[i]);
  }
  target.of = candidates.size();
  correct_for_choice(candidates, target);
}

}  // namespace

std::string chosen_people(const Finding& finding) {
  const std::string size = finding.axis("identities"), looked_at = finding.axis("selected_on");
  if (size.empty()) return size;
  return size + ", " + finding.axis("selection") + (looked_at.empty() ? "" : " on " + looked_at);
}

std::vector<RankedTarget> rank_attackers(std::span<const Finding> findings) {
  std::vector<RankedTarget> ranking;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& finding = findings[i];
    if (!is_leak(finding.about) || !share_of_way(finding)) continue;
    auto target = std::find_if(ranking.begin(), ranking.end(),
                               [&](const RankedTarget& known) { return same_target(known, finding); });
    if (target == ranking.end()) {
      target = ranking.insert(
          ranking.end(),
          {.technique = finding.axis("technique"), .unprotected = finding.unprotected, .about = finding.about});
      target->people = chosen_people(finding);
      if (finding.about == About::attribute) target->attribute = finding.axis("attribute");
    }
    target->attackers.push_back(i);
  }
  const Attackers attackers(findings);
  for (RankedTarget& target : ranking) rank(attackers, target);
  add_gains(ranking, findings);
  return ranking;
}

bool ranks_before(const Finding& a, const Finding& b) {
  const bool ill_a = fails_on_clear(a), ill_b = fails_on_clear(b);
  if (ill_a != ill_b) return ill_b;
  const std::optional<double> share_a = share_of_way(a), share_b = share_of_way(b);
  if (!share_a || !share_b) return share_a && !share_b;
  return *share_a > *share_b;
}

bool is_established(const RankedTarget& target) {
  return beyond_chance(Level{target.strongest.value, target.ci ? target.ci : target.strongest.ci}, target.strongest);
}

const RankedTarget* headline(std::span<const RankedTarget> ranking) {
  const bool any_protected =
      std::any_of(ranking.begin(), ranking.end(), [](const RankedTarget& target) { return !target.unprotected; });
  const auto strongest = [&](bool everybody) {
    const RankedTarget* best = nullptr;
    for (const RankedTarget& target : ranking) {
      if (!target.healthy || (any_protected && target.unprotected) || target.people.empty() != everybody) continue;
      if (target.strongest.axis("selected_on") == "test") continue;  // a winner's curse
      const auto rank = [](const RankedTarget& one) { return std::pair(is_established(one), one.share); };
      if (best == nullptr || rank(target) > rank(*best)) best = &target;
    }
    return best;
  };
  const RankedTarget* const best = strongest(true);
  return best == nullptr ? strongest(false) : best;
}

namespace {

bool finds_people(const RankedTarget& target, double found) {
  const Finding& finding = target.strongest;
  if (target.unprotected || target.about != About::identity) return false;
  if (finding.worse != Worse::higher || finding.certainty != 1) return false;
  const double chance = *finding.chance;
  return found > 2 * chance && found > chance + 0.01;
}

}  // namespace

Traced traced_by(std::span<const RankedTarget> ranking) {
  Traced traced = Traced::no;
  for (const RankedTarget& target : ranking) {
    const auto& ci = target.ci ? target.ci : target.strongest.ci;
    if (finds_people(target, ci ? ci->low : target.strongest.value)) return Traced::surely;
    if (finds_people(target, target.strongest.value)) traced = Traced::perhaps;
  }
  return traced;
}

}  // namespace bauta
