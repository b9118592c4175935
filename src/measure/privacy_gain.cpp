#include "bauta/measure/privacy_gain.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "bauta/core/error.hpp"
#include "bauta/measure/classification.hpp"
#include "bauta/measure/gain.hpp"

namespace bauta {

std::optional<SuppressionRate> suppression_rate(double original, double modified, double chance) {
  if (!(original > 0)) return std::nullopt;
  return SuppressionRate{(original - modified) / original, std::max(0.0, (original - chance) / original), std::nullopt};
}

std::optional<SuppressionRate> suppression_rate(const SubjectTallies& both, std::size_t draws, std::uint64_t seed) {
  const Matrix<double> drawn = both.bootstrap(draws, seed);
  const std::vector<double> observed = both.balanced();
  const std::vector<Interval> intervals = both.intervals();
  std::array<Finding, 2> sides;
  for (std::size_t j = 0; j < sides.size(); ++j) {
    Finding& side = sides[j];
    side.measure = "balanced accuracy";
    side.unit = "rate";
    side.value = observed[j];
    side.ci = intervals[j];
    side.chance = both.chance();
    side.counts["identities"] = both.subjects();
    for (std::size_t d = 0; d < draws; ++d) side.draws.push_back(drawn(d, j));
    side.drawn_over = "subjects";
  }
  return suppression_between(sides[0], sides[1]);
}

Pic pic(double ae, double ae_after, double re, double re_after) {
  if (!(ae > 0)) return {std::nullopt, "the attribute error on clear data is 0"};
  if (!(re > 0)) return {std::nullopt, "the recognition error on clear data is 0"};
  return {(ae_after - ae) / ae - (re_after - re) / re, {}};
}

std::optional<Interval> pic_interval(std::span<const double> ae, std::span<const double> ae_after,
                                     std::span<const double> re, std::span<const double> re_after) {
  BAUTA_ASSERT(ae.size() == ae_after.size() && ae.size() == re.size() && ae.size() == re_after.size());
  std::vector<double> values;
  for (std::size_t d = 0; d < ae.size(); ++d) {
    const auto value = pic(ae[d], ae_after[d], re[d], re_after[d]).value;
    if (value && std::isfinite(*value)) values.push_back(*value);
  }
  if (values.empty() || 20 * (ae.size() - values.size()) > ae.size()) return std::nullopt;
  return percentile_interval(std::move(values));
}

std::string_view to_text(AucForm form) {
  switch (form) {
    case AucForm::printed:
      return "printed";
    case AucForm::consistent:
      return "consistent";
    case AucForm::leak_aware:
      break;
  }
  return "leak-aware";
}

AucGain auc_gain(AucForm form, double a_original, double a_protected, double v_original, double v_protected) {
  AucGain gain;
  const double known = form == AucForm::leak_aware ? leakage(a_original) : a_original;
  if (!(known > (form == AucForm::printed ? 0 : 0.5))) {
    gain.undefined = "the attribute is not estimated on clear data: nothing can be suppressed";
    return gain;
  }
  if (!(v_original > 0)) {
    gain.undefined = "the AUC of verification on clear data is 0";
    return gain;
  }
  if (form == AucForm::leak_aware) {
    gain.suppression = std::clamp(1 - (leakage(a_protected) - 0.5) / (known - 0.5), 0.0, 1.0);
  } else {
    double left = a_protected;
    if (a_protected >= 0.5) {
      left = form == AucForm::printed ? a_protected - 0.5 : known * (a_protected - 0.5) / (known - 0.5);
    }
    gain.suppression = std::max((known - left) / known, 0.0);
  }
  gain.identity_loss = std::max((v_original - v_protected) / v_original, 0.0);
  gain.pic = *gain.suppression - *gain.identity_loss;
  return gain;
}

}  // namespace bauta
