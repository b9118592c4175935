// What learned reversals ask of their pairs and of their target.
#pragma once

#include <string>

#include "bauta/recover/recovery.hpp"

namespace bauta {

/// At least two clear float templates and their protected forms.
void require_pairs(const std::string& recovery, const Knowledge& knowledge);
/// Templates of the kind and width that were learned from.
void require_same_form(const Dataset& target, const Templates& learned);

}  // namespace bauta
