#pragma once

namespace bauta {

inline constexpr const char* version = BAUTA_VERSION;

}  // namespace bauta
