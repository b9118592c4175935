#include "bauta/measure/gain.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/measure/paired.hpp"
#include "bauta/measure/ranking.hpp"
#include "joint_draws.hpp"

namespace bauta {

namespace {

/// Findings of one measurement of recognition: they differ in the operating point only.
class Recognition {
 public:
  using Place = std::map<std::string, std::string>;

  void add(const Finding& finding) {
    if (finding.measure == "EER") eer = &finding;
    if (finding.measure == "FNMR" && finding.axis("resolvable") == "true") points_[finding.axis("fmr")] = &finding;
  }
  [[nodiscard]] static Place place(const Finding& finding) {
    auto axes = finding.axes;
    axes.erase("fmr");
    axes.erase("resolvable");
    return axes;
  }
  /// At a rate as the axes write it; "": the EER.
  [[nodiscard]] const Finding* at(const std::string& fmr) const {
    if (fmr.empty()) return eer;
    const auto found = points_.find(fmr);
    return found == points_.end() ? nullptr : found->second;
  }
  [[nodiscard]] const std::map<std::string, const Finding*>& points() const { return points_; }

  const Finding* eer = nullptr;

 private:
  std::map<std::string, const Finding*> points_;  // resolvable ones
};

/// By place, so that nothing depends on the order in which representations were named.
using Recognitions = std::map<Recognition::Place, Recognition>;

/// Recognition of a technique's output, or of clear data, among the same people, in every representation; that of the
/// attacker's own people only where nothing else was measured.
Recognitions recognitions_of(std::span<const Finding> findings, const RankedTarget& target, bool unprotected) {
  Recognitions of_others, of_attackers;
  for (const Finding& finding : findings) {
    if (finding.about != About::recognition || finding.unprotected != unprotected) continue;
    if (!unprotected && finding.axis("technique") != target.technique) continue;
    if (chosen_people(finding) != target.people) continue;
    (finding.axis("data") == "attacker" ? of_attackers : of_others)[Recognition::place(finding)].add(finding);
  }
  return of_others.empty() ? of_attackers : of_others;
}

/// Who recognises best at a rate; of equals the first by place. Null: nobody was measured there.
const Recognition* best_at(const Recognitions& all, const std::string& fmr) {
  const Recognition* best = nullptr;
  for (const auto& [place, one] : all) {
    const Finding* const error = one.at(fmr);
    if (error != nullptr && (best == nullptr || error->value < best->at(fmr)->value)) best = &one;
  }
  return best;
}

/// What one measure says of clear and of protected data; the rightful user takes on each side what recognises best.
struct BeforeAfter {
  Recognition before = {}, hidden = {};
  std::string fmr = {};

  [[nodiscard]] bool measured() const { return hidden.at(fmr) != nullptr; }
  [[nodiscard]] const Finding& clear() const { return *before.at(fmr); }
  [[nodiscard]] const Finding& after() const { return *hidden.at(fmr); }
  [[nodiscard]] RecognitionLoss loss() const {
    const std::string measure = fmr.empty() ? "EER" : fmt::format("FNMR at FMR {:g} %", 100 * rate(fmr));
    return {measure, clear().value, after().value, clear().axis("representation"), after().axis("representation")};
  }
  [[nodiscard]] static double rate(const std::string& text) {
    double value = 1;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  }
};

/// At the lowest false match rate that the data resolves on both sides (S1: 0.1 % or less), else by the EER.
BeforeAfter recognition_errors(const Recognitions& clear, const Recognitions& after) {
  std::string lowest;
  for (const auto& [place, one] : clear) {
    for (const auto& [fmr, point] : one.points()) {
      const bool lower = lowest.empty() || BeforeAfter::rate(fmr) < BeforeAfter::rate(lowest);
      if (lower && best_at(after, fmr) != nullptr) lowest = fmr;
    }
  }
  const Recognition *const before = best_at(clear, lowest), *const hidden = best_at(after, lowest);
  return before && hidden ? BeforeAfter{*before, *hidden, lowest} : BeforeAfter();
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
  DrawnRates(const Matrix<double>& drawn, const Allowances& allowances) : drawn_(drawn), allowances_(allowances) {}

  enum class End { low, high };
  [[nodiscard]] double clear(std::size_t d, End end) const { return clear(drawn_(d, 0), end); }
  [[nodiscard]] double after(std::size_t d, End end) const { return after(drawn_(d, 1), end); }
  [[nodiscard]] double clear(double rate, End end) const {
    return std::clamp(rate - (end == End::low ? allowances_.clear : 0), 0.0, 1.0);
  }
  [[nodiscard]] double after(double rate, End end) const {
    return std::clamp(rate - (end == End::high ? allowances_.after : 0), 0.0, 1.0);
  }
  /// What the clear side has more, for this end, where it was seen to have `more`.
  [[nodiscard]] double more(double more, const Finding& clear_one, const Finding& after_one, End end) const {
    return more - (clear_one.value - clear(clear_one.value, end)) + (after_one.value - after(after_one.value, end));
  }
  /// `interval(end)`: of values that were made for this end.
  template <class IntervalOf>
  static std::optional<Interval> both_ends(IntervalOf&& interval) {
    const std::optional<Interval> low = interval(End::low), high = interval(End::high);
    return low && high ? std::optional(Interval{low->low, high->high}) : std::nullopt;
  }

 private:
  const Matrix<double>& drawn_;
  Allowances allowances_;
};

/// The difference of the rates as far as who disagrees tells.
std::optional<Interval> by_disagreement(const Finding& clear, const Finding& after, std::size_t subjects) {
  const Matrix<double> drawn = join_draws(std::array{&clear, &after});
  std::vector<double> differences;
  for (std::size_t d = 0; d < drawn.rows(); ++d) {
    const double difference = drawn(d, 0) - drawn(d, 1);
    if (std::isfinite(difference)) differences.push_back(difference);
  }
  if (differences.empty()) return std::nullopt;
  return disagreement_interval(clear.value - after.value, differences, subjects);
}

PicGain pic_of(const RankedTarget& clear, const RankedTarget& after, const BeforeAfter& recognised) {
  PicGain gain;
  gain.recognition = recognised.loss();
  gain.coefficient =
      pic(1 - clear.strongest.value, 1 - after.strongest.value, recognised.clear().value, recognised.after().value);
  const std::array all = {&clear.strongest, &after.strongest, &recognised.clear(), &recognised.after()};
  gain.joint = drawn_jointly(all);
  if (!gain.coefficient.value || !std::all_of(all.begin(), all.end(), [](auto* one) { return has_draws(*one); })) {
    return gain;
  }
  const auto subjects = after.strongest.counts.find("identities");
  if (subjects == after.strongest.counts.end() || subjects->second == 0) return gain;
  const auto difference = by_disagreement(clear.strongest, after.strongest, subjects->second);
  if (!difference) return gain;
  const Matrix<double> drawn = join_plausible(all);
  const DrawnRates rates(drawn, {clear.allowance, after.allowance});
  gain.ci = DrawnRates::both_ends([&](DrawnRates::End end) -> std::optional<Interval> {
    std::array<std::vector<double>, 4> errors;
    for (std::size_t d = 0; d < drawn.rows(); ++d) {
      errors[0].push_back(1 - rates.clear(d, end));
      errors[1].push_back(1 - rates.after(d, end));
      errors[2].push_back(drawn(d, 2));
      errors[3].push_back(drawn(d, 3));
    }
    auto ci = pic_interval(errors[0], errors[1], errors[2], errors[3]);
    if (!ci) return ci;
    const double error = 1 - rates.clear(clear.strongest.value, end);
    const double loss = recognised.after().value / recognised.clear().value - 1;
    const auto coefficient = [&](double more) {
      return rates.more(more, clear.strongest, after.strongest, end) / error - loss;
    };
    return Interval{std::min(ci->low, coefficient(difference->low)), std::max(ci->high, coefficient(difference->high))};
  });
  return gain;
}

PicGain undefined_pic(const std::string& why, const BeforeAfter& recognised) {
  PicGain gain;
  gain.coefficient.undefined = why;
  gain.recognition = recognised.loss();
  return gain;
}

std::optional<AucGains> auc_gains(const RankedTarget& clear, const RankedTarget& after, const BeforeAfter& recognised) {
  const Finding *const before = recognised.before.eer, *const hidden = recognised.hidden.eer;
  if (before == nullptr || hidden == nullptr) return std::nullopt;
  const auto a = clear.strongest.auc, a_after = after.strongest.auc, v = before->auc, v_after = hidden->auc;
  if (!a || !a_after || !v || !v_after) return std::nullopt;
  return AucGains{auc_gain(AucForm::leak_aware, *a, *a_after, *v, *v_after),
                  auc_gain(AucForm::printed, *a, *a_after, *v, *v_after).pic};
}

/// Whether values of both can be set against each other as they are.
bool same_scale(const Finding& a, const Finding& b) {
  constexpr double rounding = 1e-9;
  return a.measure == b.measure && a.worse == b.worse && a.certainty == b.certainty && a.chance && b.chance &&
         std::abs(*a.chance - *b.chance) < rounding;
}

/// Of the same target and people on clear data, the largest share; of unhealthy attackers only if there are no others.
/// Null where nobody attacked these there.
const RankedTarget* clear_entry(std::span<const RankedTarget> ranking, const RankedTarget& of) {
  if (chosen_behind_mask(of.strongest)) return nullptr;
  const RankedTarget* best = nullptr;
  for (const RankedTarget& target : ranking) {
    if (!target.unprotected || target.about != of.about || target.attribute != of.attribute) continue;
    if (target.people != of.people) continue;
    const auto rank = [](const RankedTarget& one) { return std::pair(one.healthy, one.share); };
    if (best == nullptr || rank(target) > rank(*best)) best = &target;
  }
  return best;
}

/// Against the same attacker on the same people, where the question looked at these unprotected, too.
void add_gain_beside_itself(RankedTarget& target) {
  const Finding& strongest = target.strongest;
  if (!target.healthy || !strongest.clear) return;
  const std::optional<double> share = share_at(strongest, strongest.clear->value);
  if (share && *share > 0) target.gain.kept = target.share / *share;
  if (target.about != About::attribute || !incomparable(strongest, strongest).empty()) return;
  target.gain.suppression = suppression_beside_itself(strongest, target.allowance);
}

/// Against whoever is strongest on clear data.
void add_gain(const RankedTarget& clear, std::span<const Finding> findings, RankedTarget& target) {
  Gain& gain = target.gain;
  if (same_scale(clear.strongest, target.strongest)) {
    gain.on_clear = OnClear{clear.strongest.attacker, clear.strongest.value, clear.ci, clear.share};
    if (clear.healthy && clear.share > 0) gain.kept = target.share / clear.share;
  } else {
    add_gain_beside_itself(target);
  }
  if (target.about != About::attribute) return;
  const BeforeAfter recognised =
      recognition_errors(recognitions_of(findings, target, true), recognitions_of(findings, target, false));
  const std::string why_not = !target.healthy  ? "no attacker on protected data is healthy"
                              : !clear.healthy ? "no attacker beats chance on clear data"
                                               : incomparable(clear.strongest, target.strongest);
  if (why_not.empty()) {
    gain.suppression = suppression_between(clear.strongest, target.strongest, {clear.allowance, target.allowance});
  }
  if (!recognised.measured()) return;
  if (why_not.empty()) {
    gain.pic = pic_of(clear, target, recognised);
  } else {
    gain.pic = undefined_pic(why_not, recognised);
  }
  if (target.healthy && clear.healthy) gain.pic_auc = auc_gains(clear, target, recognised);
}

/// Why there is no PIC where recognition was measured behind the mask only; nothing where it was not measured at all.
std::optional<PicGain> pic_without_clear(std::span<const Finding> findings, const RankedTarget& target) {
  const Recognitions hidden = recognitions_of(findings, target, false);
  const BeforeAfter recognised = recognition_errors(hidden, hidden);
  if (!recognised.measured()) return std::nullopt;
  const std::string why =
      chosen_behind_mask(target.strongest)
          ? "people were chosen behind the mask, and recognition of the same people was not measured on clear data"
          : "nobody attacked the same people on clear data, and recognition there was not measured: 'none' is not "
            "among the techniques";
  PicGain gain = undefined_pic(why, recognised);
  gain.recognition.clear = std::nullopt;
  gain.recognition.clear_representation.clear();
  return gain;
}

}  // namespace

std::optional<SuppressionRate> suppression_between(const Finding& clear, const Finding& after,
                                                   const Allowances& allowances) {
  auto rate = suppression_rate(clear.value, after.value, *after.chance);
  const auto subjects = after.counts.find("identities");
  if (!rate || !has_draws(clear) || !has_draws(after)) return rate;
  if (subjects == after.counts.end() || subjects->second == 0) return rate;
  const auto difference = by_disagreement(clear, after, subjects->second);
  if (!difference) return rate;
  const Matrix<double> drawn = join_plausible(std::array{&clear, &after});
  const DrawnRates rates(drawn, allowances);
  rate->ci = DrawnRates::both_ends([&](DrawnRates::End end) -> std::optional<Interval> {
    std::vector<double> values;
    for (std::size_t d = 0; d < drawn.rows(); ++d) {
      const auto in_draw = suppression_rate(rates.clear(d, end), rates.after(d, end), 0);
      if (in_draw && std::isfinite(in_draw->value)) values.push_back(in_draw->value);
    }
    const double original = rates.clear(clear.value, end);
    if (values.empty() || !(original > 0)) return std::nullopt;
    const auto suppressed = [&](double more) { return std::min(1.0, rates.more(more, clear, after, end) / original); };
    return paired_interval(std::move(values), {suppressed(difference->low), suppressed(difference->high)});
  });
  return rate;
}

std::optional<SuppressionRate> suppression_beside_itself(const Finding& finding, double allowance) {
  BAUTA_ASSERT(finding.clear);
  Finding clear = finding;
  clear.value = finding.clear->value;
  clear.ci = finding.clear->ci;
  clear.draws = finding.clear->draws;
  clear.drawn_over = finding.clear->drawn_over;
  return suppression_between(clear, finding, {0, allowance});
}

void add_gains(std::span<RankedTarget> ranking, std::span<const Finding> findings) {
  for (RankedTarget& target : ranking) {
    if (target.unprotected) continue;
    if (const RankedTarget* const clear = clear_entry(ranking, target)) {
      add_gain(*clear, findings, target);
      continue;
    }
    add_gain_beside_itself(target);
    if (target.about == About::attribute) target.gain.pic = pic_without_clear(findings, target);
  }
}

}  // namespace bauta
