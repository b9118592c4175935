#include "bauta/measure/gain.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "bauta/measure/paired.hpp"
#include "bauta/measure/ranking.hpp"
#include "joint_draws.hpp"

namespace bauta {

namespace {

/// Findings of one measurement of recognition: they differ in the operating point only.
class Recognition {
 public:
  Recognition() = default;
  Recognition(std::span<const Finding> findings, const Finding& first) {
    for (const Finding& finding : findings) {
      if (finding.about != About::recognition || finding.unprotected != first.unprotected) continue;
      if (place(finding) != place(first)) continue;
      if (finding.measure == "EER") eer = &finding;
      if (finding.measure == "FNMR" && finding.axis("resolvable") == "true") points.push_back(&finding);
    }
  }

  [[nodiscard]] static double fmr(const Finding& point) {
    const std::string text = point.axis("fmr");
    double value = 1;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  }
  [[nodiscard]] const Finding* at(double rate) const {
    for (const Finding* point : points) {
      if (fmr(*point) == rate) return point;
    }
    return nullptr;
  }

  const Finding* eer = nullptr;
  std::vector<const Finding*> points;  ///< resolvable ones

 private:
  static std::map<std::string, std::string> place(const Finding& finding) {
    auto axes = finding.axes;
    axes.erase("fmr");
    axes.erase("resolvable");
    return axes;
  }
};

/// Recognition of a technique's output, or of clear data, among the same people; that of the attacker's own people only
/// where nothing else was measured.
Recognition recognition_of(std::span<const Finding> findings, const RankedTarget& target, bool unprotected) {
  const Finding* first = nullptr;
  for (const Finding& finding : findings) {
    if (finding.about != About::recognition || finding.unprotected != unprotected) continue;
    if (!unprotected && finding.axis("technique") != target.technique) continue;
    if (chosen_people(finding) != target.people) continue;
    const bool last_resort = finding.axis("data") == "attacker";
    if (first == nullptr || (first->axis("data") == "attacker" && !last_resort)) first = &finding;
  }
  return first == nullptr ? Recognition() : Recognition(findings, *first);
}

/// What one measure says of clear and of protected data.
struct BeforeAfter {
  const Finding* clear = nullptr;
  const Finding* after = nullptr;
  std::string measure = {};
};

/// Error of recognition at the lowest false match rate that the data resolves on both sides (S1: 0.1 % or less).
BeforeAfter recognition_errors(const Recognition& clear, const Recognition& after) {
  BeforeAfter errors;
  if (clear.eer != nullptr && after.eer != nullptr) errors = {clear.eer, after.eer, "EER"};
  double lowest = 1;
  for (const Finding* before : clear.points) {
    const double fmr = Recognition::fmr(*before);
    const Finding* const hidden = after.at(fmr);
    if (hidden == nullptr || fmr >= lowest) continue;
    lowest = fmr;
    errors = {before, hidden, fmt::format("FNMR at FMR {:g} %", 100 * lowest)};
  }
  return errors;
}

/// Why the values of both sides cannot be set against each other; empty if they can.
std::string incomparable(const Finding& clear, const Finding& after) {
  if (clear.measure != after.measure) {
    return "the strongest attackers on clear and on protected data are measured by " + clear.measure + " and by " +
           after.measure;
  }
  if (after.worse != Worse::higher || after.certainty != 1 || clear.certainty != 1) {
    return after.measure + " is not a rate of right guesses";
  }
  return {};
}

/// Rates of success in joint draws, clear and protected, which differences are made of.
///
/// The chosen attackers stay in all draws. They were chosen for being the largest, so the truth may lie lower by the
/// allowance of their choice; that of the protected side raises the upper end of a gain, that of the clear side lowers
/// its lower end. If they chose anew in every draw, the draws would lie above values that are too high already: in
/// simulated experiments, one far ahead on clear data and eight that guess after, 95 % intervals of suppression held
/// the truth in 28 % if they chose anew, in 85 % if the chosen stayed, in 96 % with the allowance.
class DrawnRates {
 public:
  DrawnRates(const Matrix<double>& drawn, const RankedTarget& clear, const RankedTarget& after)
      : drawn_(drawn), allowance_{clear.allowance, after.allowance} {}

  enum class End { low, high };
  [[nodiscard]] double clear(std::size_t d, End end) const { return rate(d, 0, end == End::low); }
  [[nodiscard]] double after(std::size_t d, End end) const { return rate(d, 1, end == End::high); }
  /// `interval(end)`: of values that were made for this end.
  template <class IntervalOf>
  static std::optional<Interval> both_ends(IntervalOf&& interval) {
    const std::optional<Interval> low = interval(End::low), high = interval(End::high);
    return low && high ? std::optional(Interval{low->low, high->high}) : std::nullopt;
  }

 private:
  [[nodiscard]] double rate(std::size_t d, std::size_t side, bool lowered) const {
    return std::clamp(drawn_(d, side) - (lowered ? allowance_[side] : 0), 0.0, 1.0);
  }

  const Matrix<double>& drawn_;
  std::array<double, 2> allowance_;
};

std::optional<SuppressionRate> suppression_of(const RankedTarget& clear, const RankedTarget& after) {
  const double error = 1 - after.strongest.value, error_clear = 1 - clear.strongest.value;
  auto rate = suppression_rate(1 - error_clear, 1 - error, *after.strongest.chance);
  const auto subjects = after.strongest.counts.find("identities");
  if (!rate || !has_draws(clear.strongest) || !has_draws(after.strongest)) return rate;
  if (subjects == after.strongest.counts.end() || subjects->second == 0) return rate;
  const Matrix<double> drawn = join_plausible(std::array{&clear.strongest, &after.strongest});
  const DrawnRates rates(drawn, clear, after);
  rate->ci = DrawnRates::both_ends([&](DrawnRates::End end) -> std::optional<Interval> {
    std::vector<double> values;
    for (std::size_t d = 0; d < drawn.rows(); ++d) {
      const auto in_draw = suppression_rate(rates.clear(d, end), rates.after(d, end), 0);
      if (in_draw && std::isfinite(in_draw->value)) values.push_back(in_draw->value);
    }
    if (values.empty()) return std::nullopt;
    return paired_interval(std::move(values), subjects->second, 1 / clear.strongest.value);
  });
  return rate;
}

PicGain pic_of(const RankedTarget& clear, const RankedTarget& after, const BeforeAfter& recognised) {
  PicGain gain;
  gain.recognition = {recognised.measure, recognised.clear->value, recognised.after->value};
  gain.coefficient =
      pic(1 - clear.strongest.value, 1 - after.strongest.value, recognised.clear->value, recognised.after->value);
  const std::array all = {&clear.strongest, &after.strongest, recognised.clear, recognised.after};
  gain.joint = drawn_jointly(all);
  if (!gain.coefficient.value || !std::all_of(all.begin(), all.end(), [](auto* one) { return has_draws(*one); })) {
    return gain;
  }
  const Matrix<double> drawn = join_plausible(all);
  const DrawnRates rates(drawn, clear, after);
  gain.ci = DrawnRates::both_ends([&](DrawnRates::End end) {
    std::array<std::vector<double>, 4> errors;
    for (std::size_t d = 0; d < drawn.rows(); ++d) {
      errors[0].push_back(1 - rates.clear(d, end));
      errors[1].push_back(1 - rates.after(d, end));
      errors[2].push_back(drawn(d, 2));
      errors[3].push_back(drawn(d, 3));
    }
    return pic_interval(errors[0], errors[1], errors[2], errors[3]);
  });
  return gain;
}

std::optional<AucGains> auc_gains(const RankedTarget& clear, const RankedTarget& after, const Recognition& before,
                                  const Recognition& hidden) {
  if (before.eer == nullptr || hidden.eer == nullptr) return std::nullopt;
  const auto a = clear.strongest.auc, a_after = after.strongest.auc, v = before.eer->auc, v_after = hidden.eer->auc;
  if (!a || !a_after || !v || !v_after) return std::nullopt;
  return AucGains{auc_gain(AucForm::leak_aware, *a, *a_after, *v, *v_after),
                  auc_gain(AucForm::printed, *a, *a_after, *v, *v_after).pic};
}

/// Of the same attribute and people on clear data, the largest share; of unhealthy attackers only if there are no
/// others.
const RankedTarget* clear_entry(std::span<const RankedTarget> ranking, const RankedTarget& of) {
  if (chosen_behind_mask(of.strongest)) return nullptr;
  const RankedTarget* best = nullptr;
  for (const RankedTarget& target : ranking) {
    if (!target.unprotected || target.about != About::attribute || target.attribute != of.attribute) continue;
    if (target.people != of.people) continue;
    const auto rank = [](const RankedTarget& one) { return std::pair(one.healthy, one.share); };
    if (best == nullptr || rank(target) > rank(*best)) best = &target;
  }
  return best;
}

/// Against whoever is strongest on clear data.
void add_gain(const RankedTarget& clear, std::span<const Finding> findings, RankedTarget& target) {
  Gain& gain = target.gain;
  gain.on_clear = OnClear{clear.strongest.attacker, clear.strongest.value, clear.ci, clear.share};
  if (clear.healthy && clear.share > 0) gain.kept = target.share / clear.share;
  const Recognition before = recognition_of(findings, target, true), hidden = recognition_of(findings, target, false);
  const BeforeAfter recognised = recognition_errors(before, hidden);
  const std::string why_not = !target.healthy  ? "no attacker on protected data is healthy"
                              : !clear.healthy ? "no attacker beats chance on clear data"
                                               : incomparable(clear.strongest, target.strongest);
  if (why_not.empty()) gain.suppression = suppression_of(clear, target);
  if (recognised.clear == nullptr) return;
  if (why_not.empty()) {
    gain.pic = pic_of(clear, target, recognised);
  } else {
    gain.pic = PicGain{.coefficient = {std::nullopt, why_not}};
    gain.pic->recognition = {recognised.measure, recognised.clear->value, recognised.after->value};
  }
  if (target.healthy && clear.healthy) gain.pic_auc = auc_gains(clear, target, before, hidden);
}

/// Against the same attacker on the same people, where the question looked at these unprotected, too.
void add_gain_beside_itself(RankedTarget& target) {
  const Finding& strongest = target.strongest;
  if (!target.healthy || !strongest.clear) return;
  const std::optional<double> share = share_at(strongest, strongest.clear->value);
  if (share && *share > 0) target.gain.kept = target.share / *share;
  if (!incomparable(strongest, strongest).empty()) return;
  target.gain.suppression = suppression_rate(strongest.clear->value, strongest.value, *strongest.chance);
}

/// Why people who were chosen behind the mask have no PIC; nothing where recognition was not measured at all.
std::optional<PicGain> pic_of_chosen(std::span<const Finding> findings, const RankedTarget& target) {
  const Recognition hidden = recognition_of(findings, target, false);
  const BeforeAfter recognised = recognition_errors(hidden, hidden);
  if (recognised.after == nullptr) return std::nullopt;
  PicGain gain{
      .coefficient = {std::nullopt,
                      "people were chosen behind the mask, and recognition of the same people was not measured "
                      "on clear data"}};
  gain.recognition = {recognised.measure, std::nullopt, recognised.after->value};
  return gain;
}

}  // namespace

void add_gains(std::span<RankedTarget> ranking, std::span<const Finding> findings) {
  for (RankedTarget& target : ranking) {
    if (target.unprotected || target.about != About::attribute) continue;
    if (const RankedTarget* const clear = clear_entry(ranking, target)) {
      add_gain(*clear, findings, target);
      continue;
    }
    add_gain_beside_itself(target);
    if (chosen_behind_mask(target.strongest)) target.gain.pic = pic_of_chosen(findings, target);
  }
}

}  // namespace bauta
