#include "face_frame.hpp"

#include <fmt/format.h>

namespace bauta {

FaceFrame::FaceFrame(const Parameters& parameters)
    : aligned_(parameters.text("frame") == "aligned"), upsample_(static_cast<int>(parameters.integer("upsample"))) {}

std::vector<Parameter> FaceFrame::parameters() {
  return {
      {.name = "frame",
       .type = ParameterType::choice,
       .default_value = "detect",
       .doc = "detect: the largest face that is found; aligned: nothing is searched, the image is a square crop with "
              "level eyes at 48 % of its height, a third of its width apart",
       .choices = {"detect", "aligned"}},
      {"upsample", ParameterType::integer, "0",
       "how often the image is doubled for the detector; without, it finds faces of 80 pixels and more", 0, 4},
      {"models", ParameterType::folder, "", "folder of the weights; empty: where set-up put them"}};
}

std::optional<Box> FaceFrame::face(const Image& image) const {
  if (!aligned_) return face_module().largest_face(image, upsample_);
  // The mean of what the detector finds in 294 aligned crops of Labeled Faces in the Wild, in whole pixels.
  const double pixel = unit(image);
  return Box{16 * pixel, 28 * pixel, 101 * pixel - 1, 113 * pixel - 1};
}

double FaceFrame::unit(const Image& crop) {
  if (crop.width != crop.height) {
    throw_input("frame=aligned", fmt::format("needs a square crop, not {} x {} pixels", crop.width, crop.height),
                "frame=detect finds the face itself");
  }
  return static_cast<double>(crop.width) / 112;
}

}  // namespace bauta
