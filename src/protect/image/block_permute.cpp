// The blocks of an image in another order, the same order for every image of a size: the example by which A False Sense
// of Privacy shows what a naive attacker misses.
#include "bauta/core/secret_key.hpp"
#include "image_protection.hpp"

namespace bauta {
namespace {

class BlockPermute : public ImageProtection {
 public:
  explicit BlockPermute(const Parameters& parameters)
      : ImageProtection("block-permute"), block_(static_cast<std::size_t>(parameters.integer("block"))) {}

  [[nodiscard]] std::map<std::string, std::size_t> in_pixels(const ImageShape& shape) const override {
    return {{"block", length_for(block_, 16, shape.width)}};
  }

 protected:
  [[nodiscard]] Image masked(const Image& image, std::size_t, const ProtectContext& context) const override {
    // Of a key and not of a stream of the data set's: all data sets of an experiment share the order.
    Stream stream(context.randomness.key("block-permute"), "order");
    const std::size_t block = in_pixels({image.width, image.height, image.channels}).at("block");
    return with_blocks_in_order(image, block, stream.permutation(whole_blocks(image, block)));
  }

 private:
  std::size_t block_;
};

}  // namespace

Entry<Protection> block_permute_protection() {
  return {{.name = "block-permute",
           .paper = "the example in A False Sense of Privacy",
           .doc = "the blocks of every image in one other order",
           .medium = "image",
           .claim = "recognisers of faces find no face; there is no formal guarantee",
           .broken_by = "recognisers that learned from permuted images: whatever treats pixels alike loses nothing",
           .parameters = {{"block", ParameterType::integer, "0",
                           "edge of a block in pixels; what is left at the right and below stays; 0: 16 in images 224 "
                           "pixels wide, and in proportion for others",
                           0, 100000}}},
          [](const Parameters& parameters) { return std::make_unique<BlockPermute>(parameters); }};
}

}  // namespace bauta
