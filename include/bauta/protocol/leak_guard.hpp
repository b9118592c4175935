// Parts of a protocol that must not share subjects or samples are checked before anything is computed on them.
#pragma once

#include "bauta/data/dataset.hpp"

namespace bauta {

/// Throws an input error that names the identities, or the byte-identical templates, that stand in both data sets.
void require_disjoint(const Dataset& a, const Dataset& b);

}  // namespace bauta
