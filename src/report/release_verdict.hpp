// What people should know about a release, in sentences.
#pragma once

#include "bauta/core/json.hpp"

namespace bauta::report {

/// Sentences about `results.release`: `threat_model`, `not_promised` and `written`.
Json release_statements(const Json& release);

}  // namespace bauta::report
