// Where the eyes are, and the cut that makes them level.
#pragma once

#include <vector>

#include "bauta/data/image_cut.hpp"
#include "face_module.hpp"

namespace bauta {

/// Their middles; left and right as they are seen.
struct Eyes {
  Point left;
  Point right;
};

/// From dlib's five landmarks: the corners of one eye, of the other, the base of the nose.
Eyes eyes_of(const std::vector<Point>& landmarks);

/// Takes the eyes to 48 % of the height of a square, a third of its width apart.
ImageCut level_eyes(const Point& left, const Point& right, std::size_t side);

}  // namespace bauta
