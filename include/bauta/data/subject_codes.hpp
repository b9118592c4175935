// Who is who, as numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "bauta/data/dataset.hpp"

namespace bauta {

/// A code per sample: those of one person are equal, samples without a name are of somebody else each.
std::vector<std::int32_t> subject_codes(const Dataset& data);

}  // namespace bauta
