// Findings as docs/results.md describes them.
#pragma once

#include <optional>

#include "bauta/core/json.hpp"
#include "bauta/measure/finding.hpp"

namespace bauta {

/// As results.json has it: without draws.
Json to_json(const Finding& finding);
/// As a run keeps it for itself: with `draws` (null: not defined in that draw) and `drawn_over`.
Json stored_json(const Finding& finding);
/// Reads both. What is missing or of the wrong kind is empty; nothing without `about` and a finite `value`.
std::optional<Finding> read_finding(const Json& json);

}  // namespace bauta
