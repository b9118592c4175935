// Between the program and the module that holds LibTorch: one function.
#pragma once

#include "bauta/core/version.hpp"
#include "bauta/deep/trainer.hpp"

namespace bauta {

constexpr const char* module_file_name = "libbauta_torch.so";
constexpr const char* module_entry_name = "bauta_torch_trainer";
/// Changes whenever the interface does, so that a module left over from another build is refused.
constexpr const char* module_version = BAUTA_VERSION "/2";

/// Null if the module is of another version.
using ModuleEntry = const Trainer*(const char* version);

}  // namespace bauta
