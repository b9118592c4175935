// JSON that others may have written.
#pragma once

#include <string>

#include "bauta/core/json.hpp"

namespace bauta {

/// An input error at `where` for what is no JSON, or nested deeper than anything of ours: whatever walks through a value
/// recurses.
Json parse_json(const std::string& text, const std::string& where, const std::string& hint = {});

}  // namespace bauta
