// A square of an image, turned, moved and scaled.
#pragma once

#include <cstddef>

#include "bauta/data/image.hpp"

namespace bauta {

/// Where the pixels of a square come from: (x, y) of the square lies at (left + x across - y down, top + x down + y
/// across) of the image. Edges of the first pixel are at 0 and 1. (across, down) is the way of one pixel to the right.
struct ImageCut {
  double left = 0;
  double top = 0;
  double across = 1;
  double down = 0;
};

/// By bilinear interpolation between the middles of pixels, in as many places of each pixel as it has pixels of the
/// image under it, so that a smaller picture has no jagged edges. Black outside of the image.
Image cut_square(const Image& image, const ImageCut& cut, std::size_t side);

}  // namespace bauta
