// How large an image is.
#pragma once

#include <compare>
#include <cstddef>

namespace bauta {

/// Pixels row by row, channels interleaved.
struct ImageShape {
  std::size_t width = 0;
  std::size_t height = 0;
  std::size_t channels = 1;

  [[nodiscard]] std::size_t size() const { return width * height * channels; }
  auto operator<=>(const ImageShape&) const = default;
};

}  // namespace bauta
