// Draws of several findings side by side.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bauta/core/matrix.hpp"
#include "bauta/measure/finding.hpp"

namespace bauta {

/// Enough of its draws are defined: at most one in twenty is not.
bool has_draws(const Finding& finding);

/// One row per draw, one column per finding; as many draws as all of them have; NaN: not defined in it.
///
/// Findings that were drawn over the same subjects are joint: draw d of one belongs to draw d of the other. All others
/// count as independent: their draws are put in another order, the same for all of one group, because draws of one
/// number come from one stream of random numbers and would agree by accident. For different people that is right. Where
/// the groups share people their errors go together, and the largest of errors that go together is smaller than the
/// largest of independent ones (Slepian's inequality for normal errors): what is bounded this way is bounded too widely
/// rather than too narrowly.
Matrix<double> join_draws(std::span<const Finding* const> findings);

/// The same, but truths that are plausible for their intervals in place of the values in draws: draws tell how values
/// vary together, intervals how much each one varies. A finding without interval keeps its draws.
Matrix<double> join_plausible(std::span<const Finding* const> findings);

/// Whether all of them were drawn over the same, known subjects.
bool drawn_jointly(std::span<const Finding* const> findings);

}  // namespace bauta
