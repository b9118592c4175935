// Which format an image has, and what all formats share.
#include "bauta/data/image.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "bauta/core/checked.hpp"
#include "bauta/data/mapped_file.hpp"
#include "image_formats.hpp"

namespace bauta {

namespace {

constexpr std::uint64_t most_pixels = 100'000'000;

bool starts_with(ImageBytes bytes, std::string_view start) {
  return bytes.size() >= start.size() &&
         std::equal(start.begin(), start.end(), bytes.begin(),
                    [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; });
}

}  // namespace

Image checked_image(std::uint64_t width, std::uint64_t height, std::size_t channels, std::uint64_t possible,
                    const std::string& where) {
  const std::string size = fmt::format("{} x {} pixels", width, height);
  if (width == 0 || height == 0) throw_input(where, fmt::format("an image of {}", size));
  const std::uint64_t count = checked_multiply(width, height, where);
  if (count > most_pixels) {
    throw_input(where, fmt::format("an image of {}, at most {} are read", size, most_pixels), "make it smaller");
  }
  if (count > possible) throw_input(where, fmt::format("is damaged: too short for {}", size));
  Image image{width, height, channels, {}};
  image.pixels.resize(count * channels);
  return image;
}

Image read_image(const std::filesystem::path& path) {
  const auto file = MappedFile::open(path);
  const ImageBytes bytes = file->bytes();
  const std::string where = path.string();
  if (starts_with(bytes, "\xff\xd8\xff")) return decode_jpeg(bytes, where);
  if (starts_with(bytes, "\x89PNG\r\n\x1a\n")) return decode_png(bytes, where);
  for (const std::string_view start : {"P2", "P3", "P5", "P6"}) {
    if (starts_with(bytes, start)) return decode_pnm(bytes, where);
  }
  throw_input(where, "is no image in a known format", "JPEG, PNG, PGM and PPM are read; convert others");
}

}  // namespace bauta
