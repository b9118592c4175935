// What the parameters of a technique tell of every sample that it masks: what an informed attacker knows beforehand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bauta/core/image_shape.hpp"

namespace bauta {

/// A masked image is own * image + (1 - own) * overlay, pixel by pixel, and then rounded.
struct KnownOverlay {
  double own = 1;
  std::vector<float> overlay;  ///< its mean over all keys; as many values as the image has
};

/// A protected template is share * template + noise that is fresh every time.
struct KnownNoise {
  double share = 1;
  bool random_length = false;  ///< the template had unit length, and the sum is given a length of its own
};

struct KnownMask {
  /// Hidden pixels have this value in all channels, all others are as they were.
  std::optional<std::uint8_t> fill = std::nullopt;
  /// Weights of a blur along rows and columns, odd in number and of sum 1. Beyond the border the image is mirrored
  /// without repeating its last pixel. Empty: there is none.
  std::vector<float> blur = {};
  std::optional<KnownOverlay> overlay = std::nullopt;
  std::optional<KnownNoise> noise = std::nullopt;
  std::size_t block = 0;   ///< features of a template that stay together when it is shuffled; 0: it is not
  std::size_t values = 0;  ///< how many values a stored code may have, one of which is the right one; 0: no such code
};

}  // namespace bauta
