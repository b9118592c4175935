// What the parameters of a technique tell of every image that it masks: what an informed attacker knows beforehand.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace bauta {

struct KnownMask {
  /// Hidden pixels have this value in all channels, all others are as they were.
  std::optional<std::uint8_t> fill = std::nullopt;
  /// Weights of a blur along rows and columns, odd in number and of sum 1. Beyond the border the image is mirrored
  /// without repeating its last pixel. Empty: there is none.
  std::vector<float> blur = {};
};

}  // namespace bauta
