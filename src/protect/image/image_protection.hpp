// What techniques that mask images share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../medium_protection.hpp"

namespace bauta {

using ImageProtection = MediumProtection<Image>;

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
