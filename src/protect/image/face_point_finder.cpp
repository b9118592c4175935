#include "face_point_finder.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "bauta/core/error.hpp"
#include "bauta/data/resized.hpp"

namespace bauta {

FacePointFinder::FacePointFinder(std::string technique, std::string models)
    : technique_(std::move(technique)), models_(std::move(models)) {}

void FacePointFinder::load() const {
  std::call_once(loaded_, [&] { landmarks_ = load_face_landmarks(models_); });
}

FacePoints FacePointFinder::find(const Image& image) const {
  load();
  std::vector<float> seen = resized_planes(image, FaceLandmarks::size, 3);
  for (float& value : seen) value *= 255;
  const std::optional<FacePoints> points = face_points(*landmarks_, seen);
  if (!points) throw_input(technique_, "no face was found");
  return *points;
}

}  // namespace bauta
