// What the process that runs the files of users takes from itself before it opens one.
#pragma once

#include <cstdint>

namespace bauta {

/// Files can be read, and what is open can be used; nothing can be written, started, removed or reached. Memory is
/// bounded. Where the system knows no such filter, the bounds alone hold.
void confine(std::uint64_t mebibytes);

/// From now on so many seconds of computing are left.
void allow_seconds(std::uint64_t seconds);

}  // namespace bauta
