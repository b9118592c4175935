// A black strip over the eyes, from one side of the image to the other.
#include <algorithm>

#include "image_protection.hpp"

namespace bauta {
namespace {

class EyeMask : public ImageProtection {
 public:
  explicit EyeMask(const Parameters& parameters)
      : ImageProtection("eye-mask"),
        center_(static_cast<std::size_t>(parameters.integer("center"))),
        dist_(static_cast<std::size_t>(parameters.integer("dist"))) {}

 protected:
  [[nodiscard]] Image masked(const Image& image, std::size_t, const ProtectContext&) const override {
    const std::size_t center = length_for(center_, 85, image.width), dist = length_for(dist_, 70, image.width);
    const std::size_t first = std::min(center - std::min(center, dist), image.height);
    const std::size_t end = std::min(center + dist + 1, image.height);  // the rows center - dist to center + dist
    Image result = image;
    const std::size_t line = image.width * image.channels;
    if (first < end) std::fill_n(result.pixels.data() + first * line, (end - first) * line, std::uint8_t{0});
    return result;
  }

 private:
  std::size_t center_, dist_;
};

}  // namespace

Entry<Protection> eye_mask_protection() {
  return {{.name = "eye-mask",
           .paper = "as evaluated in A False Sense of Privacy",
           .doc = "a black strip over the eyes of an aligned face",
           .medium = "image",
           .claim = "a face without its eyes is not recognised; there is no formal guarantee",
           .broken_by = "recognisers that learned from masked faces: mouth, nose, hair and outline stay",
           .parameters = {{"center", ParameterType::integer, "0",
                           "row of the strip's middle; 0: 85 in faces 224 pixels wide, and in proportion for others", 0,
                           100000},
                          {"dist", ParameterType::integer, "0",
                           "rows of the strip above and below its middle; 0: 70 in faces 224 pixels wide, and in "
                           "proportion for others",
                           0, 100000}}},
          [](const Parameters& parameters) { return std::make_unique<EyeMask>(parameters); }};
}

}  // namespace bauta
