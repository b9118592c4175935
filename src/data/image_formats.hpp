// The formats behind read_image(). Every decoder takes whole files in memory, and `where` names the file in errors.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "bauta/data/image.hpp"

namespace bauta {

using ImageBytes = std::span<const std::uint8_t>;

/// How much of a file is decoded. Of the shape alone an image without pixels comes back.
enum class Extent { shape, pixels };

Image decode_jpeg(ImageBytes bytes, const std::string& where, Extent extent);
Image decode_png(ImageBytes bytes, const std::string& where, Extent extent);
Image decode_bmp(ImageBytes bytes, const std::string& where, Extent extent);
Image decode_webp(ImageBytes bytes, const std::string& where, Extent extent);
/// PGM and PPM, as text (P2, P3) or binary (P5, P6).
Image decode_pnm(ImageBytes bytes, const std::string& where, Extent extent);

/// How to turn what a JPEG holds, 1 (not at all) to 8, by the content of an APP1 segment; 1 if it says nothing.
int exif_orientation(ImageBytes segment);
Image turned(Image image, int orientation);

/// The image to fill, after sizes that a file claims were checked: not empty, not beyond the limit, and not beyond
/// `possible` pixels, the most that the file's bytes could stand for. Nothing was allocated before.
Image checked_image(const ImageShape& shape, std::uint64_t possible, Extent extent, const std::string& where);

}  // namespace bauta
