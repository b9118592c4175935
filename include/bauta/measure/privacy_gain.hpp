// What a protection gained in privacy and what it cost in recognition: suppression rate and PIC of S1, and the scores
// of S3 from areas under ROC curves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "bauta/measure/intervals.hpp"
#include "bauta/measure/subject_tallies.hpp"

namespace bauta {

struct SuppressionRate {
  double value = 0;      ///< (original - modified) / original, of balanced accuracies
  double reachable = 0;  ///< the same for an attacker who guesses: (original - chance) / original, at least 0
  std::optional<Interval> ci;
};

/// Empty if nothing was right on the original.
std::optional<SuppressionRate> suppression_rate(double original, double modified, double chance);
/// The same from the predictions on the original and on the modified data, in this order, with its 95 % interval
/// (suppression_between).
std::optional<SuppressionRate> suppression_rate(const SubjectTallies& both, std::size_t draws, std::uint64_t seed);

/// A value, or why there is none.
struct Pic {
  std::optional<double> value;
  std::string undefined;
};

/// Privacy gain identity loss coefficient: (ae_after - ae) / ae - (re_after - re) / re, of attribute errors and
/// recognition errors. Undefined where one of the divisors is 0.
Pic pic(double ae, double ae_after, double re, double re_after);
/// Its 95 % percentile interval from plausible errors, the same draw at the same place; empty if more than one draw in
/// twenty leaves it undefined (NaN: an error that is not defined in that draw).
std::optional<Interval> pic_interval(std::span<const double> ae, std::span<const double> ae_after,
                                     std::span<const double> re, std::span<const double> re_after);

enum class AucForm {
  printed,     ///< as S3 prints it: 0.5 where nothing was suppressed
  consistent,  ///< 0 where nothing was suppressed, 1 at chance, as S3's text promises; below chance as printed
  leak_aware,  ///< an inverted classifier counts as an upright one: 0 at AUC 0 as at AUC 1
};

std::string_view to_text(AucForm form);

/// Suppression, identity loss and their difference; or why there are none.
struct AucGain {
  std::optional<double> suppression, identity_loss, pic;
  std::string undefined;
};

/// From the AUCs of attribute estimation (a) and verification (v), on original and protected data.
AucGain auc_gain(AucForm form, double a_original, double a_protected, double v_original, double v_protected);

}  // namespace bauta
