// What learned reversals ask of their pairs and of their target.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bauta/recover/recovery.hpp"

namespace bauta {

/// The parameter `scale` of learned reversals, and what it asks for: rows of length 1, because csn draws lengths at
/// random.
Parameter scale_parameter();
bool wants_unit_length(const Parameters& parameters, const Dataset& protected_clear);
/// Every row of floats at length 1; a zero row stays zero, other kinds stay as they are.
Templates unit_rows(const Templates& templates);

/// At least two clear float templates and their protected forms.
void require_pairs(const std::string& recovery, const Knowledge& knowledge);
/// Templates of the kind and width that were learned from.
void require_same_form(const Dataset& target, const Templates& learned);

}  // namespace bauta
