// An image of which only some pixels are known.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bauta {

struct KnownPixel {
  std::int32_t x = 0, y = 0;
  std::array<float, 3> value{};  ///< of as many channels as the image has
};

/// All pixels, row by row, channels interleaved: linear within the Delaunay triangles of the known ones, outside of
/// their hull as the nearest. At least one is known, and none twice.
std::vector<float> interpolated(std::size_t width, std::size_t height, std::size_t channels,
                                std::vector<KnownPixel> known);

}  // namespace bauta
