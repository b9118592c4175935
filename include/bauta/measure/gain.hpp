// What a protection gained against the strongest attacker, and what it cost the rightful user.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "bauta/measure/finding.hpp"
#include "bauta/measure/privacy_gain.hpp"

namespace bauta {

struct RankedTarget;

/// The strongest healthy attacker on unprotected data, chosen anew.
struct OnClear {
  std::string attacker = {};
  double value = 0;
  std::optional<Interval> ci = std::nullopt;  ///< corrected for the choice
  double share = 0;
};

/// Errors of the rightful user at the lowest false match rate that the data resolves on both sides, else the EER.
struct RecognitionLoss {
  std::string measure = {};                    ///< "EER" or "FNMR at FMR 0.1 %"
  std::optional<double> clear = std::nullopt;  ///< empty: not measured on the same people
  double protected_ = 0;
};

struct PicGain {
  Pic coefficient = {};
  std::optional<Interval> ci = std::nullopt;
  bool joint = false;  ///< all four errors were drawn over the same subjects; else recognition counts as independent
  RecognitionLoss recognition = {};
};

struct AucGains {
  AucGain leak_aware = {};
  std::optional<double> printed = std::nullopt;  ///< PIC in the form that S3 prints
};

struct Gain {
  std::optional<OnClear> on_clear = std::nullopt;
  /// Share here / share on clear data; empty if that is not above 0. Without `on_clear` the clear level is the
  /// strongest attacker's own.
  std::optional<double> kept = std::nullopt;
  std::optional<SuppressionRate> suppression = std::nullopt;
  std::optional<PicGain> pic = std::nullopt;
  std::optional<AucGains> pic_auc = std::nullopt;
};

/// Fills the gain of every protected entry about an attribute. Suppression and PIC need one measure on both sides, of
/// which 1 is certainty (balanced accuracy); PIC needs recognition on both sides, too. Both sides are of the
/// same people: where clear data has no entry about them, the strongest attacker's own clear level is all there is, and
/// suppression has no interval.
///
/// `findings`: those that were ranked, with the findings about recognition among them.
void add_gains(std::span<RankedTarget> ranking, std::span<const Finding> findings);

}  // namespace bauta
