// What a generator of faces is shown of a face: where it is, and where its parts are.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "bauta/deep/face_landmarks.hpp"

namespace bauta {

/// The ellipse that is painted anew, in shares of width and height. In aligned crops it holds brows, cheeks and chin;
/// hair, ears and neck stay.
struct FaceRegion {
  double x, y, across, down;

  [[nodiscard]] bool holds(double at_x, double at_y) const {
    const double u = at_x - x, v = at_y - y;
    return u * u / (across * across) + v * v / (down * down) < 1;
  }
  /// Which pixels have their middle in it.
  [[nodiscard]] std::vector<bool> pixels(std::size_t width, std::size_t height) const;
  /// Cells of a grid: 1 where there is anything of it, else 0.
  [[nodiscard]] std::vector<float> cells(std::size_t size) const;
};

inline constexpr FaceRegion aligned_face{0.5, 0.6, 0.38, 0.42}, whole_face{0.5, 0.5, 0.45, 0.48};

/// x and y in shares of the edge: the middle of each eye, the tip of the nose, the corners of the mouth. They say how a
/// head is turned and whether the mouth is open to a smile, and little of who it is.
using FacePoints = std::array<float, 10>;

/// Of the mean face in aligned crops of Labeled Faces in the Wild.
inline constexpr FacePoints usual_points = {0.341F, 0.465F, 0.659F, 0.465F, 0.5F,
                                            0.643F, 0.366F, 0.797F, 0.634F, 0.797F};

/// Looked for in the image and in its mirror image, and the mean of both; `planes` as FaceLandmarks takes them. Nothing
/// where the two disagree, as they do where there is no face.
std::optional<FacePoints> face_points(const FaceLandmarks& landmarks, std::span<const float> planes);

/// Spots with a value of 1 in their middle, Gaussians of 3 % of the edge: a plane for the eyes, one for the nose and
/// one for the mouth, so that a mirror changes none for another.
inline constexpr std::size_t spot_planes = 3;
std::vector<float> spots(const FacePoints& points, std::size_t size);

}  // namespace bauta
