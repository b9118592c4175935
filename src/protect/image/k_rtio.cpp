// k-RTIO (Rajabi et al. 2021): an image shines through k others, whose blocks a key has put into another order.
#include <mutex>

#include <fmt/format.h>

#include "../keyed.hpp"
#include "image_protection.hpp"
#include "overlay_images.hpp"

namespace bauta {
namespace {

/// What stands in a block on average, in every block; what is no block stays.
std::vector<double> mean_block_everywhere(const Image& overlay, std::size_t block) {
  std::vector<double> values(overlay.pixels.begin(), overlay.pixels.end());
  const std::size_t across = overlay.width / block, blocks = whole_blocks(overlay, block);
  const auto at = [&](std::size_t of, std::size_t y, std::size_t i) {
    return ((of / across * block + y) * overlay.width + of % across * block) * overlay.channels + i;
  };
  for (std::size_t y = 0; y < block && blocks > 0; ++y) {
    for (std::size_t i = 0; i < block * overlay.channels; ++i) {
      double sum = 0;
      for (std::size_t of = 0; of < blocks; ++of) sum += overlay.pixels[at(of, y, i)];
      for (std::size_t of = 0; of < blocks; ++of) values[at(of, y, i)] = sum / static_cast<double>(blocks);
    }
  }
  return values;
}

class KRtio : public ImageProtection {
 public:
  explicit KRtio(const Parameters& parameters)
      : ImageProtection("k-rtio"),
        own_(parameters.real("alpha")),
        block_(static_cast<std::size_t>(parameters.integer("block"))),
        count_(static_cast<std::size_t>(parameters.integer("k"))),
        folder_(parameters.text("overlays")),
        quantize_(quantize_of(parameters)),
        keys_(technique(), parameters) {}

  [[nodiscard]] std::unique_ptr<const Protection> among(const Dataset& whole, const std::vector<std::string>&,
                                                        const ProtectContext& context) const override {
    keys_.check(whole.size(), whole.origin, context);
    (void)overlays();
    return nullptr;
  }

  [[nodiscard]] KnownMask known_mask(const ImageShape& shape) const override {
    const std::size_t size = shape.size();
    KnownOverlay known{own_, std::vector<float>(size, 127.5F)};
    if (folder_.empty()) return {.overlay = std::move(known)};
    const std::size_t block = length_for(block_, paper_block, shape.width);
    const Image image{shape.width, shape.height, shape.channels, std::vector<std::uint8_t>(size)};
    std::vector<double> sums(size, 0);
    for (const Image& overlay : overlays()) {
      const std::vector<double> values = mean_block_everywhere(like(overlay, image), block);
      for (std::size_t i = 0; i < size; ++i) sums[i] += values[i];
    }
    for (std::size_t i = 0; i < size; ++i) {
      known.overlay[i] = static_cast<float>(sums[i] / static_cast<double>(overlays().size()));
    }
    return {.overlay = std::move(known)};
  }
  [[nodiscard]] std::map<std::string, std::string> record(const ProtectContext& context) const override {
    return {{"overlay_name", overlay_name(context)}};
  }
  [[nodiscard]] std::map<std::string, std::size_t> in_pixels(const ImageShape& shape) const override {
    return {{"block", length_for(block_, paper_block, shape.width)}};
  }

 protected:
  [[nodiscard]] Image masked(const Image& image, std::size_t sample, const ProtectContext& context) const override {
    const std::size_t block = length_for(block_, paper_block, image.width);
    const SecretKey key = keys_.key(keys_.owner(sample, context), context);
    const std::string name = overlay_name(context);
    std::vector<float> sum(image.pixels.size(), 0);
    for (std::size_t j = 0; j < count_; ++j) {
      Stream stream(key, fmt::format("overlay {} of {}", j, name), sample + 1);
      // One after the other: compilers choose the order of arguments.
      const Image whole = drawn(image, stream);
      const Image overlay = with_blocks_in_order(whole, block, stream.permutation(whole_blocks(image, block)));
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += overlay.pixels[i];
    }
    const auto own = static_cast<float>(own_), others = static_cast<float>((1 - own_) / static_cast<double>(count_));
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = own * image.pixels[i] + others * sum[i];
    return with_values(image, sum, quantize_);
  }

 private:
  static constexpr std::size_t paper_block = 18;

  /// The first half of an image's name, whose second half is its number. Data sets under one key count their samples
  /// alike, and the same overlays would tie the first sample of one to the first of another. It is no secret: with it
  /// holders of the key find the overlays again.
  static std::string overlay_name(const ProtectContext& context) {
    return fmt::format("{:016x}", context.randomness.stream("k-rtio.name").next64());
  }

  [[nodiscard]] const std::vector<Image>& overlays() const {
    std::call_once(read_, [&] {
      if (!folder_.empty()) overlays_ = images_in_folder(folder_);
    });
    return overlays_;
  }

  [[nodiscard]] Image drawn(const Image& shape, Stream& stream) const {
    if (folder_.empty()) return texture(shape, stream);
    return like(overlays()[stream.below(overlays().size())], shape);
  }

  double own_;
  std::size_t block_, count_;
  std::string folder_;
  Quantize quantize_;
  KeySource keys_;
  mutable std::once_flag read_;
  mutable std::vector<Image> overlays_;
};

}  // namespace

Entry<Protection> k_rtio_protection() {
  return {
      {.name = "k-rtio",
       .paper = "Rajabi et al. 2021, On the (Im)Practicality of Adversarial Perturbation for Image Privacy",
       .doc = "the image shines through k others whose blocks a key has put into another order",
       .medium = "image",
       .keyed = true,
       .claim = "machines do not recognise who it is, people who know the person do, and holders of the key get "
                "nearly the image back (the record of the data set and the image's number name its overlays); there "
                "is no formal guarantee",
       .broken_by = "recognisers that learned from such images: the clear image is in every one of them with the "
                    "same weight, and what lies over it averages out",
       .parameters = keyed_parameters(
           {{"alpha", ParameterType::real, "0.4", "weight of the image itself, the others share the rest", 0, 1},
            {"block", ParameterType::integer, "0",
             "edge of a block in pixels; what is left at the right and below stays in place; 0: 18 in faces 224 "
             "pixels wide, and in proportion for others",
             0, 100000},
            {"k", ParameterType::integer, "3", "images that are laid over it", 1, 1000},
            {"overlays", ParameterType::folder, "",
             "folder of images to choose from, stretched to the size of the face; empty: smooth textures, drawn "
             "anew for every image from the key's stream"},
            quantize_parameter()}),
       .does = Operation::lays_over},
      [](const Parameters& parameters) { return std::make_unique<KRtio>(parameters); }};
}

}  // namespace bauta
