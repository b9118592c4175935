// What programs of others made of a medium, as files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bauta/data/medium.hpp"

namespace bauta {

/// The medium in the one file that there should be; an input error, which makes it a failed sample, says what is there
/// instead.
Medium made_elsewhere(const std::vector<std::filesystem::path>& files, const Medium& clear, const std::string& where);

}  // namespace bauta
