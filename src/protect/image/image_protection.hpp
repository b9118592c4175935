// What techniques that mask images share: they take one image at a time, and no templates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bauta/protect/protection.hpp"

namespace bauta {

class ImageProtection : public Protection {
 public:
  void check(const Templates& input, const std::string& where, const ProtectContext& context) const final;
  [[nodiscard]] Templates protect(const Templates& block, std::size_t first, const ProtectContext& context) const final;
  [[nodiscard]] Medium mask(const Medium& medium, std::size_t sample, const ProtectContext& context) const final;

 protected:
  explicit ImageProtection(std::string technique) : technique_(std::move(technique)) {}
  [[nodiscard]] virtual Image mask_image(const Image& image, std::size_t sample,
                                         const ProtectContext& context) const = 0;

 private:
  std::string technique_;
};

/// A length in pixels: as given or, where none is (0), that of the evaluation in A False Sense of Privacy, whose faces
/// are 224 pixels wide, in proportion to this width and not less than one.
std::size_t length_for(std::size_t given, std::size_t paper, std::size_t width);

/// Blocks of `block` x `block` pixels that fit into the image; what is left over at the right and below is none.
std::size_t whole_blocks(const Image& image, std::size_t block);
/// The image with these blocks in another order: the i-th shows what stood in the order[i]-th. What is no block stays.
Image with_blocks_in_order(const Image& image, std::size_t block, const std::vector<std::size_t>& order);

/// Rounds half up and clamps: the one place where values become pixels.
std::uint8_t to_pixel(float value);
Image with_values(const Image& shape, const std::vector<float>& values);

}  // namespace bauta
