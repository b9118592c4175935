// Between the program and the module that holds LibTorch.
#pragma once

#include "bauta/core/version.hpp"
#include "bauta/deep/script.hpp"
#include "bauta/deep/trainer.hpp"

namespace bauta {

/// Changes whenever the interface does.
constexpr const char* module_version = BAUTA_VERSION "/4";

}  // namespace bauta
