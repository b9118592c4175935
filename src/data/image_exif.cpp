// Cameras store what the sensor saw, and say beside it how the camera was held.
#include <algorithm>
#include <cstring>
#include <string_view>

#include "image_formats.hpp"

namespace bauta {

namespace {

constexpr std::uint32_t orientation_tag = 0x0112;
constexpr std::size_t entry_size = 12;

/// Numbers of a TIFF block, in its byte order; what lies beyond its end is 0.
struct Tiff {
  ImageBytes bytes;
  bool big = false;

  [[nodiscard]] std::uint64_t number(std::uint64_t at, std::size_t size) const {
    if (at > bytes.size() || size > bytes.size() - at) return 0;
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) value = value << 8U | bytes[at + (big ? i : size - 1 - i)];
    return value;
  }
};

}  // namespace

int exif_orientation(ImageBytes segment) {
  constexpr std::string_view mark("Exif\0\0", 6);
  if (segment.size() < mark.size() || std::memcmp(segment.data(), mark.data(), mark.size()) != 0) return 1;
  Tiff tiff{segment.subspan(mark.size())};
  tiff.big = tiff.number(0, 2) == 0x4d4d;  // "MM"
  const std::uint64_t directory = tiff.number(4, 4);
  const std::uint64_t entries = tiff.number(directory, 2);
  for (std::uint64_t i = 0; i < entries; ++i) {
    const std::uint64_t entry = directory + 2 + i * entry_size;
    if (tiff.number(entry, 2) != orientation_tag) continue;
    const std::uint64_t value = tiff.number(entry + 8, 2);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

Image turned(Image image, int orientation) {
  if (orientation == 1) return image;
  // From 5 on rows become columns. Then two bits: from the right, from the bottom (of what is stored).
  const bool across = orientation >= 5;
  const bool from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  const bool from_bottom = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  Image result{across ? image.height : image.width, across ? image.width : image.height, image.channels, {}};
  if (image.pixels.empty()) return result;
  result.pixels.resize(image.pixels.size());
  std::uint8_t* to = result.pixels.data();
  for (std::size_t y = 0; y < result.height; ++y) {
    for (std::size_t x = 0; x < result.width; ++x, to += image.channels) {
      std::size_t column = across ? y : x;
      std::size_t row = across ? x : y;
      if (from_right) column = image.width - 1 - column;
      if (from_bottom) row = image.height - 1 - row;
      std::copy_n(image.pixels.data() + (row * image.width + column) * image.channels, image.channels, to);
    }
  }
  return result;
}

}  // namespace bauta
