// What image networks want taken from their input.
#pragma once

#include <array>
#include <string>

namespace bauta {

/// "127.5", or "123.7/116.8/103.9" of red, green and blue; a usage error for anything else.
std::array<double, 3> parse_channel_means(const std::string& text);

}  // namespace bauta
