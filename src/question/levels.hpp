// Levels of a measure as results hold them.
#pragma once

#include <optional>

#include "bauta/core/json.hpp"
#include "bauta/measure/finding.hpp"

namespace bauta {

/// `value` and `ci` name the fields; an interval may be null. Empty for what is not an object.
inline std::optional<Level> level_of(const Json& json, const char* value, const char* ci = "ci") {
  if (!json.is_object()) return std::nullopt;
  Level level{json[value].get<double>()};
  if (const Json& ends = json[ci]; ends.is_array()) level.ci = Interval{ends[0], ends[1]};
  return level;
}

}  // namespace bauta
