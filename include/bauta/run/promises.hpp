// What techniques promise, as results.json has it.
#pragma once

#include <string>
#include <vector>

#include "bauta/core/json.hpp"
#include "bauta/protect/promise.hpp"

namespace bauta {

/// One entry of `techniques`; `technique` is what the keys of cells call it.
Json promise_json(const std::string& technique, const Promise& promise);

/// Of these samples, technique by technique. What masks nothing promises nothing, and is left out.
Json promises_json(const std::vector<std::string>& techniques, const Dataset& dataset);

}  // namespace bauta
