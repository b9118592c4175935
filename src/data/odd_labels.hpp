// Labels that may be meant otherwise than they are read.
#pragma once

#include "bauta/data/dataset.hpp"

namespace bauta {

/// Nothing is changed, but remarks say which columns have values that differ by the case of their letters alone, and
/// which would be numbers but for a few words or for separators. No name of a person is printed.
void remark_odd_labels(Dataset& dataset);

}  // namespace bauta
