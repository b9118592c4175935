// Images of any size as so many numbers.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bauta/data/image.hpp"

namespace bauta {

/// The image stretched to `size` x `size`: a value is the mean over the area that it covers, from 0 to 1, row by row
/// with `channels` (1 or 3) interleaved. Colour becomes grey as 0.299 red + 0.587 green + 0.114 blue (BT.601).
std::vector<float> resized(const Image& image, std::size_t size, std::size_t channels);

/// The same values channel after channel, as networks take them.
std::vector<float> resized_planes(const Image& image, std::size_t size, std::size_t channels);

/// The way back from planes of `size` x `size` values: width x height pixels with channels interleaved, between values
/// bilinearly and beyond the outer ones as there.
std::vector<float> stretched(std::span<const float> planes, std::size_t size, std::size_t width, std::size_t height);

}  // namespace bauta
