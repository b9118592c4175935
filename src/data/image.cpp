// Which format an image has, and what all formats share.
#include "bauta/data/image.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "bauta/core/checked.hpp"
#include "bauta/data/mapped_file.hpp"
#include "image_formats.hpp"
#include "medium_formats.hpp"

namespace bauta {

namespace {

constexpr std::uint64_t most_pixels = 100'000'000;

struct Format {
  std::string_view start;
  Image (*decode)(ImageBytes bytes, const std::string& where, Extent extent);
  std::string_view later = {};  ///< what stands from byte 8 on

  [[nodiscard]] constexpr bool fits(std::string_view file) const {
    return file.starts_with(start) && (later.empty() || (file.size() > 8 && file.substr(8).starts_with(later)));
  }
};

constexpr std::array<Format, 8> formats = {{{"\xff\xd8\xff", decode_jpeg},
                                            {"\x89PNG\r\n\x1a\n", decode_png},
                                            {"RIFF", decode_webp, "WEBP"},
                                            {"BM", decode_bmp},
                                            {"P2", decode_pnm},
                                            {"P3", decode_pnm},
                                            {"P5", decode_pnm},
                                            {"P6", decode_pnm}}};

Image decoded(const std::filesystem::path& path, Extent extent) {
  const auto file = MappedFile::open(path);
  const ImageBytes bytes = file->bytes();
  const std::string where = path.string();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (const Format& format : formats) {
    if (format.fits(text)) return format.decode(bytes, where, extent);
  }
  throw_input(where, "is no image in a known format", "JPEG, PNG, WebP, BMP, PGM and PPM are read; convert others");
}

}  // namespace

Image checked_image(const ImageShape& shape, std::uint64_t possible, Extent extent, const std::string& where) {
  const auto& [width, height, channels] = shape;
  const std::string size = fmt::format("{} x {} pixels", width, height);
  if (width == 0 || height == 0) throw_input(where, fmt::format("an image of {}", size));
  const std::uint64_t count = checked_multiply(width, height, where);
  if (count > most_pixels) {
    throw_input(where, fmt::format("an image of {}, at most {} are read", size, most_pixels), "make it smaller");
  }
  if (count > possible) throw_input(where, fmt::format("is damaged: too short for {}", size));
  Image image{width, height, channels, {}};
  if (extent == Extent::pixels) image.pixels.resize(count * channels);
  return image;
}

bool is_image(std::string_view start) {
  return std::ranges::any_of(formats, [&](const Format& format) { return format.fits(start); });
}

Image read_image(const std::filesystem::path& path) {
  return decoded(path, Extent::pixels);
}

ImageShape read_image_shape(const std::filesystem::path& path) {
  const Image image = decoded(path, Extent::shape);
  return {image.width, image.height, image.channels};
}

}  // namespace bauta
