// What recoveries read from the record of a protected data set: which rows enrol one sample, and with which parameters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/data/dataset.hpp"

namespace bauta {

/// Enrolments of one sample.
struct EnrolmentGroup {
  std::vector<std::size_t> rows;   ///< those that did not fail
  std::size_t representative = 0;  ///< the first of them, or the first row if all failed
};

/// Rows with one value in the column `by` form a group, in order of first appearance. A group belongs to one identity.
std::vector<EnrolmentGroup> group_enrolments(const Dataset& target, const std::string& by);

/// Name of the technique that the data set records; empty without a record.
std::string recorded_technique(const Dataset& target);
/// Value of a parameter of `technique`; empty if another or no technique is recorded.
std::string recorded_parameter(const Dataset& target, std::string_view technique, const std::string& parameter);

/// An integer parameter of a recovery whose 0 means: what the data records of `technique`.
std::size_t given_or_recorded(std::size_t given, const Dataset& target, std::string_view technique,
                              const std::string& parameter, const std::string& where);

}  // namespace bauta
