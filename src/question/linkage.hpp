// Which original is it? Attackers who hold the originals look for the one that a protected record was made from
// (Moriarty et al., S2, with the attackers that the paper leaves out).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bauta/data/dataset.hpp"
#include "bauta/protect/protection.hpp"
#include "bauta/question/question.hpp"
#include "bauta/measure/usual.hpp"
#include "standings.hpp"

namespace bauta {

struct LinkageRun {
  std::string attribute;  ///< that is told with the records: its classes narrow the search; empty: none
  /// Records are looked for among all originals; otherwise among those of the test part.
  bool among_all = false;
  /// Records of each class of the attribute that sets are drawn from. Empty: those that are looked through.
  std::map<std::string, std::size_t> population = {};
  bool controls = true;  ///< attackers are also tried on clear data, and informed ones where nothing is to be found
  std::vector<std::size_t> top = usual_top;
  double temperature = 1;  ///< of the softmax of cosines
  std::size_t bootstrap = usual_draws;
  std::uint64_t seed = 1;
};

/// Originals, of which `test` were protected; no sample may have failed.
struct LinkedRecords {
  const Dataset& train;
  const Dataset& test;
  const Dataset& records;  ///< what became of `test`, row by row
  /// What informed attackers know of a technique that mixes records.
  std::optional<Blend> blend = std::nullopt;
  People people = {};  ///< who `test` are; empty: as it says itself
};

/// What an attacker comes to, record by record.
struct Linked {
  std::string attacker;
  std::string text;
  bool informed = false;
  std::vector<Standing> standings = {};
  std::vector<Standing> clear = {}, null = {};  ///< of controls; empty: not tried
};

/// Records of one or more repetitions, pooled: a person counts as one in every interval.
class Linkages {
 public:
  explicit Linkages(LinkageRun run) : run_(std::move(run)) {}

  void add(const LinkedRecords& data);
  /// Values: attackers, worst_record and exact_copies. Of attackers those who could try in every repetition.
  [[nodiscard]] Answer answer() const;

 private:
  void add_attacker(const Linked& linked, const Judged& judged, Answer& answer) const;
  /// The record that the strongest of them finds most surely.
  void add_worst_record(Answer& answer) const;

  LinkageRun run_;
  PeopleNumbers people_;
  std::vector<std::uint32_t> subjects_;
  std::vector<Linked> attackers_;
  std::size_t copies_ = 0, repetitions_ = 0;
};

/// The same of one repetition.
Answer run_linkage(const LinkedRecords& data, const LinkageRun& run);

/// Parameters of a technique that mixes records, those that a search varies, and what they came to.
Json setting_json(const ResolvedProtection& protection, const Blend& blend);

/// Of the `attackers` of an answer, one to a finding, who stands first in the ranking (ranks_before: who fails on clear
/// data last), or of those who are not informed; null: nobody could try.
const Json* strongest_linker(const Json& attackers, std::span<const Finding> findings, bool informed);

}  // namespace bauta
