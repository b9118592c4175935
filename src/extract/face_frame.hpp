// Where the face is: found by a detector, or known because the image is an aligned crop.
#pragma once

#include <optional>
#include <vector>

#include "bauta/core/declaration.hpp"
#include "face_module.hpp"

namespace bauta {

class FaceFrame {
 public:
  explicit FaceFrame(const Parameters& parameters);

  /// frame, upsample, models: of every extractor that needs a face.
  static std::vector<Parameter> parameters();

  [[nodiscard]] bool aligned() const { return aligned_; }
  /// Of the largest face; of an aligned crop always the same box.
  [[nodiscard]] std::optional<Box> face(const Image& image) const;

  /// Aligned crops are described as if they had 112 x 112 pixels: so many pixels does this one have for each of theirs.
  /// Throws an input error for an image that is no square.
  static double unit(const Image& crop);

 private:
  bool aligned_;
  int upsample_;
};

}  // namespace bauta
