// Parts of a data set that share no subject: "2/3" is the second of three, the same one in every command and run.
#pragma once

#include <cstddef>
#include <string_view>

#include "bauta/data/dataset.hpp"

namespace bauta {

struct PartNumber {
  std::size_t index = 1;  ///< 1..count
  std::size_t count = 1;
};

/// "I/K" with 1 <= I <= K.
PartNumber parse_part(std::string_view text);

/// Subjects are dealt out at random, as evenly as their number allows. Samples without an identity are subjects of
/// their own; samples that stand byte-identical under two names are in no part, and a remark says so.
Dataset subject_part(const Dataset& dataset, PartNumber part);

}  // namespace bauta
