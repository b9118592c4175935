// What recoveries read from the record of a protected data set: which rows enrol one sample, and with which parameters.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bauta/data/dataset.hpp"
#include "bauta/protect/known_mask.hpp"

namespace bauta {

/// Enrolments of one sample.
struct EnrolmentGroup {
  std::vector<std::size_t> rows;   ///< those that did not fail
  std::size_t representative = 0;  ///< the first of them, or the first row if all failed
};

/// Rows with one value in the column `by` form a group, in order of first appearance. A group belongs to one identity.
std::vector<EnrolmentGroup> group_enrolments(const Dataset& target, const std::string& by);

/// What the data set's record tells of its technique; nothing without a record.
KnownMask recorded_mask(const Dataset& target);

/// A parameter of a recovery, named by `where`, whose 0 means: what the data set's record tells.
std::size_t given_or_recorded(std::size_t given, const Dataset& target, std::size_t KnownMask::*recorded,
                              const std::string& where);

}  // namespace bauta
