// WebP through its own library. Alpha is dropped; of an animation there is no one picture.
#include <webp/decode.h>

#include "bauta/core/error.hpp"
#include "image_formats.hpp"

namespace bauta {

Image decode_webp(ImageBytes bytes, const std::string& where, Extent extent) {
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(bytes.data(), bytes.size(), &features) != VP8_STATUS_OK) throw_input(where, "is a damaged WebP");
  if (features.has_animation != 0) throw_input(where, "is an animated WebP", "save one picture of it");
  // A flat image of any size takes a few bytes; the format itself ends at 16383 pixels a side.
  constexpr std::uint64_t any = std::uint64_t{1} << 40U;
  Image image = checked_image(
      {static_cast<std::uint64_t>(features.width), static_cast<std::uint64_t>(features.height), 3}, any, extent, where);
  if (extent == Extent::shape) return image;
  const int stride = static_cast<int>(image.width * 3);
  if (WebPDecodeRGBInto(bytes.data(), bytes.size(), image.pixels.data(), image.pixels.size(), stride) == nullptr) {
    throw_input(where, "is a damaged WebP");
  }
  return image;
}

}  // namespace bauta
