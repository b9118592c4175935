// The JSON of results.
#pragma once

#include "bauta/core/json.hpp"
