// Gaussian blur: each pixel becomes a weighted mean of its neighbourhood. The deviation follows from the size of the
// kernel as image libraries derive it, 0.3 * ((size - 1) / 2 - 1) + 0.8; beyond the border the image is mirrored
// without repeating its last pixel. Some libraries take tables for kernels up to 7; here the formula always holds.
#include "gaussian_blur.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include <fmt/format.h>

#include "bauta/core/simd.hpp"
#include "image_protection.hpp"

namespace bauta {

std::vector<float> gaussian_kernel(std::size_t size) {
  BAUTA_ASSERT(size % 2 == 1);
  const double centre = static_cast<double>(size - 1) / 2;
  const double sigma = 0.3 * (centre - 1) + 0.8;
  std::vector<double> weights(size);
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const double distance = static_cast<double>(i) - centre;
    sum += weights[i] = std::exp(-distance * distance / (2 * sigma * sigma));
  }
  std::vector<float> kernel;
  for (const double weight : weights) kernel.push_back(static_cast<float>(weight / sum));
  return kernel;
}

std::size_t mirrored(std::ptrdiff_t place, std::size_t size) {
  if (size == 1) return 0;
  const auto period = 2 * (static_cast<std::ptrdiff_t>(size) - 1);
  place = (place % period + period) % period;
  return static_cast<std::size_t>(std::min(place, period - place));
}

namespace {

constexpr std::size_t together = 32;  // sums that stay in registers

/// to[i] is the sum of kernel[t] * from[t][i], in the order of t. Whatever instructions do it, the bits are the same
/// (this file is compiled without fused products).
BAUTA_MULTIVERSION void weighted_sums(float* to, const float* const* from, std::span<const float> kernel,
                                      std::size_t count) {
  std::size_t i = 0;
  for (; i + together <= count; i += together) {
    float sums[together] = {};
    for (std::size_t t = 0; t < kernel.size(); ++t) {
      for (std::size_t j = 0; j < together; ++j) sums[j] += kernel[t] * from[t][i + j];
    }
    std::copy_n(sums, together, to + i);
  }
  for (; i < count; ++i) {
    float sum = 0;
    for (std::size_t t = 0; t < kernel.size(); ++t) sum += kernel[t] * from[t][i];
    to[i] = sum;
  }
}

/// Which of `size` places lie around a place under a kernel that reaches so far, from the first place on.
std::vector<std::size_t> places_around(std::size_t size, std::size_t reach) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < size + 2 * reach; ++i) {
    places.push_back(mirrored(static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(reach), size));
  }
  return places;
}

std::vector<float> blur_rows(const Image& image, const std::vector<float>& kernel) {
  const std::size_t line = image.width * image.channels;
  const std::vector<std::size_t> places = places_around(image.width, kernel.size() / 2);
  std::vector<float> result(line * image.height), wide(places.size() * image.channels);
  std::vector<const float*> from;
  for (std::size_t t = 0; t < kernel.size(); ++t) from.push_back(wide.data() + t * image.channels);
  for (std::size_t y = 0; y < image.height; ++y) {
    const std::uint8_t* const row = image.pixels.data() + y * line;
    for (std::size_t x = 0; x < places.size(); ++x) {
      for (std::size_t c = 0; c < image.channels; ++c) {
        wide[x * image.channels + c] = row[places[x] * image.channels + c];
      }
    }
    weighted_sums(result.data() + y * line, from.data(), kernel, line);
  }
  return result;
}

std::vector<float> blur_columns(const std::vector<float>& rows, std::size_t height, const std::vector<float>& kernel) {
  const std::size_t line = rows.size() / height;
  const std::vector<std::size_t> places = places_around(height, kernel.size() / 2);
  std::vector<float> result(rows.size());
  std::vector<const float*> from(kernel.size());
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t t = 0; t < kernel.size(); ++t) from[t] = rows.data() + places[y + t] * line;
    weighted_sums(result.data() + y * line, from.data(), kernel, line);
  }
  return result;
}

class GaussianBlur : public ImageProtection {
 public:
  explicit GaussianBlur(const Parameters& parameters)
      : ImageProtection("gaussian-blur"),
        kernel_(static_cast<std::size_t>(parameters.integer("kernel"))),
        percent_(parameters.text("unit") == "percent") {
    if (!percent_ && kernel_ != 0 && kernel_ % 2 == 0) {
      throw_usage("gaussian-blur:kernel", fmt::format("{} is even, a kernel has a centre", kernel_),
                  fmt::format("take {} or {}", kernel_ - 1, kernel_ + 1));
    }
    if (percent_ && kernel_ == 0) throw_usage("gaussian-blur:kernel", "is missing, and needed with unit=percent");
  }

  [[nodiscard]] KnownMask known_mask(const ImageShape& shape) const override {
    return {.blur = gaussian_kernel(size_for(shape.width))};
  }
  [[nodiscard]] std::map<std::string, std::size_t> in_pixels(const ImageShape& shape) const override {
    return {{"kernel", size_for(shape.width)}};
  }

 protected:
  [[nodiscard]] Image masked(const Image& image, std::size_t, const ProtectContext&) const override {
    const std::vector<float> kernel = gaussian_kernel(size_for(image.width));
    return with_values(image, blur_columns(blur_rows(image, kernel), image.height, kernel));
  }

 private:
  [[nodiscard]] std::size_t size_for(std::size_t width) const {
    if (percent_) return 2 * (width * kernel_ / 200) + 1;
    return kernel_ != 0 ? kernel_ : 2 * (width * paper_kernel / (2 * paper_width)) + 1;
  }

  // The kernel of that evaluation, on faces of this width.
  static constexpr std::size_t paper_kernel = 101, paper_width = 224;

  std::size_t kernel_;
  bool percent_;
};

}  // namespace

Entry<Protection> gaussian_blur_protection() {
  return {{.name = "gaussian-blur",
           .paper = "as evaluated in A False Sense of Privacy",
           .doc = "every pixel becomes a weighted mean of its neighbourhood",
           .medium = "image",
           .claim = "faces lose the detail by which people recognise each other; there is no formal guarantee",
           .broken_by = "recognisers that learned from blurred images, and sharpening: a blur is nearly invertible",
           .parameters = {{"kernel", ParameterType::integer, "0",
                           "edge of the kernel, odd; 0: 101 pixels for images of 224, and in proportion for others", 0,
                           100000},
                          {.name = "unit",
                           .type = ParameterType::choice,
                           .default_value = "pixels",
                           .doc = "of the kernel: pixels, or percent of the image's width",
                           .choices = {"pixels", "percent"}}},
           .does = Operation::blurs},
          [](const Parameters& parameters) { return std::make_unique<GaussianBlur>(parameters); }};
}

}  // namespace bauta
