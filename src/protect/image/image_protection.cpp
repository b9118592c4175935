#include "image_protection.hpp"

#include <algorithm>
#include <cmath>

namespace bauta {

std::size_t length_for(std::size_t given, std::size_t paper, std::size_t width) {
  constexpr std::size_t paper_width = 224;
  return given != 0 ? given : std::max<std::size_t>(1, (2 * paper * width + paper_width) / (2 * paper_width));
}

std::size_t whole_blocks(const Image& image, std::size_t block) {
  return (image.width / block) * (image.height / block);
}

Image with_blocks_in_order(const Image& image, std::size_t block, const std::vector<std::size_t>& order) {
  BAUTA_ASSERT(order.size() == whole_blocks(image, block));
  const std::size_t across = image.width / block, length = block * image.channels;
  const auto start = [&](std::size_t of, std::size_t y) {
    return ((of / across * block + y) * image.width + of % across * block) * image.channels;
  };
  Image result = image;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t y = 0; y < block; ++y) {
      std::copy_n(image.pixels.data() + start(order[i], y), length, result.pixels.data() + start(i, y));
    }
  }
  return result;
}

std::uint8_t to_pixel(float value) {
  return static_cast<std::uint8_t>(std::clamp(value + 0.5F, 0.0F, 255.0F));  // a cast cuts off
}

Image with_values(const Image& shape, const std::vector<float>& values) {
  BAUTA_ASSERT(values.size() == shape.width * shape.height * shape.channels);
  Image image{shape.width, shape.height, shape.channels, std::vector<std::uint8_t>(values.size())};
  std::transform(values.begin(), values.end(), image.pixels.begin(), to_pixel);
  return image;
}

}  // namespace bauta
