// Where eyes, nose and mouth are, for techniques that need to know.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "bauta/data/image.hpp"
#include "bauta/deep/face_canvas.hpp"

namespace bauta {

/// Looks in images that one face fills, however it was cut out. May be asked from several threads at once.
class FacePointFinder {
 public:
  /// `models`: folder of the weights; empty: where set-up put them.
  FacePointFinder(std::string technique, std::string models);

  /// Reads the weights, as the first search would; an environment error says which are missing.
  void load() const;
  /// In shares of width and height. An input error where there is no face.
  [[nodiscard]] FacePoints find(const Image& image) const;

 private:
  std::string technique_, models_;
  mutable std::once_flag loaded_;
  mutable std::shared_ptr<const FaceLandmarks> landmarks_;
};

}  // namespace bauta
