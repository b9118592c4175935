#include "gallery.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/most_frequent.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/data/media_source.hpp"
#include "overlay_images.hpp"

namespace bauta {

Gallery gallery_of(const Dataset& data, const std::vector<std::size_t>& rows, const std::string& technique) {
  std::vector<std::optional<Image>> images(rows.size());
  parallel_for(rows.size(), [&](std::size_t i, int) {
    try {
      images[i] = medium_as<Image>(data.media->load(rows[i]), technique);
    } catch (const Error& error) {
      if (error.fault != Fault::input) throw;  // a damaged medium fails where it is masked, and is counted there
    }
  });
  std::vector<ImageShape> sizes;  // without channels
  for (const std::optional<Image>& image : images) {
    if (image) sizes.push_back({image->width, image->height, 1});
  }
  if (sizes.empty()) throw_input(data.origin, fmt::format("{} finds no image that it can read", technique));
  const ImageShape usual = most_frequent(sizes);
  Gallery gallery;
  Image& shape = gallery.shape = {usual.width, usual.height, 1, {}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!images[i]) continue;
    if (images[i]->width != shape.width || images[i]->height != shape.height) {
      images[i].reset();
      ++gallery.other_sizes;
      continue;
    }
    shape.channels = std::max(shape.channels, images[i]->channels);
    gallery.rows.push_back(rows[i]);
  }
  gallery.pixels = Matrix<std::uint8_t>(gallery.size(), shape.width * shape.height * shape.channels);
  std::size_t next = 0;
  for (std::optional<Image>& image : images) {
    if (!image) continue;
    const std::vector<std::uint8_t> pixels = as_in(shape, *image, technique);
    std::copy(pixels.begin(), pixels.end(), gallery.pixels.row(next++).begin());
    image.reset();
  }
  return gallery;
}

std::string Gallery::left_out() const {
  if (other_sizes == 0) return {};
  return fmt::format("{} images are left out: they are not of {} x {} pixels, as most are", other_sizes, shape.width,
                     shape.height);
}

void require_size(const Image& shape, const Image& image, const std::string& technique) {
  if (image.width == shape.width && image.height == shape.height) return;
  throw_input(technique,
              fmt::format("{} x {} pixels, where others have {} x {}: images are averaged pixel by pixel", image.width,
                          image.height, shape.width, shape.height),
              "cut all faces to one size and align them");
}

std::vector<std::uint8_t> as_in(const Image& shape, const Image& image, const std::string& technique) {
  require_size(shape, image, technique);
  return like(image, shape).pixels;
}

Image mean_image(const Image& shape, const std::vector<std::uint32_t>& sum, std::size_t count) {
  Image result{shape.width, shape.height, shape.channels, {}};
  result.pixels.reserve(sum.size());
  for (const std::uint32_t value : sum) {
    result.pixels.push_back(static_cast<std::uint8_t>((2 * std::size_t{value} + count) / (2 * count)));
  }
  return result;
}

}  // namespace bauta
