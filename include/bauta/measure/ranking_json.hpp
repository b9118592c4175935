// The ranking of attackers as docs/results.md describes it.
#pragma once

#include <optional>
#include <vector>

#include "bauta/core/json.hpp"
#include "bauta/measure/ranking.hpp"

namespace bauta {

Json to_json(const RankedTarget& target);
/// Patient as read_finding(); nothing without a readable `strongest`.
std::optional<RankedTarget> read_ranked_target(const Json& json);
/// The entries of an array that can be read.
std::vector<RankedTarget> read_ranking(const Json& json);

}  // namespace bauta
