// The attacker's data base of the similarity attack (S0): one sample per identity and class, balanced on
// the attribute.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bauta/data/dataset.hpp"

namespace bauta {

struct AttackerDatabase {
  std::vector<std::size_t> rows;         ///< rows of the data set, ascending
  std::vector<std::int32_t> classes;     ///< class code of each of these rows
  std::vector<std::string> class_names;  ///< sorted
  std::size_t per_class = 0;             ///< identities of each class
  std::size_t identities = 0;            ///< in all; fewer than rows where an attribute changes from sample to sample
};

/// The sample with the highest `quality` stands for its identity, in each class that the identity has samples of;
/// without such a column a seeded choice does.
/// Identities without a value of the attribute are left out; classes are cut to the smallest one by a seeded choice of
/// identities.
AttackerDatabase attacker_database(const Dataset& dataset, const std::string& attribute, std::uint64_t seed);

}  // namespace bauta
