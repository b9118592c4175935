// Intervals of a verification result from draws of its subjects.
#pragma once

#include <cstddef>

#include "bauta/measure/verification.hpp"
#include "subject_bootstrap.hpp"

namespace bauta {

/// Fills in intervals, draws and what is to be said of them. `mated_subjects`: whom the mated comparisons are
/// worth (DrawTotals).
void set_drawn_intervals(VerificationResult& result, BootstrapDraws draws, std::size_t subjects, double mated_subjects);

}  // namespace bauta
