// What techniques that mask images share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../medium_protection.hpp"

namespace bauta {

using ImageProtection = MediumProtection<Image>;

/// Of the faces in the evaluation in A False Sense of Privacy, whose lengths are our defaults.
inline constexpr std::size_t paper_width = 224;

/// A length in pixels: as given or, where none is (0), that of the evaluation, in proportion to this width and not
/// less than one.
std::size_t length_for(std::size_t given, std::size_t paper, std::size_t width);

/// Blocks of `block` x `block` pixels that fit into the image; what is left over at the right and below is none.
std::size_t whole_blocks(const Image& image, std::size_t block);
/// The image with these blocks in another order: the i-th shows what stood in the order[i]-th. What is no block stays.
Image with_blocks_in_order(const Image& image, std::size_t block, const std::vector<std::size_t>& order);

/// How values become pixels: rounded half up, or cut off.
enum class Quantize { round, truncate };
/// The parameter of techniques whose values the evaluation in A False Sense of Privacy cut off, and what it says.
Parameter quantize_parameter();
Quantize quantize_of(const Parameters& parameters);

/// Clamps, too: the one place where values become pixels.
std::uint8_t to_pixel(float value, Quantize quantize = Quantize::round);
Image with_values(const Image& shape, const std::vector<float>& values, Quantize quantize = Quantize::round);

}  // namespace bauta
