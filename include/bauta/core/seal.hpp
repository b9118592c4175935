// Files of a run carry a digest of what they say: damage and edits from outside show. It keeps nobody out who computes
// a new one.
#pragma once

#include <string_view>

#include "bauta/core/json.hpp"

namespace bauta {

/// `content` with `digest`, of everything else in it, as its last member. `name`: what it must be found under.
Json sealed(Json content, std::string_view name = {});

enum class Seal { none, whole, broken };

Seal seal_of(const Json& content, std::string_view name = {});

}  // namespace bauta
