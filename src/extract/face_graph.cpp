// FaceGraph: the fully connected graph on facial landmarks, as a vector of its edges' lengths. The paper does not say
// how lengths are made comparable between images; here by their root mean square, which is the centroid size of shape
// statistics up to a constant and, unlike the distance of the eyes, leans on no single pair.
#include "face_graph.hpp"

#include <cmath>

#include "bauta/core/digest.hpp"
#include "bauta/extract/extractor.hpp"
#include "face_frame.hpp"
#include "weights.hpp"

namespace bauta {

std::vector<float> face_graph(std::span<const Point> landmarks) {
  std::vector<double> lengths;
  lengths.reserve(landmarks.size() * landmarks.size() / 2);
  double squares = 0;
  for (std::size_t i = 0; i < landmarks.size(); ++i) {
    for (std::size_t j = i + 1; j < landmarks.size(); ++j) {
      lengths.push_back(std::hypot(landmarks[i].x - landmarks[j].x, landmarks[i].y - landmarks[j].y));
      squares += lengths.back() * lengths.back();
    }
  }
  if (squares == 0) return {};
  const double scale = std::sqrt(squares / static_cast<double>(lengths.size()));
  std::vector<float> edges;
  edges.reserve(lengths.size());
  for (const double length : lengths) edges.push_back(static_cast<float>(length / scale));
  return edges;
}

namespace {

class FaceGraph : public Extractor {
 public:
  explicit FaceGraph(const Parameters& parameters) : frame_(parameters) {
    const FaceModule& module = face_module();
    const auto file = find_weights(parameters.text("models"), "shape_predictor_68_face_landmarks.dat");
    landmarks_ = module.load_landmarks(file);
    Hash hash;
    hash.add(module.library());
    hash.add(file_digest(file));
    model_ = hash.hex();
  }

  [[nodiscard]] std::string model() const override { return model_; }

  [[nodiscard]] std::optional<std::vector<float>> extract(const Medium& medium) const override {
    const auto& image = medium_as<Image>(medium, "face-graph");
    const std::optional<Box> face = frame_.face(image);
    if (!face) return std::nullopt;
    std::vector<float> edges = face_graph(landmarks_->find_fine(image, *face));
    if (edges.empty()) return std::nullopt;
    return edges;
  }

 private:
  FaceFrame frame_;
  std::unique_ptr<Landmarks> landmarks_;
  std::string model_;
};

}  // namespace

Entry<Extractor> face_graph_extractor() {
  return {{.name = "face-graph",
           .paper = "Moriarty et al., Utility-Preserving Biometric Information Anonymization",
           .doc = "FaceGraph: the distances of all 2278 pairs of 68 facial landmarks over their root mean square",
           .medium = "image",
           .parameters = FaceFrame::parameters()},
          [](const Parameters& parameters) { return std::make_unique<FaceGraph>(parameters); }};
}

}  // namespace bauta
