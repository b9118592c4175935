#include "fine_landmarks.hpp"

#include "bauta/core/digest.hpp"
#include "face_frame.hpp"
#include "weights.hpp"

namespace bauta {

FineLandmarks::FineLandmarks(const Parameters& parameters) {
  const FaceModule& module = face_module();
  const auto file = find_weights(parameters.text("models"), "shape_predictor_68_face_landmarks.dat");
  landmarks_ = module.load_landmarks(file);
  Hash hash;
  hash.add(module.library());
  hash.add(file_digest(file));
  model_ = hash.hex();
}

namespace {

class LandmarkExtractor : public Extractor {
 public:
  LandmarkExtractor(const Parameters& parameters, std::string name, DescribeLandmarks describe)
      : name_(std::move(name)), frame_(parameters), landmarks_(parameters), describe_(describe) {}

  [[nodiscard]] std::string model() const override { return landmarks_.model(); }

  [[nodiscard]] std::optional<std::vector<float>> extract(const Medium& medium) const override {
    const auto& image = medium_as<Image>(medium, name_);
    const std::optional<Box> face = frame_.face(image);
    if (!face) return std::nullopt;
    std::vector<float> features = describe_(landmarks_->find_fine(image, *face));
    if (features.empty()) return std::nullopt;
    return features;
  }

 private:
  std::string name_;
  FaceFrame frame_;
  FineLandmarks landmarks_;
  DescribeLandmarks describe_;
};

}  // namespace

std::unique_ptr<Extractor> landmark_extractor(const Parameters& parameters, std::string name,
                                              DescribeLandmarks describe) {
  return std::make_unique<LandmarkExtractor>(parameters, std::move(name), describe);
}

}  // namespace bauta
