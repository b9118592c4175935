// Whether what must be apart is: samples, people and what a technique made of them before the experiment began.
#pragma once

#include "bauta/core/json.hpp"
#include "bauta/run/experiment.hpp"
#include "stored_views.hpp"

namespace bauta {

// Each adds its remarks to `remarks`; where the experiment is strict what may stand on two sides stops it.

/// Samples too close to be independent: between data sets that must be apart, or within one that is dealt out.
Json find_near_duplicates(const Experiment& experiment, const ExperimentData& data, Json& remarks);
/// People and samples that may stand on two sides.
void remark_on_suspects(const Experiment& experiment, const ExperimentData& data, const Arrangement& arrangement,
                        Json& remarks);
/// What a technique made of everybody at once does not come in parts that are apart.
void remark_on_made_together(const Experiment& experiment, const ExperimentData& data, const Arrangement& arrangement,
                             Json& remarks);
/// What the data say that they went through before they came here.
Json earlier_masks(const ExperimentData& data, Json& remarks);

}  // namespace bauta
