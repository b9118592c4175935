// BMP as programs write it: palettes, 16 to 32 bits with masks or without, either order of rows; not its run lengths.
#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "image_formats.hpp"

namespace bauta {

namespace {

enum Compression : std::uint32_t { plain = 0, masks = 3, masks_with_alpha = 6 };

class Bitmap {
 public:
  Bitmap(ImageBytes bytes, const std::string& where) : bytes_(bytes), where_(where) {
    pixels_at_ = number(10, 4);
    const std::size_t header = number(14, 4);
    const bool old = header == 12;
    if (!old && header < 40) throw_input(where, fmt::format("is a BMP with a header of {} bytes", header));
    const auto signed_size = [&](std::size_t at) { return std::int64_t{std::bit_cast<std::int32_t>(number(at, 4))}; };
    width_ = old ? std::int64_t{number(18, 2)} : signed_size(18);
    height_ = old ? std::int64_t{number(20, 2)} : signed_size(22);
    depth_ = number(old ? 24 : 28, 2);
    const std::uint32_t compression = old ? plain : number(30, 4);
    if (compression != plain && compression != masks && compression != masks_with_alpha) {
      throw_input(where, "is a compressed BMP", "convert it to PNG");
    }
    if (depth_ <= 8) {
      if ((depth_ != 1 && depth_ != 4 && depth_ != 8) || compression != plain) refuse_depth();
      read_palette(14 + header, old ? 3 : 4, old ? 0 : number(46, 4));
    } else {
      if ((depth_ != 16 && depth_ != 24 && depth_ != 32) || (depth_ == 24 && compression != plain)) refuse_depth();
      if (depth_ == 16) masks_ = {0x7c00, 0x3e0, 0x1f};
      for (std::size_t c = 0; c < 3 && compression != plain; ++c) masks_[c] = number(54 + 4 * c, 4);
    }
  }

  [[nodiscard]] Image image(Extent extent) const {
    const auto width = static_cast<std::uint64_t>(std::max<std::int64_t>(width_, 0));
    const auto height = static_cast<std::uint64_t>(height_ < 0 ? -height_ : height_);
    const std::size_t row_bytes = (width * depth_ + 31) / 32 * 4;
    const std::size_t left = bytes_.size() - std::min(bytes_.size(), pixels_at_);
    Image image = checked_image({width, height, grey_ ? 1U : 3U}, left * 8 / depth_, extent, where_);
    if (left / row_bytes < height) throw_input(where_, "is damaged: it ends too early");
    if (extent == Extent::shape) return image;
    std::size_t to = 0;
    for (std::size_t y = 0; y < height; ++y) {
      const std::size_t row = pixels_at_ + (height_ < 0 ? y : height - 1 - y) * row_bytes;
      for (std::size_t x = 0; x < width; ++x) {
        const std::array<std::uint8_t, 3> colour = depth_ <= 8 ? indexed(row, x) : direct(row, x);
        for (std::size_t c = 0; c < image.channels; ++c) image.pixels[to++] = colour[c];
      }
    }
    return image;
  }

 private:
  [[nodiscard]] std::uint32_t number(std::size_t at, std::size_t size) const {
    if (at + size > bytes_.size()) throw_input(where_, "is damaged: it ends too early");
    std::uint32_t value = 0;
    for (std::size_t i = size; i > 0; --i) value = value << 8U | bytes_[at + i - 1];
    return value;
  }

  [[noreturn]] void refuse_depth() const {
    throw_input(where_, fmt::format("is a BMP of {} bits a pixel, of a kind that is not read", depth_),
                "convert it to PNG");
  }

  void read_palette(std::size_t at, std::size_t entry, std::size_t used) {
    const std::size_t most = std::size_t{1} << depth_;
    palette_.resize(used == 0 || used > most ? most : used);
    for (std::size_t i = 0; i < palette_.size(); ++i) {
      for (std::size_t c = 0; c < 3; ++c) {
        palette_[i][c] = static_cast<std::uint8_t>(number(at + i * entry + 2 - c, 1));  // blue comes first
      }
    }
    grey_ = std::ranges::all_of(palette_, [](const auto& c) { return c[0] == c[1] && c[1] == c[2]; });
  }

  [[nodiscard]] std::array<std::uint8_t, 3> indexed(std::size_t row, std::size_t x) const {
    const std::size_t per_byte = 8 / depth_;
    const std::size_t shift = (per_byte - 1 - x % per_byte) * depth_;
    const std::size_t index = bytes_[row + x / per_byte] >> shift & ((1U << depth_) - 1);
    if (index >= palette_.size()) {
      throw_input(where_, fmt::format("is damaged: colour {} of a palette of {}", index, palette_.size()));
    }
    return palette_[index];
  }

  [[nodiscard]] std::array<std::uint8_t, 3> direct(std::size_t row, std::size_t x) const {
    const std::uint32_t value = number(row + x * (depth_ / 8), depth_ / 8);
    std::array<std::uint8_t, 3> colour{};
    for (std::size_t c = 0; c < 3; ++c) {
      if (masks_[c] == 0) continue;
      const auto shift = static_cast<std::uint32_t>(std::countr_zero(masks_[c]));
      const std::uint64_t highest = masks_[c] >> shift;
      colour[c] = static_cast<std::uint8_t>(((value & masks_[c]) >> shift) * std::uint64_t{255} / highest);
    }
    return colour;
  }

  ImageBytes bytes_;
  const std::string& where_;
  std::size_t pixels_at_ = 0;
  std::int64_t width_ = 0, height_ = 0;
  std::uint32_t depth_ = 0;
  std::array<std::uint32_t, 3> masks_ = {0xff0000, 0xff00, 0xff};
  std::vector<std::array<std::uint8_t, 3>> palette_;
  bool grey_ = false;
};

}  // namespace

Image decode_bmp(ImageBytes bytes, const std::string& where, Extent extent) {
  return Bitmap(bytes, where).image(extent);
}

}  // namespace bauta
