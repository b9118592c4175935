// What the process that runs the files of users takes from itself before it opens one.
#pragma once

#include <cstdint>
#include <string>

namespace bauta {

/// Files can be read, and what is open can be used; nothing can be written, started, removed or reached. Memory is
/// bounded. Gives why that is not so; empty: it is.
std::string confine(std::uint64_t mebibytes);

/// From now on so many seconds of computing are left.
void allow_seconds(std::uint64_t seconds);

}  // namespace bauta
