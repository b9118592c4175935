// What is known of the recalls of classes whose samples hang together in subjects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "bauta/measure/intervals.hpp"

namespace bauta {

/// A subject's samples of one class; `right` may be a sum of parts.
struct ClassTally {
  std::uint32_t subject = 0, cls = 0;
  double total = 0, right = 0;
};

/// 95 % interval of the mean recall of the classes that occur. Tallies ascend in their subject; no class of a subject
/// occurs twice.
Interval mean_recall_interval(std::span<const ClassTally> tallies, std::size_t classes);

}  // namespace bauta
