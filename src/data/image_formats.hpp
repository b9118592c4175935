// The formats behind read_image(). Every decoder takes whole files in memory, and `where` names the file in errors.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "bauta/data/image.hpp"

namespace bauta {

using ImageBytes = std::span<const std::uint8_t>;

Image decode_jpeg(ImageBytes bytes, const std::string& where);
Image decode_png(ImageBytes bytes, const std::string& where);
Image decode_bmp(ImageBytes bytes, const std::string& where);
Image decode_webp(ImageBytes bytes, const std::string& where);
/// PGM and PPM, as text (P2, P3) or binary (P5, P6).
Image decode_pnm(ImageBytes bytes, const std::string& where);

/// How to turn what a JPEG holds, 1 (not at all) to 8, by the content of an APP1 segment; 1 if it says nothing.
int exif_orientation(ImageBytes segment);
Image turned(Image image, int orientation);

/// The image to fill, after sizes that a file claims were checked: not empty, not beyond the limit, and not beyond
/// `possible` pixels, the most that the file's bytes could stand for. Nothing was allocated before.
Image checked_image(std::uint64_t width, std::uint64_t height, std::size_t channels, std::uint64_t possible,
                    const std::string& where);

}  // namespace bauta
