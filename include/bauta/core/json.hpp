// JSON with keys in the order they were written: results read like the tables they become.
#pragma once

#include <nlohmann/json.hpp>

namespace bauta {

using Json = nlohmann::ordered_json;

}  // namespace bauta
