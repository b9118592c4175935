// The plain formats: "P5 width height maximum" and then the values; a comment runs from # to the end of its line.
#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "image_formats.hpp"

namespace bauta {

namespace {

constexpr std::uint32_t largest_maximum = 65535;

class Parser {
 public:
  Parser(ImageBytes bytes, const std::string& where) : bytes_(bytes), where_(where) {}

  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }
  std::uint8_t byte() {
    if (left() == 0) throw_input(where_, "is damaged: it ends too early");
    return bytes_[at_++];
  }
  std::uint32_t number() {
    while (left() > 0 && (is_space(bytes_[at_]) || bytes_[at_] == '#')) {
      if (bytes_[at_++] != '#') continue;
      while (left() > 0 && bytes_[at_] != '\n') ++at_;
    }
    constexpr std::uint64_t limit = 1U << 31U;
    std::uint64_t value = 0;
    const std::size_t begin = at_;
    while (left() > 0 && bytes_[at_] >= '0' && bytes_[at_] <= '9' && value < limit) {
      value = value * 10 + (bytes_[at_++] - '0');
    }
    if (at_ == begin || value >= limit) throw_input(fmt::format("{} byte {}", where_, begin), "no number there");
    return static_cast<std::uint32_t>(value);
  }
  static bool is_space(std::uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

 private:
  ImageBytes bytes_;
  const std::string& where_;
  std::size_t at_ = 0;
};

}  // namespace

Image decode_pnm(ImageBytes bytes, const std::string& where, Extent extent) {
  Parser parser(bytes, where);
  parser.byte();
  const std::uint8_t kind = parser.byte();
  const bool binary = kind >= '5';
  const std::size_t channels = kind == '3' || kind == '6' ? 3 : 1;
  const std::uint32_t width = parser.number();
  const std::uint32_t height = parser.number();
  const std::uint32_t maximum = parser.number();
  if (maximum == 0 || maximum > largest_maximum) {
    throw_input(where, fmt::format("largest value {}, expected 1 to {}", maximum, largest_maximum));
  }
  if (!Parser::is_space(parser.byte())) throw_input(where, "no white space behind the largest value");
  // As text a value takes a digit, and what separates it from the next.
  const std::size_t value_bytes = binary ? (maximum > 255 ? 2 : 1) : 1;
  Image image = checked_image({width, height, channels}, parser.left() / (value_bytes * channels), extent, where);
  for (std::uint8_t& pixel : image.pixels) {
    std::uint32_t value = 0;
    if (binary) {
      for (std::size_t i = 0; i < value_bytes; ++i) value = value << 8U | parser.byte();
    } else {
      value = parser.number();
    }
    if (value > maximum) throw_input(where, fmt::format("value {} is above the largest, {}", value, maximum));
    pixel = static_cast<std::uint8_t>((value * 255 + maximum / 2) / maximum);
  }
  return image;
}

}  // namespace bauta
