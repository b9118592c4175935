// Between the program and the module that holds LibTorch.
#pragma once

#include "bauta/core/version.hpp"
#include "bauta/deep/face_net.hpp"
#include "bauta/deep/image_trainer.hpp"
#include "bauta/deep/script.hpp"
#include "bauta/deep/trainer.hpp"

namespace bauta {

/// Changes whenever the interface does.
constexpr const char* module_version = BAUTA_VERSION "/8";

/// Loads the module at the first call. An environment error says what is missing.
const FaceNetMaker& face_net_maker();

}  // namespace bauta
