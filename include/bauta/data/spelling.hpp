// One name in several spellings.
#pragma once

#include <string>
#include <string_view>

namespace bauta {

/// The same for texts that differ in the case of their letters alone (Unicode case folding). `tidy`: as labels are when
/// they have been read.
std::string without_case(std::string_view tidy);

}  // namespace bauta
