// Samples without a template, as `lost` in results.json has them.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "bauta/core/json.hpp"
#include "bauta/protocol/arrangement.hpp"

namespace bauta {

/// Samples that were masked, undone or looked at together, and those of them that have no template.
struct LostSamples {
  std::string data = {};                                  ///< where they come from
  std::string technique = {};                             ///< empty: they are as they were
  std::string recovery = {};                              ///< empty: not undone
  std::string extractor = {};                             ///< empty: the data holds templates
  std::optional<Role> role = {};                          ///< where each role was masked, or undone, by itself
  std::optional<std::size_t> rotation = {};               ///< where rotations differ
  std::size_t samples = 0;                                ///< how many there are, lost or not
  std::size_t failed = 0;                                 ///< how many are lost
  std::map<std::string, std::set<std::size_t>> why = {};  ///< by reason: rows in the data
};

/// Null where none is lost.
Json to_json(const LostSamples& lost);

}  // namespace bauta
