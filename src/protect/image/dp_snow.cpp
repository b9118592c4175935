// DP-Snow (John 2020): a few pixels stay, all others become grey. `d` is the share that is kept.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "image_protection.hpp"

namespace bauta {
namespace {

constexpr std::uint8_t grey = 127;

class DpSnow : public ImageProtection {
 public:
  explicit DpSnow(const Parameters& parameters) : ImageProtection("dp-snow"), kept_(parameters.real("d")) {}

  [[nodiscard]] KnownMask known_mask(const ImageShape&) const override { return {.fill = grey}; }

  /// A pixel is shown or it is not, and nothing else depends on it: delta is the share of pixels that are shown.
  [[nodiscard]] Guarantee guarantee(const ImageShape& shape) const override {
    const std::size_t pixels = shape.width * shape.height, shown = pixels - hidden_of(pixels);
    if (shown == pixels) return {.remark = "every pixel is shown"};
    return {.kind = Guarantee::Kind::differential_privacy,
            .delta = static_cast<double>(shown) / static_cast<double>(pixels),
            .pixels = 1};
  }

 protected:
  [[nodiscard]] Image masked(const Image& image, std::size_t sample, const ProtectContext& context) const override {
    const std::size_t pixels = image.width * image.height;
    const std::size_t hidden = hidden_of(pixels);
    Stream stream = context.randomness.stream("dp-snow", sample);
    std::vector<std::size_t> places(pixels);
    std::iota(places.begin(), places.end(), std::size_t{0});
    Image result = image;
    for (std::size_t i = 0; i < hidden; ++i) {
      std::swap(places[i], places[i + stream.below(pixels - i)]);
      std::fill_n(result.pixels.data() + places[i] * image.channels, image.channels, grey);
    }
    return result;
  }

 private:
  /// As of the decimal that was given: a tenth of ten is one, though 1 - 0.9 is a little less than a tenth.
  [[nodiscard]] std::size_t hidden_of(std::size_t pixels) const {
    constexpr double rounding = 1e-15;  // of a share at most, and less than anybody means by one
    return static_cast<std::size_t>(std::floor((1 - kept_ + rounding) * static_cast<double>(pixels)));
  }

  double kept_;
};

}  // namespace

Entry<Protection> dp_snow_protection() {
  return {
      {.name = "dp-snow",
       .paper = "John, Liu, Xia, Koppal, Jain 2020, Let It Snow: Adding Pixel Noise to Protect the User's Identity",
       .doc = "a share of the pixels stays, all others become grey",
       .medium = "image",
       .claim = "(0, d)-differential privacy of any one pixel of a grey image, in the sense of its paper; nothing is "
                "promised of a whole face",
       .broken_by = "interpolation between the pixels that stay, before recognition",
       .parameters = {{"d", ParameterType::real, "0.01", "share of the pixels that is kept", 0, 1}},
       .does = Operation::blanks_pixels},
      [](const Parameters& parameters) { return std::make_unique<DpSnow>(parameters); }};
}

}  // namespace bauta
