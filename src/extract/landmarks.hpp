// Facial landmarks as a template.
#pragma once

#include <span>
#include <vector>

#include "face_module.hpp"

namespace bauta {

/// x and y of each of 68 landmarks about their mean, turned so that the eyes are level, in units of their root mean
/// square distance from the mean. Empty if all coincide, or the eyes do.
std::vector<float> landmark_coordinates(std::span<const Point> landmarks);

}  // namespace bauta
