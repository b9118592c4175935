// What a run found, for a terminal: one sentence and one small table.
#pragma once

#include <string>
#include <vector>

#include "bauta/core/json.hpp"

namespace bauta {

/// What a report on these results begins with: the strongest attacker, or why nothing is known.
std::string verdict(const Json& results);

/// What the evidence of a release begins with: whether its records can be traced.
std::string release_verdict(const Json& results);

/// Rows of text, the first is their heads: per technique and target the strongest attacker and what it reads, between
/// chance and clear data, beside recognition and utility.
std::vector<std::vector<std::string>> summary(const Json& results);

}  // namespace bauta
