// Data that leaves the house: records in an order of their own, with fresh ids and nothing beside what was asked for.
#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "bauta/protect/protection.hpp"

namespace bauta {

struct Released {
  static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

  std::vector<std::size_t> place;  ///< row of each sample in the release; `nowhere` for those that failed
  std::size_t records = 0;
  std::size_t features = 0;
  std::size_t exact_copies = 0;      ///< of originals, over all records; a release with any is refused
  std::vector<std::string> columns;  ///< attributes in labels.csv: the one of interest, then those kept beside it
  Provenance provenance;
};

/// Writes templates.npy, labels.csv and dataset.toml of a release into an existing folder, block by block; nothing is
/// held. Sets, order and whatever else is random come from the operating system. Failed samples are left out. A usage
/// error if a record would be released as it is, or with the name of its person as an attribute.
Released release_to_folder(const ResolvedProtection& protection, const Dataset& dataset,
                           const std::filesystem::path& folder);

/// How well the released labels alone hide somebody whose labels are known.
struct LabelRisk {
  std::size_t combinations = 0;  ///< of values that occur
  std::size_t smallest = 0;      ///< records that share the rarest one: k of k-anonymity
  std::size_t alone = 0;         ///< records whose combination nobody shares
};

/// Failed samples do not count.
LabelRisk label_risk(const Dataset& dataset, const std::vector<std::string>& columns);

}  // namespace bauta
