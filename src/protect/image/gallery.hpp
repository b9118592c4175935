// Images of one size, side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bauta/core/matrix.hpp"
#include "bauta/data/dataset.hpp"
#include "bauta/data/image.hpp"

namespace bauta {

struct Gallery {
  Image shape;                    ///< size and channels of all; has no pixels
  Matrix<std::uint8_t> pixels;    ///< an image per row
  std::vector<std::size_t> rows;  ///< of the data set that they come from
  std::size_t other_sizes = 0;    ///< images that were left out for their size

  [[nodiscard]] std::size_t size() const { return rows.size(); }
  /// What was left out for its size, as part of a sentence; empty: nothing was.
  [[nodiscard]] std::string left_out() const;
};

/// Reads these rows on all threads; media that cannot be read are left out, and so is whatever has another size than
/// most have (of several sizes, that of the first image). Grey images among coloured ones become coloured. `technique`
/// refuses data without a single image.
Gallery gallery_of(const Dataset& data, const std::vector<std::size_t>& rows, const std::string& technique);

/// An input error for an image of another size.
void require_size(const Image& shape, const Image& image, const std::string& technique);

/// The image as it would stand in the gallery; an input error for one of another size.
std::vector<std::uint8_t> as_in(const Image& shape, const Image& image, const std::string& technique);

/// The mean of images, rounded half up; `sum` adds up `count` of them.
Image mean_image(const Image& shape, const std::vector<std::uint32_t>& sum, std::size_t count);

}  // namespace bauta
