// Files that settings name are called by what is in them, so that addresses change with their contents and results hold
// no place of this machine.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "bauta/core/declaration.hpp"

namespace bauta {

/// Whether a parameter of this type says where something lies.
bool names_file(ParameterType type);

/// `NAME#DIGEST` of a file, or of the files of a folder; without the name where that is nobody's business. Nothing
/// where it cannot be read as a file or folder (a pipe gives what it has once). Known from then on to place_of().
std::optional<std::string> called_by_contents(const std::filesystem::path& place, bool with_name);

/// Where something that was called so lies; anything else is a place already.
std::string place_of(const std::string& called);

}  // namespace bauta
