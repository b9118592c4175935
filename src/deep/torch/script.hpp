// Networks in TorchScript, inside the module.
#pragma once

#include "bauta/deep/script.hpp"

namespace bauta::training {

std::unique_ptr<ScriptModel> load_script(const std::filesystem::path& file);

}  // namespace bauta::training
