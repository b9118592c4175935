// The complete graph on facial landmarks.
#pragma once

#include <span>
#include <vector>

#include "face_module.hpp"

namespace bauta {

/// Euclidean distances of all pairs (0,1), (0,2), ..., (1,2), ... over their root mean square: where a face lies, how
/// it is turned in the plane and how large it is make no difference. Empty if all points coincide.
std::vector<float> face_graph(std::span<const Point> landmarks);

}  // namespace bauta
