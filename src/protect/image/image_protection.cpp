#include "image_protection.hpp"

#include <algorithm>
#include <cmath>

namespace bauta {

void ImageProtection::check(const Templates&, const std::string& where, const ProtectContext&) const {
  throw_usage(technique_, "masks images, " + where + " holds templates", "name data with media");
}

Templates ImageProtection::protect(const Templates&, std::size_t, const ProtectContext&) const {
  BAUTA_ASSERT(false);  // check() refuses
}

Medium ImageProtection::mask(const Medium& medium, std::size_t sample, const ProtectContext& context) const {
  return mask_image(medium_as<Image>(medium, technique_), sample, context);
}

std::uint8_t to_pixel(float value) {
  return static_cast<std::uint8_t>(std::clamp(std::floor(value + 0.5F), 0.0F, 255.0F));
}

Image with_values(const Image& shape, const std::vector<float>& values) {
  BAUTA_ASSERT(values.size() == shape.width * shape.height * shape.channels);
  Image image{shape.width, shape.height, shape.channels, std::vector<std::uint8_t>(values.size())};
  std::transform(values.begin(), values.end(), image.pixels.begin(), to_pixel);
  return image;
}

}  // namespace bauta
