// An arrangement says which samples play which role in which rotation, and which roles may not share a person. It is a
// pure function of labels: nothing is protected, extracted or attacked here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bauta/data/dataset.hpp"
#include "bauta/protocol/people_order.hpp"
#include "bauta/protocol/pep.hpp"
#include "bauta/protocol/selection.hpp"

namespace bauta {

enum class Role {
  whole,       ///< everything that is under attack, all rotations together
  target,      ///< under attack
  attacker,    ///< what attackers learn from, and compare with
  dev,         ///< what attackers tune on
  fit,         ///< what protections learn from
  fit_dev,     ///< what decides when they stop learning
  enrol,       ///< samples of known people
  probe,       ///< other samples of the same people, to be named
  background,  ///< other people, whom representations are learned from
};

std::string_view to_text(Role role);

/// Rows of one of the data sets that were arranged, ascending.
struct Rows {
  std::size_t source = 0;
  std::vector<std::size_t> rows = {};
};

using Roles = std::map<Role, Rows>;

struct Arrangement {
  std::string kind;                                  ///< "cross-database", "PEP-TF", "closed-set"
  std::string text;                                  ///< as people write or read it
  std::vector<Roles> rotations;                      ///< each has the same roles
  std::vector<std::pair<Role, Role>> disjoint = {};  ///< may share neither a person nor a sample
  bool masked_by_role = false;  ///< each role is protected by itself, as a release would be; otherwise a data set
                                ///< whole, but by techniques that mix records
  bool repeated = false;  ///< rotations are repetitions with samples, and people, drawn anew; otherwise folds in turn
  bool one_sample_each = false;  ///< nobody has two samples: records can be looked for, people cannot
  std::string balanced_on = {};  ///< attribute that the folds are alike in
  std::vector<std::string> remarks = {};
  Folds folds = {};  ///< of a privacy evaluation protocol

  [[nodiscard]] bool has(Role role) const { return !rotations.empty() && rotations.front().contains(role); }
};

/// The data sets of an experiment by the role that they were named for; null: not given.
struct Sources {
  const Dataset* target = nullptr;
  const Dataset* attacker = nullptr;
  const Dataset* dev = nullptr;
  const Dataset* fit = nullptr;
  const Dataset* background = nullptr;

  /// Those that are given; `Rows::source` counts in it.
  [[nodiscard]] std::vector<const Dataset*> given() const;
};

/// Attackers hold one data set, another is under attack.
Arrangement cross_database(const Sources& sources);
/// Folds of one data set in turn (S1). `rotations`: so many of them; 0: all.
Arrangement privacy_evaluation(const Sources& sources, const Pep& pep, const std::string& attribute,
                               std::size_t rotations, std::uint64_t seed);
/// Of everybody some samples are known, others are to be named. `attribute` may be empty. `repeats`: so many splits.
Arrangement closed_set(const Sources& sources, const std::string& attribute, double test_share, std::size_t repeats,
                       std::uint64_t seed);

/// Who is under attack in a rotation: names, sorted. Throws where nobody has a name.
std::vector<std::string> people_under_attack(const Arrangement& arrangement, const Sources& sources,
                                             std::size_t rotation);
/// The same with some people only, chosen from those who are under attack. The others leave every role of the target's
/// data but fit. `orders`: by rotation, of the people under attack in it.
Arrangement only_people(Arrangement arrangement, const Sources& sources, const Selection& selection,
                        std::span<const PeopleOrder> orders);
/// At random; in repetitions anew.
Arrangement only_people(Arrangement arrangement, const Sources& sources, const Selection& selection,
                        std::uint64_t seed);

/// The leak guard: throws where roles that must be disjoint share a person or a byte-identical sample.
void guard(const Arrangement& arrangement, const Sources& sources);
/// What may be one person or one sample in two of these roles, and need not be. Sentences for people.
std::vector<std::string> suspected_leaks(const Arrangement& arrangement, const Sources& sources);

}  // namespace bauta
