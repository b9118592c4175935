// What an informed attacker who has no key knows of a technique that lays something over every image.
#pragma once

#include <vector>

#include "bauta/data/image.hpp"

namespace bauta {

/// A masked image is own * image + (1 - own) * overlay, pixel by pixel, and then rounded.
struct ExpectedOverlay {
  double own = 1;
  std::vector<float> overlay;  ///< its mean over all keys; as many values as the image has
};

/// A protection that is one of these as well lays something over images.
class OverlayingProtection {
 public:
  virtual ~OverlayingProtection() = default;

  /// For images of the size and the channels of this one, whose pixels do not matter.
  [[nodiscard]] virtual ExpectedOverlay expected_overlay(const Image& shape) const = 0;
};

}  // namespace bauta
