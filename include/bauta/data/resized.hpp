// Images of any size as so many numbers.
#pragma once

#include <cstddef>
#include <vector>

#include "bauta/data/image.hpp"

namespace bauta {

/// The image stretched to `size` x `size`: a value is the mean over the area that it covers, from 0 to 1, row by row
/// with `channels` (1 or 3) interleaved. Colour becomes grey as 0.299 red + 0.587 green + 0.114 blue (BT.601).
std::vector<float> resized(const Image& image, std::size_t size, std::size_t channels);

}  // namespace bauta
