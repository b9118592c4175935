// FaceGraph: the fully connected graph on facial landmarks, as a vector of its edges' lengths. The paper does not say
// how lengths are made comparable between images; here by their root mean square, which is the centroid size of shape
// statistics up to a constant and, unlike the distance of the eyes, leans on no single pair.
#include "face_graph.hpp"

#include <cmath>

#include "face_frame.hpp"
#include "fine_landmarks.hpp"

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

Entry<Extractor> face_graph_extractor() {
  return {{.name = "face-graph",
           .paper = "Moriarty et al., Utility-Preserving Biometric Information Anonymization",
           .doc = "FaceGraph: the distances of all 2278 pairs of 68 facial landmarks over their root mean square",
           .medium = "image",
           .parameters = FaceFrame::parameters()},
          [](const Parameters& parameters) { return landmark_extractor(parameters, "face-graph", face_graph); }};
}

}  // namespace bauta
