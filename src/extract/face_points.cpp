// Where the parts of a face are, in pixels. No face is an answer here, not a failure: the question `cost` counts in how
// many images one is still found.
#include "fine_landmarks.hpp"

namespace bauta {
namespace {

class FacePoints : public Extractor {
 public:
  explicit FacePoints(const Parameters& parameters)
      : upsample_(static_cast<int>(parameters.integer("upsample"))), landmarks_(parameters) {}

  [[nodiscard]] std::string model() const override { return landmarks_.model(); }

  [[nodiscard]] std::optional<std::vector<float>> extract(const Medium& medium) const override {
    const auto& image = medium_as<Image>(medium, "face-points");
    std::vector<float> features(1 + 2 * landmarks_->count(), 0.0F);
    const std::optional<Box> face = face_module().largest_face(image, upsample_);
    if (!face) return features;
    features[0] = 1;
    std::size_t next = 1;
    for (const Point& point : landmarks_->find_fine(image, *face)) {
      features[next++] = static_cast<float>(point.x);
      features[next++] = static_cast<float>(point.y);
    }
    return features;
  }

 private:
  int upsample_;
  FineLandmarks landmarks_;
};

}  // namespace

Entry<Extractor> face_points_extractor() {
  return {
      {.name = "face-points",
       .paper = "Kazemi and Sullivan 2014; King 2009, dlib",
       .doc = "1 where a face is found, then x and y of 68 landmarks of the largest in pixels; 0 and zeros where "
              "none is. For measure.cost",
       .medium = "image",
       .parameters = {{"upsample", ParameterType::integer, "0",
                       "how often the image is doubled for the detector; without, it finds faces of 80 pixels and "
                       "more",
                       0, 4},
                      {"models", ParameterType::folder, "", "folder of the weights; empty: where set-up put them"}}},
      [](const Parameters& parameters) { return std::make_unique<FacePoints>(parameters); }};
}

}  // namespace bauta
