// The templates of face recognition by dlib: 128 numbers whose Euclidean distance says whether two faces are of one
// person (below 0.6, says dlib).
#include "bauta/core/digest.hpp"
#include "bauta/extract/extractor.hpp"
#include "face_frame.hpp"
#include "weights.hpp"

namespace bauta {
namespace {

/// Takes an aligned crop of 112 x 112 pixels to where the chip that is cut by landmarks would show the face.
constexpr Framing aligned_framing{1.45, {56, 72}, {74, 75}};

class FaceNetworkExtractor : public Extractor {
 public:
  explicit FaceNetworkExtractor(const Parameters& parameters) : frame_(parameters) {
    const std::string& models = parameters.text("models");
    const FaceModule& module = face_module();
    Hash hash;
    hash.add(module.library());
    const auto network = find_weights(models, "dlib_face_recognition_resnet_model_v1.dat");
    network_ = module.load_network(network);
    hash.add(file_digest(network));
    if (!frame_.aligned()) {
      const auto landmarks = find_weights(models, "shape_predictor_5_face_landmarks.dat");
      landmarks_ = module.load_landmarks(landmarks);
      hash.add(file_digest(landmarks));
    }
    model_ = hash.hex();
  }

  [[nodiscard]] std::string model() const override { return model_; }

  [[nodiscard]] std::optional<std::vector<float>> extract(const Medium& medium) const override {
    const auto& image = medium_as<Image>(medium, "face-network");
    if (frame_.aligned()) {
      const double pixel = FaceFrame::unit(image);
      Framing framing = aligned_framing;
      framing.scale /= pixel;
      framing.image = {framing.image.x * pixel, framing.image.y * pixel};
      return network_->descriptor(face_module().face_chip(image, framing));
    }
    const std::optional<Box> face = frame_.face(image);
    if (!face) return std::nullopt;
    return network_->descriptor(face_module().face_chip(image, landmarks_->find(image, *face)));
  }

 private:
  FaceFrame frame_;
  std::unique_ptr<FaceNetwork> network_;
  std::unique_ptr<Landmarks> landmarks_;
  std::string model_;
};

}  // namespace

Entry<Extractor> face_network_extractor() {
  return {{.name = "face-network",
           .paper = "King 2017, dlib_face_recognition_resnet_model_v1",
           .doc = "128 features of dlib's face network; compare them with euclidean or cosine",
           .medium = "image",
           .parameters = FaceFrame::parameters()},
          [](const Parameters& parameters) { return std::make_unique<FaceNetworkExtractor>(parameters); }};
}

}  // namespace bauta
