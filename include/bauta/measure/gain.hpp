// What a protection gained against the strongest attacker, and what it cost the rightful user.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "bauta/measure/finding.hpp"
#include "bauta/measure/privacy_gain.hpp"

namespace bauta {

struct RankedTarget;

/// The strongest healthy attacker on unprotected data, chosen anew, in the same measure.
struct OnClear {
  std::string attacker = {};
  double value = 0;
  std::optional<Interval> ci = std::nullopt;  ///< corrected for the choice
  double share = 0;
};

/// Errors of the rightful user at the lowest false match rate that the data resolves on both sides, else the EER; on
/// each side in the representation that recognises best there.
struct RecognitionLoss {
  std::string measure = {};                    ///< "EER" or "FNMR at FMR 0.1 %"
  std::optional<double> clear = std::nullopt;  ///< empty: not measured on the same people
  double protected_ = 0;
  std::string clear_representation = {}, protected_representation = {};  ///< empty where templates were given
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

/// How much nearer to chance the truth may lie for the attackers having been chosen.
struct Allowances {
  double clear = 0, after = 0;
};

/// What protection took of the clear level, of one attacker on either side, with its 95 % interval: plausible truths in
/// joint draws, and no shorter on either side than who disagrees allows (disagreement_interval). No interval without
/// draws on both sides, or where nobody says how many people there were (`counts`, "identities"). Empty if nothing was
/// right on clear data.
std::optional<SuppressionRate> suppression_between(const Finding& clear, const Finding& after,
                                                   const Allowances& allowances = {});
/// The same against the clear level that an attacker brought, which they must have; it has an interval where its draws
/// were kept.
std::optional<SuppressionRate> suppression_beside_itself(const Finding& finding, double allowance = 0);

/// Fills the gain of every protected entry: `on_clear` and `kept` of every leak, against whoever is strongest on clear
/// data in the same measure with the same chance level, the rest of attributes only. Suppression and PIC need rates of
/// right guesses (balanced accuracy); PIC needs recognition on both sides, too. Both sides are of the same people:
/// where clear data has no entry about them, the strongest attacker's own clear level is all there is.
///
/// `findings`: those that were ranked, with the findings about recognition among them.
void add_gains(std::span<RankedTarget> ranking, std::span<const Finding> findings);

}  // namespace bauta
