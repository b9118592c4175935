// Sentences about attackers, and nowhere else: what the strongest one reads, against chance, against clear data.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "results.hpp"

namespace bauta::report {

/// Short, for a table: the attribute, "identity", "link".
std::string target_name(About about, const std::string& attribute);
/// The attribute that a cell is about.
inline std::string attribute_of(const Cell& cell) {
  return target_name(About::attribute, cell.attribute);
}
/// What the attacker does to it: "reads gender", "recognises people".
std::string target_verb(About about, const std::string& attribute);
/// "86.3 % [84.1, 88.2]", "0.600 bit".
std::string value_text(const Measured& value, const std::string& unit);

/// Who attacked, with what they hold beyond what attackers do: "nearest, holding the originals".
std::string attacker_with_means(const Finding& finding);
/// Who attacked and how: "estimate: svm-rbf".
std::string attacker_name(const Finding& finding);

/// Whether a value lies on the worse side of chance, with its whole interval.
bool beyond_chance(const Measured& value, const Finding& of);
/// A few words: does it leak, and does that prove anything?
std::string reading_of(const Strongest& entry);
/// Share of the advantage on clear data that is left; nothing where clear data gives none.
Number kept_of(const Strongest& entry);
/// "best of 16; corrected for the choice 85.9 %"; nothing where there was no choice.
std::string choice_text(const Strongest& entry);
/// What a run's report begins with.
std::string verdict_of(const RunResults& run);

/// Whether a finding's axes are those of a cell's key, but for some that do not matter.
bool stands_at(const Finding& finding, const Json& key, const Names& besides = {});

/// The card at the top of the page for one run. Chapters add to it.
struct Card {
  struct Fact {
    std::string name, value;
    bool wide = true;
  };
  std::string origin;  ///< the run, where there are several
  std::string verdict;
  const Strongest* headline = nullptr;  ///< null where there is no number to show
  std::vector<Fact> facts;
  Names threat_model;  ///< sentences

  /// The cell that the headline's finding came from, if it is among these: every entry of its key is an axis of that.
  [[nodiscard]] const Cell* about(const Cells& cells) const;
};

Card card_of(const RunResults& run);
std::string card_html(const Card& card);

}  // namespace bauta::report
