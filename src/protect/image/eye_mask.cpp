// A black strip over the eyes, from one side of the image to the other.
#include <algorithm>
#include <cmath>

#include "face_point_finder.hpp"
#include "image_protection.hpp"

namespace bauta {
namespace {

constexpr std::size_t paper_center = 85, paper_dist = 70;

/// The rows center - dist to center + dist.
struct Strip {
  std::size_t center, dist;
};

class EyeMask : public ImageProtection {
 public:
  explicit EyeMask(const Parameters& parameters)
      : ImageProtection("eye-mask"),
        center_(static_cast<std::size_t>(parameters.integer("center"))),
        dist_(static_cast<std::size_t>(parameters.integer("dist"))),
        found_(parameters.text("place") == "landmarks"),
        finder_(technique(), parameters.text("models")) {
    if (!found_ || center_ == 0) return;
    throw_usage("eye-mask:center", "place=landmarks finds the middle of the strip", "leave one of them out");
  }

  [[nodiscard]] std::unique_ptr<const Protection> among(const Dataset&, const std::vector<std::string>&,
                                                        const ProtectContext&) const override {
    if (found_) finder_.load();  // what is missing is said before any work is done
    return nullptr;
  }

  /// What is found in an image is no setting.
  [[nodiscard]] std::map<std::string, std::size_t> in_pixels(const ImageShape& shape) const override {
    if (found_ && dist_ == 0) return {};
    if (found_) return {{"dist", dist_}};
    const auto [center, dist] = in_crop(shape.width);
    return {{"center", center}, {"dist", dist}};
  }

 protected:
  [[nodiscard]] Image masked(const Image& image, std::size_t, const ProtectContext&) const override {
    const auto [center, dist] = found_ ? over_eyes(image) : in_crop(image.width);
    const std::size_t first = std::min(center - std::min(center, dist), image.height);
    const std::size_t end = std::min(center + dist + 1, image.height);
    Image result = image;
    const std::size_t line = image.width * image.channels;
    if (first < end) std::fill_n(result.pixels.data() + first * line, (end - first) * line, std::uint8_t{0});
    return result;
  }

 private:
  [[nodiscard]] Strip in_crop(std::size_t width) const {
    return {length_for(center_, paper_center, width), length_for(dist_, paper_dist, width)};
  }

  /// As high in proportion to the distance of the eyes as in an aligned crop, where they are a third of its width
  /// apart.
  [[nodiscard]] Strip over_eyes(const Image& image) const {
    const FacePoints points = finder_.find(image);
    const auto width = static_cast<double>(image.width), height = static_cast<double>(image.height);
    const double apart = std::hypot((points[2] - points[0]) * width, (points[3] - points[1]) * height);
    const double middle = std::clamp((points[1] + points[3]) / 2 * height, 0.0, height - 1);
    const double reach = std::max(1.0, std::floor(3.0 * paper_dist / paper_width * apart + 0.5));
    return {static_cast<std::size_t>(middle), dist_ != 0 ? dist_ : static_cast<std::size_t>(reach)};
  }

  std::size_t center_, dist_;
  bool found_;
  FacePointFinder finder_;
};

}  // namespace

Entry<Protection> eye_mask_protection() {
  return {{.name = "eye-mask",
           .paper = "as evaluated in A False Sense of Privacy",
           .doc = "a black strip over the eyes of a face",
           .medium = "image",
           .claim = "a face without its eyes is not recognised; there is no formal guarantee",
           .broken_by = "recognisers that learned from masked faces: mouth, nose, hair and outline stay",
           .parameters = {{"center", ParameterType::integer, "0",
                           "row of the strip's middle; 0: 85 in faces 224 pixels wide, and in proportion for others", 0,
                           100000},
                          {"dist", ParameterType::integer, "0",
                           "rows of the strip above and below its middle; 0: 70 in faces 224 pixels wide, and in "
                           "proportion for others",
                           0, 100000},
                          {.name = "place",
                           .type = ParameterType::choice,
                           .default_value = "crop",
                           .doc = "crop: by the rows of the image, which is an aligned crop; landmarks: over the eyes, "
                                  "which are looked for, 15/16 of their distance up and down, and an image without a "
                                  "face fails; the face must fill the image, however it was cut",
                           .choices = {"crop", "landmarks"}},
                          {"models", ParameterType::folder, "",
                           "place=landmarks: folder of the weights; empty: where set-up put them"}}},
          [](const Parameters& parameters) { return std::make_unique<EyeMask>(parameters); }};
}

}  // namespace bauta
