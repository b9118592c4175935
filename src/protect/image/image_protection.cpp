#include "image_protection.hpp"

#include <algorithm>
#include <cmath>

namespace bauta {

std::size_t length_for(std::size_t given, std::size_t paper, std::size_t width) {
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

Parameter quantize_parameter() {
  return {.name = "quantize",
          .type = ParameterType::choice,
          .default_value = "round",
          .doc = "how values become pixels; truncate: as the implementation that A False Sense of Privacy used",
          .choices = {"round", "truncate"}};
}

Quantize quantize_of(const Parameters& parameters) {
  return parameters.text("quantize") == "truncate" ? Quantize::truncate : Quantize::round;
}

std::uint8_t to_pixel(float value, Quantize quantize) {
  const float raised = quantize == Quantize::round ? value + 0.5F : value;
  return static_cast<std::uint8_t>(std::clamp(raised, 0.0F, 255.0F));  // a cast cuts off
}

Image with_values(const Image& shape, const std::vector<float>& values, Quantize quantize) {
  BAUTA_ASSERT(values.size() == shape.width * shape.height * shape.channels);
  Image image{shape.width, shape.height, shape.channels, std::vector<std::uint8_t>(values.size())};
  std::ranges::transform(values, image.pixels.begin(), [&](float value) { return to_pixel(value, quantize); });
  return image;
}

}  // namespace bauta
