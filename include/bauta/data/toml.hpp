// TOML files, read by toml++. Nobody includes toml++ but through this header, which sets it up.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Its code is compiled once, in toml.cpp: 6 s less in every other file.
#define TOML_HEADER_ONLY 0
// toml++ 3.3 asserts what damaged files do not fulfil, e.g. [*] (its pull request 301); without, it reports them.
#define TOML_ASSERT(condition) static_cast<void>(0)
#include <toml++/toml.h>

namespace bauta {

/// toml++ nests one table per name of a dotted key, without limit, and frees them by recursion: half a million names in
/// one key overflow the stack of 8 MiB, a hundred thousand do not.
constexpr std::size_t largest_toml = std::size_t{1} << 16;

/// Input errors name `where` and the line. Texts of more than 64 KiB are refused.
toml::table parse_toml(std::string_view text, const std::string& where);

}  // namespace bauta
