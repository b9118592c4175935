// What was understood of a data set: counts, labels and their balance, duplicates, and what is wrong with it.
#pragma once

#include "bauta/core/json.hpp"
#include "bauta/data/dataset.hpp"

namespace bauta {

Json run_inspect(const Dataset& dataset);

}  // namespace bauta
