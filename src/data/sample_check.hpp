// What every data set must fulfil, whatever it was read from.
#pragma once

#include "bauta/data/dataset.hpp"

namespace bauta {

/// Finds the identity column, checks counts, `failed` marks, media paths and every template value, and remarks on
/// attribute codings. Throws an input error that names file and row.
void check_samples(Dataset& dataset, const ReadOptions& options);

}  // namespace bauta
