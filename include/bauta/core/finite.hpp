// Whether numbers are numbers: what is learned, measured or written holds no infinity and no NaN.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "bauta/core/templates.hpp"

namespace bauta {

/// At the speed of memory.
bool all_finite(std::span<const float> values);

/// What `who` ("the technique") made of samples, whatever its parameters and the data: a usage error where it is no
/// number. Rows stand from row `first` of a data set on; those that `failed` there may hold anything.
void require_finite(const Templates& made, const std::vector<bool>& failed, std::size_t first, std::string_view who);

}  // namespace bauta
