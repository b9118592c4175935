// The one place that ranks attackers: the strongest against each target, over all questions, without the winner's
// curse.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bauta/measure/finding.hpp"
#include "bauta/measure/gain.hpp"

namespace bauta {

/// Everybody who attacked the same thing: one technique's output, for one attribute, identity or link.
struct RankedTarget {
  std::string technique = {};
  bool unprotected = false;
  About about = About::attribute;
  std::string attribute = {};  ///< empty unless `about` is attribute
  std::string people = {};     ///< as chosen_people has it
  Finding strongest = {};
  double share = 0;                                 ///< of the strongest, as observed
  std::optional<Interval> share_ci = std::nullopt;  ///< corrected for the choice
  std::optional<double> corrected = std::nullopt;   ///< value of the strongest, less what choosing the largest adds
  std::optional<Interval> ci = std::nullopt;        ///< 95 %, corrected for the choice
  std::size_t of = 0;                               ///< how many there were to choose from
  bool healthy = true;                              ///< false: no attacker is healthy
  Gain gain = {};                                   ///< of a protected entry

  /// Places in the ranked findings, strongest first, unhealthy ones last.
  std::vector<std::size_t> attackers = {};
  /// How much nearer to chance the true value may be for the strongest having been chosen: by as much the corrected
  /// interval reaches further than its own.
  double allowance = 0;
};

/// Of a finding about some of the people: which ("3, random"). Empty: everybody.
std::string chosen_people(const Finding& finding);

/// One entry per technique, thing that leaks, attribute and choice of people (axes "technique", "attribute",
/// "identities", "selection"), in order of first appearance; clear data has entries of its own. Attackers are ordered
/// by ranks_before(). To choose from are those who do not fail on clear data, or all if there is nobody else. Whoever
/// is surely wrong stands here turned round (turned_round); the findings themselves stay as they were measured.
///
/// Who has no share (no chance level, value not finite) cannot be compared and is left out; an entry of such findings
/// alone does not exist. Who has a share but no draws can be the strongest, then without corrected interval; otherwise
/// their own interval raises the upper end. Where anybody has no interval there is no corrected one, because nothing
/// says how far they may reach.
///
/// Gains are filled in as well (add_gains).
std::vector<RankedTarget> rank_attackers(std::span<const Finding> findings);

/// Whether an attacker stands before another in any ranking: those who fail on clear data last, then by their share of
/// the way; who has no share stands behind all who have one.
bool ranks_before(const Finding& a, const Finding& b);

/// Whether a leak is beyond chance with the whole interval that allows for the choice of the attacker.
bool is_established(const RankedTarget& target);

/// What a report begins with: the protected entry of largest share among healthy ones, those that are established
/// before those that are not; where no protected data was attacked at all, the unprotected one. Entries about some of
/// the people count where there is none about everybody, but never people who were chosen by the samples that are
/// judged (axis "selected_on" is "test"). Null: there is none.
const RankedTarget* headline(std::span<const RankedTarget> ranking);

/// Whether attackers find the people behind protected records far better than chance: more than one in a hundred beyond
/// it, and more than twice as many. Of entries whose strongest attacker is measured by a share of people found (higher
/// is worse, 1 is certainty); error rates of pairs (EER) do not tell how many are found, and decide nothing here.
enum class Traced {
  no,
  perhaps,  ///< in these records, which may be too few to tell
  surely,   ///< whatever the draw of the records, and however many attackers there were to choose from
};
Traced traced_by(std::span<const RankedTarget> ranking);

}  // namespace bauta
