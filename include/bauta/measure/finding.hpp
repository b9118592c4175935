// What a question found, in one shape for all questions: a number with everything that is needed to judge it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/measure/intervals.hpp"

namespace bauta {

/// What a finding tells something about.
enum class About {
  attribute,    ///< a leak: what a person is like
  identity,     ///< a leak: who a person is
  link,         ///< a leak: whether two records are of one person
  recognition,  ///< the purpose: how well the rightful user recognises people
  utility,      ///< the purpose: what anonymised data is still good for
};

std::string_view to_text(About about);
/// Empty: no such word.
std::optional<About> parse_about(std::string_view text);
/// Whether an attacker is behind such findings.
inline bool is_leak(About about) {
  return about == About::attribute || about == About::identity || about == About::link;
}

enum class Worse {
  higher,
  lower
};  ///< which direction is bad for the person behind the data (of a leak), or for the
    ///< user (of a purpose)

/// A value of the same measure elsewhere.
struct Level {
  double value = 0;
  std::optional<Interval> ci = std::nullopt;
  std::vector<double> draws = {};  ///< as those of a finding; empty: nobody kept them
  std::string drawn_over = {};
};

struct Finding {
  About about = About::attribute;
  std::string attacker = {};  ///< a short name: "svm-rbf", "mean, n = 51", "align-mean, then logistic"
  std::string measure = {};   ///< "balanced accuracy", "rank-1 rate", "EER", ...
  std::string unit = {};      ///< "rate" (of 1; percent for people), "dB", or empty: a plain number
  double value = 0;
  Worse worse = Worse::higher;
  std::optional<Interval> ci = std::nullopt;       ///< 95 %
  std::optional<double> chance = std::nullopt;     ///< what somebody who guesses reaches
  double certainty = 1;                            ///< what somebody who knows reaches
  std::optional<double> auc = std::nullopt;        ///< of the scores behind the value, where there are such scores
  std::optional<Level> clear = std::nullopt;       ///< the ceiling: the same attacker on the same people, unprotected
  std::optional<Level> floor = std::nullopt;       ///< the same attacker where there is nothing to find
  std::optional<bool> healthy = std::nullopt;      ///< false: fails on clear data, or finds what is not there
  std::map<std::string, std::size_t> counts = {};  ///< "samples", "identities", ...
  std::map<std::string, std::string> axes = {};    ///< where it stands: "technique", "attribute", "adversary", ...
  bool unprotected = false;                        ///< measured on clear data
  std::vector<double> draws = {};                  ///< the value in each draw of subjects; NaN: not defined in it
  std::string drawn_over = {};                     ///< digest of the subjects; draws over the same ones are joint

  [[nodiscard]] std::string axis(const std::string& name) const {
    const auto found = axes.find(name);
    return found == axes.end() ? std::string() : found->second;
  }
};

/// Share of the way from chance to certainty: 0 for somebody who guesses, 1 for somebody who knows, whatever the number
/// of classes. Where lower is worse the way runs downwards. Empty without a chance level, where certainty is not on the
/// worse side of it, and for a value that is not finite.
std::optional<double> share_of_way(const Finding& finding);
/// The same for another value of the finding's measure.
std::optional<double> share_at(const Finding& finding, double value);

/// Whether a level of the finding's measure is more than guessing gives, whatever the draw of the people: by its
/// interval; where it has none by that of the floor, or else by two standard errors of somebody who guesses.
bool beyond_chance(const Level& level, const Finding& finding);
/// An attacker who is known to be unhealthy, or who is no better than guessing where nothing is protected: if they fail
/// behind a mask, that says nothing of the mask. False where nobody looked.
bool fails_on_clear(const Finding& finding);

/// Whether a level of the finding's measure is less than guessing gives with its whole interval, and less than the
/// attacker reaches where there is nothing to find: wrong answers that tell something, too. False without interval.
bool surely_wrong(const Level& level, const Finding& finding);
/// Where guessing between two answers is right half of the time, whoever is wrong more often learns as much by turning
/// the answers round: the mirror image of value, interval, floor, area and draws, by an attacker who is called so. The
/// clear level stays, because it is known from clear data who works; so does health, unless the answers tell something
/// turned round where there is nothing to find. Nothing for who is not surely wrong, and on clear data.
std::optional<Finding> turned_round(const Finding& finding);
/// Whether an attacker may be so wrong, as far as the interval tells.
bool may_be_turned_round(const Finding& finding);
/// 1 less both ends.
Interval mirrored(const Interval& rates);

/// What a finding on clear data is to those of the same attacker behind a mask.
Level level_of(const Finding& finding);

/// Whether people were chosen by what the technique made of their samples (axis "selected_on"): what was measured of
/// another technique, or of clear data, is about others, though they are called the same.
bool chosen_behind_mask(const Finding& finding);

/// The clear level of attackers who brought none, where the same attacker stands among the findings on clear data and
/// the same people took part.
void add_clear_levels(std::span<Finding> findings);

}  // namespace bauta
