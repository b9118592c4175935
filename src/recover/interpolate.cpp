// Interpolation between the pixels that a mask left as they were (DP-Snow): linear within the Delaunay triangles of the
// kept ones, outside of their hull as the nearest. A kept pixel that happens to have the value of hidden ones counts as
// hidden.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "bauta/data/scattered_pixels.hpp"
#include "medium_recovery.hpp"

namespace bauta {
namespace {

class Interpolate : public ImageRecovery {
 public:
  explicit Interpolate(const Parameters& parameters) : ImageRecovery("interpolate") {
    if (parameters.integer("fill") >= 0) fill_ = static_cast<std::uint8_t>(parameters.integer("fill"));
  }

  void fit(const Knowledge& knowledge) override {
    if (!fill_ && knowledge.technique != nullptr) fill_ = (*knowledge.technique)->known_mask({}).fill;
    if (fill_) return;
    throw_usage("interpolate", "nothing tells which value hidden pixels have", "give it: interpolate:fill=127");
  }

 protected:
  [[nodiscard]] Image undone(const Image& image, std::size_t) const override {
    const std::size_t channels = image.channels;
    std::vector<KnownPixel> known;
    for (std::size_t i = 0; i < image.width * image.height; ++i) {
      const std::uint8_t* const pixel = image.pixels.data() + i * channels;
      if (std::all_of(pixel, pixel + channels, [&](std::uint8_t value) { return value == *fill_; })) continue;
      KnownPixel kept{static_cast<std::int32_t>(i % image.width), static_cast<std::int32_t>(i / image.width)};
      for (std::size_t c = 0; c < channels; ++c) kept.value[c] = pixel[c];
      known.push_back(kept);
    }
    if (known.empty()) return image;
    return with_pixels(image, interpolated(image.width, image.height, channels, std::move(known)));
  }

 private:
  std::optional<std::uint8_t> fill_;
};

}  // namespace

Entry<Recovery> interpolate_recovery() {
  return {
      {.name = "interpolate",
       .paper = "",
       .doc = "dp-snow: what lies between the pixels that were kept, by linear interpolation",
       .medium = "image",
       .parameters = {{"fill", ParameterType::integer, "-1",
                       "value of hidden pixels in all channels; -1: as the technique is known to have it", -1, 255}},
       .undoes = Operation::blanks_pixels},
      [](const Parameters& parameters) { return std::make_unique<Interpolate>(parameters); }};
}

}  // namespace bauta
