// Which original is it? Attackers who hold the originals look for the one that a protected record was made from
// (Moriarty et al., S2, with the attackers that the paper leaves out).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bauta/data/dataset.hpp"
#include "bauta/protect/protection.hpp"
#include "bauta/question/question.hpp"

namespace bauta {

struct LinkageRun {
  std::string attribute;  ///< that is told with the records: its classes narrow the search; empty: none
  /// Records are looked for among all originals; otherwise among those of the test part.
  bool among_all = false;
  /// Records of each class of the attribute that sets are drawn from. Empty: those that are looked through.
  std::map<std::string, std::size_t> population = {};
  bool controls = true;  ///< attackers are also tried on clear data, and informed ones where nothing is to be found
  std::vector<std::size_t> top = {1, 2, 5, 10, 20, 50};
  double temperature = 1;  ///< of the softmax of cosines
  std::size_t bootstrap = 1000;
  std::uint64_t seed = 1;
};

/// Originals, of which `test` were protected; no sample may have failed.
struct LinkedRecords {
  const Dataset& train;
  const Dataset& test;
  const Dataset& records;  ///< what became of `test`, row by row
  /// What informed attackers know of a technique that mixes records.
  std::optional<Blend> blend = std::nullopt;
};

/// Values: attackers, worst_record and exact_copies.
Answer run_linkage(const LinkedRecords& data, const LinkageRun& run);

/// Of `attackers` who leaves the lowest mixture, or of those who are not informed; null: nobody could try.
const Json* strongest_linker(const Json& attackers, bool informed);

}  // namespace bauta
