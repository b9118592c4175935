// Files that settings name are called by what is in them, so that addresses change with their contents and results hold
// no place of this machine.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/core/declaration.hpp"

namespace bauta {

/// Whether a parameter of this type says where something lies.
bool names_file(ParameterType type);

/// `NAME#DIGEST` of a file, or of the files of a folder; without the name where that is nobody's business. Nothing
/// where it cannot be read as a file or folder (a pipe gives what it has once). Known from then on to place_of().
std::optional<std::string> called_by_contents(const std::filesystem::path& place, bool with_name);

/// The same for a file with a key, which is called by nothing that it holds: whoever reads results would try keys until
/// one fits. Its digest is of which file it is and when it last changed.
std::optional<std::string> called_key(const std::filesystem::path& file);

/// Where something that was called so lies; anything else is a place already.
std::string place_of(const std::string& called);

/// The words of a command, between blanks; quotes hold a word together. A usage error where one does not end.
std::vector<std::string> command_words(std::string_view command);
std::string command_of(const std::vector<std::string>& words);
/// The file that a shell would run; empty where there is none.
std::filesystem::path found_program(const std::string& name);
/// The command with its program, and each word or rest of a word behind `=` that names a file or folder (relative to
/// `folder`), called by what is in it, and the way back. What stands there called so already stays. Of folders that are
/// too large to be looked at the name alone stays, with a warning.
std::string called_command(std::string_view command, const std::filesystem::path& folder);
std::string placed_command(std::string_view command);

}  // namespace bauta
