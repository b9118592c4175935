// Anonymised records: what they are still good for, and whether the people behind them can be found again
// (S2: utility-preserving anonymisation). Everything may be missing.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "chapter.hpp"

namespace bauta::report {

/// How well an attribute is still read, by who learned from clear data.
struct AttributeUtility {
  std::string attribute;
  bool interest = false;  ///< the attribute of interest; additional ones count with the weight alpha
  Number alpha, classes, chance, balanced;
  Measured accuracy;
  std::optional<Measured> clear, retrained;
};

struct TopMixture {
  double k = 1;
  Measured mixture;
  Number chance;
};

/// Who looks for the original of an anonymised record. Identity mixture is the share that they do not find.
struct Reidentifier {
  std::string attacker, question, text;  ///< question: "record" or "identity"
  bool informed = false;                 ///< knows how the records were anonymised; the paper's do not
  Number candidates, chance, kl, temperature, clear_mixture;
  Measured mixture;
  std::vector<TopMixture> top;
  /// False where they do no better than guessing on clear data: then their failure protects nobody.
  std::optional<bool> works;

  [[nodiscard]] bool broken() const { return works == false; }
};

/// What an informed attacker leaves of the mixture that was claimed.
struct Survival {
  std::string question, attacker_claimed, attacker;
  Number claimed, informed, chance;
  std::optional<Interval> ci;
};

struct Anonymised {
  Series series;
  std::string name;  ///< short: what tells it from the run's other settings
  std::string representation, split, estimator;
  Number records, train_records, identities, failures, exact_copies;
  bool one_record_per_identity = false;
  std::vector<std::pair<std::string, std::string>> parameters;
  Number utility, utility_clear;
  std::vector<AttributeUtility> attributes;
  std::vector<Reidentifier> attackers;
  std::vector<Survival> survives;
  std::string worst_attacker;
  Number worst_posterior, worst_rank, found_first;

  [[nodiscard]] const AttributeUtility* interest() const;
  [[nodiscard]] std::string parameter(const std::string& wanted) const;
};

/// A run's settings, clear data among them.
struct AnonymisedRun {
  const RunResults* run = nullptr;
  std::vector<Anonymised> all;

  /// Representations in order of appearance; one empty name where templates were given.
  [[nodiscard]] Names representations() const;
  /// The setting of this technique and representation, or null.
  [[nodiscard]] const Anonymised* setting(const std::string& technique, const std::string& representation) const;
  /// The attribute of interest of the first setting that has one.
  [[nodiscard]] std::string interest() const;
};

/// Takes a cell to its run's settings, and names them anew.
void add_setting(const Cell& cell, const RunResults& run, std::vector<AnonymisedRun>& runs);

using Settings = std::vector<const Anonymised*>;

/// Those that were anonymised indeed, without the clear data beside them.
Settings protected_settings(const AnonymisedRun& run);
/// Those of the technique that the run's headline is about, one per representation.
Settings headline_settings(const AnonymisedRun& run);
/// Questions that somebody asked, "identity" before "record" where both were.
Names questions_of(const Settings& settings);
/// For figures that have room for one attacker of a kind: who finds most; a broken one only where there is no other.
/// Null where there is none.
const Reidentifier* strongest(const Anonymised& setting, const std::string& question, bool informed);
/// The run's account of the question; empty where it has none.
Survival survival_of(const Anonymised& setting, const std::string& question);
std::string survival_sentence(const Survival& survival);
/// Names of attackers who fail on clear data, separated by commas.
std::string broken_attackers(const Settings& settings);

/// "Which person?", "Which record?".
std::string question_title(const std::string& question);
/// "likelihood (informed)".
std::string attacker_name(const Reidentifier& attacker);
/// "voice: name" where there are several runs; without it, on a card that says which run it is about.
std::string name_within_run(const Anonymised& setting);
/// One less it, for rates and their intervals.
Measured complement(const Measured& measured);

}  // namespace bauta::report
