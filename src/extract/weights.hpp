// Weights that others trained: where they lie.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace bauta {

/// The file `name` in the folder `models`; without one in the folder that the environment variable BAUTA_MODELS names,
/// in what set-up installed from npm, and in Debian's folder, in this order. An environment error names file, places
/// and packages if it is nowhere.
std::filesystem::path find_weights(const std::string& models, std::string_view name);

}  // namespace bauta
