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

  [[nodiscard]] std::size_t size() const { return rows.size(); }
};

/// Reads these rows on all threads; media that cannot be read are left out. Grey images among coloured ones become
/// coloured. `technique` refuses images of different sizes, and data without a single one.
Gallery gallery_of(const Dataset& data, const std::vector<std::size_t>& rows, const std::string& technique);

/// The image as it would stand in the gallery; an input error for one of another size.
std::vector<std::uint8_t> as_in(const Image& shape, const Image& image, const std::string& technique);

/// The mean of images, rounded half up; `sum` adds up `count` of them.
Image mean_image(const Image& shape, const std::vector<std::uint32_t>& sum, std::size_t count);

}  // namespace bauta
