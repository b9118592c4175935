// What questions answered, as results.json has it.
#pragma once

#include <vector>

#include "bauta/core/json.hpp"
#include "bauta/measure/ranking.hpp"
#include "bauta/question/question.hpp"

namespace bauta {

/// Version of the format of results.json.
inline constexpr int results_schema = 2;

/// A finished cell, as a run keeps it: with the draws of its findings.
Json answered(const Question& question, const Asked& asked, Views& views);

/// The cell as results.json has it, without draws. Its findings are added to `findings` with them.
Json shown(Json cell, std::vector<Finding>& findings);

/// Adds `ranking` and `headline`, and gives the former; before that, the clear levels that cells have of each other.
/// `findings` are those of all cells, in order.
std::vector<RankedTarget> add_ranking(Json& results, std::vector<Finding>& findings);

}  // namespace bauta
