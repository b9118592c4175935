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

/// Rounds half up and clamps: the one place where values become pixels.
std::uint8_t to_pixel(float value);
Image with_values(const Image& shape, const std::vector<float>& values);

}  // namespace bauta
