// Images as people have them: JPEG, PNG, WebP, BMP, and the plain formats PGM and PPM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "bauta/core/image_shape.hpp"

namespace bauta {

/// Row-major, channels interleaved: one (grey) or three (red, green, blue).
struct Image {
  std::size_t width = 0;
  std::size_t height = 0;
  std::size_t channels = 0;
  std::vector<std::uint8_t> pixels;

  bool operator==(const Image&) const = default;
};

/// The content decides about the format, not the name. Alpha is dropped, 16 bits become 8, printing colours become red,
/// green and blue, and a photograph is turned as its Exif data say. Throws an input error for what is no image, is
/// damaged, or is larger than 100 million pixels.
Image read_image(const std::filesystem::path& path);
/// How large that image is, from the beginning of the file; damage behind it is not found.
ImageShape read_image_shape(const std::filesystem::path& path);

}  // namespace bauta
