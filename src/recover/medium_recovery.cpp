#include "medium_recovery.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace bauta {

Image with_pixels(const Image& shape, const std::vector<float>& values) {
  BAUTA_ASSERT(values.size() == shape.width * shape.height * shape.channels);
  Image image{shape.width, shape.height, shape.channels, std::vector<std::uint8_t>(values.size())};
  std::transform(values.begin(), values.end(), image.pixels.begin(), [](float value) {
    return static_cast<std::uint8_t>(std::clamp(std::floor(value + 0.5F), 0.0F, 255.0F));
  });
  return image;
}

}  // namespace bauta
