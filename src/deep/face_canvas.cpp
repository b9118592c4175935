#include "bauta/deep/face_canvas.hpp"

#include <algorithm>
#include <cmath>

#include "bauta/core/error.hpp"

namespace bauta {

namespace {

/// From 68 landmarks, x and y each.
FacePoints points_of(std::span<const float> landmarks) {
  constexpr std::size_t one_eye = 36, other_eye = 42, points_of_eye = 6, nose = 30, one_corner = 48, other_corner = 54;
  BAUTA_ASSERT(landmarks.size() == 136);
  FacePoints points{};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    for (std::size_t k = 0; k < points_of_eye; ++k) {
      points[axis] += landmarks[2 * (one_eye + k) + axis] / points_of_eye;
      points[2 + axis] += landmarks[2 * (other_eye + k) + axis] / points_of_eye;
    }
    points[4 + axis] = landmarks[2 * nose + axis];
    points[6 + axis] = landmarks[2 * one_corner + axis];
    points[8 + axis] = landmarks[2 * other_corner + axis];
  }
  return points;
}

}  // namespace

std::vector<bool> FaceRegion::pixels(std::size_t width, std::size_t height) const {
  std::vector<bool> inside(width * height);
  for (std::size_t i = 0; i < inside.size(); ++i) {
    inside[i] = holds((static_cast<double>(i % width) + 0.5) / static_cast<double>(width),
                      (static_cast<double>(i / width) + 0.5) / static_cast<double>(height));
  }
  return inside;
}

std::vector<float> FaceRegion::cells(std::size_t size) const {
  constexpr std::size_t fine = 16;  // pixels of a cell: images are rarely larger
  const std::vector<bool> inside = pixels(fine * size, fine * size);
  std::vector<float> result(size * size, 0.0F);
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i]) result[i / (fine * size) / fine * size + i % (fine * size) / fine] = 1;
  }
  return result;
}

std::optional<FacePoints> face_points(const FaceLandmarks& landmarks, std::span<const float> planes) {
  // Mean distances of 80 faces were 0.029 and less; of noise, even colours, faces upside down and scrambled faces 0.049
  // and more.
  constexpr double furthest = 0.04;
  constexpr std::size_t size = FaceLandmarks::size;
  std::vector<float> turned(planes.size());
  for (std::size_t i = 0; i < turned.size(); ++i) turned[i] = planes[i / size * size + (size - 1 - i % size)];
  const FacePoints seen = points_of(landmarks.find(planes)), there = points_of(landmarks.find(turned));
  constexpr std::array<std::size_t, 5> opposite = {1, 0, 2, 4, 3};
  FacePoints middle{};
  double apart = 0;
  for (std::size_t p = 0; p < opposite.size(); ++p) {
    const float x = 1 - there[2 * opposite[p]], y = there[2 * opposite[p] + 1];
    apart += std::hypot(seen[2 * p] - x, seen[2 * p + 1] - y) / static_cast<double>(opposite.size());
    middle[2 * p] = (seen[2 * p] + x) / 2;
    middle[2 * p + 1] = (seen[2 * p + 1] + y) / 2;
  }
  if (!(apart <= furthest)) return std::nullopt;
  return middle;
}

std::vector<float> spots(const FacePoints& points, std::size_t size) {
  constexpr std::array<std::size_t, 5> plane_of = {0, 0, 1, 2, 2};
  constexpr double deviation = 0.03;
  std::vector<float> planes(spot_planes * size * size, 0.0F);
  std::vector<double> across(size), down(size);
  for (std::size_t p = 0; p < plane_of.size(); ++p) {
    for (std::size_t i = 0; i < size; ++i) {
      const double middle = (static_cast<double>(i) + 0.5) / static_cast<double>(size);
      const auto near = [&](float place) { return std::exp(-std::pow((middle - place) / deviation, 2) / 2); };
      across[i] = near(points[2 * p]);
      down[i] = near(points[2 * p + 1]);
    }
    float* const plane = planes.data() + plane_of[p] * size * size;
    for (std::size_t i = 0; i < size * size; ++i) {
      plane[i] = std::max(plane[i], static_cast<float>(across[i % size] * down[i / size]));
    }
  }
  return planes;
}

}  // namespace bauta
