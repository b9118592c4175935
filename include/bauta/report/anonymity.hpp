// Anonymised records: what they are still good for, and whether the people behind them can be found again
// (S2: utility-preserving anonymisation). Everything may be missing.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bauta/report/estimates.hpp"
#include "bauta/report/series.hpp"

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

/// Who looks for the original of an anonymised record. Identity mixture is the share that he does not find.
struct Reidentifier {
  std::string attacker, question, text;  ///< question: "record" or "identity"
  bool informed = false;                 ///< knows how the records were anonymised; the paper's do not
  Number candidates, chance, kl, temperature, clear_mixture;
  Measured mixture;
  std::vector<TopMixture> top;
  /// False where he does no better than guessing on clear data: then his failure protects nobody.
  std::optional<bool> works;

  [[nodiscard]] bool broken() const { return works == false; }
};

/// What an informed attacker leaves of the mixture that was claimed.
struct Survival {
  std::string question, attacker_claimed, attacker, sentence;
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
  std::vector<std::string> remarks;

  [[nodiscard]] const AttributeUtility* interest() const;
  [[nodiscard]] std::string parameter(const std::string& wanted) const;
};

/// A grid of settings: the first axis is drawn along x, further ones are series.
struct Sweep {
  struct Axis {
    std::string name;
    std::vector<std::string> values;
  };
  std::vector<Axis> axes;
  std::vector<std::string> techniques;  ///< last axis fastest

  /// The setting's place on each axis.
  [[nodiscard]] std::vector<std::size_t> place(std::size_t technique) const;
};

Anonymised read_anonymised(Series series, const std::string& representation, const Json& key, const Json& values,
                           Json& rest);
/// Nothing where the grid and its axes do not fit together.
std::optional<Sweep> read_sweep(const Json& values);

using Settings = std::vector<const Anonymised*>;

/// Those that were anonymised indeed, without the clear data beside them.
Settings protected_settings(const std::vector<Anonymised>& all);
/// Gives each setting its short name, with the run where there are several.
void name_settings(std::vector<Anonymised>& all, const std::string& run);
/// Questions that somebody asked, "identity" before "record" where both were.
std::vector<std::string> questions_of(const Settings& settings);
/// The attacker of this kind who finds most; a broken one only where there is no other. Null where there is none.
const Reidentifier* strongest(const Anonymised& setting, const std::string& question, bool informed);
/// The run's own account, and what its attackers say where it has none.
Survival survival_of(const Anonymised& setting, const std::string& question);
/// The strongest attacker over all questions, by what he takes from the mixture that guessing leaves. Null where
/// nobody's attack works.
const Reidentifier* worst_of(const Anonymised& setting);
/// Share of the mixture of guessing that the attacker takes away: 0 at chance, 1 where he finds everybody.
Number advantage(const Reidentifier& attacker);

/// Names of attackers who fail on clear data, separated by commas.
std::string broken_attackers(const Settings& settings);

/// "Which person?", "Which record?".
std::string question_title(const std::string& question);
/// "likelihood (informed)".
std::string attacker_name(const Reidentifier& attacker);
/// One less it, for rates and their intervals.
Measured complement(const Measured& measured);

}  // namespace bauta::report
