// Where the parts of a face are, in coordinates that do not depend on where the face lies, how large it is and how it
// is turned in the plane.
#include "landmarks.hpp"

#include <cmath>
#include <complex>

#include "bauta/core/error.hpp"
#include "face_frame.hpp"
#include "fine_landmarks.hpp"

namespace bauta {

std::vector<float> landmark_coordinates(std::span<const Point> landmarks) {
  // Of the 68 points, 36 to 41 surround one eye and 42 to 47 the other.
  constexpr std::size_t one_eye = 36, other_eye = 42, points_of_eye = 6;
  BAUTA_ASSERT(landmarks.size() >= other_eye + points_of_eye);
  using Complex = std::complex<double>;
  const auto at = [&](std::size_t k) { return Complex(landmarks[k].x, landmarks[k].y); };
  Complex centre, eyes;
  for (std::size_t k = 0; k < landmarks.size(); ++k) centre += at(k) / static_cast<double>(landmarks.size());
  for (std::size_t k = 0; k < points_of_eye; ++k) eyes += at(other_eye + k) - at(one_eye + k);
  double squares = 0;
  for (std::size_t k = 0; k < landmarks.size(); ++k) squares += std::norm(at(k) - centre);
  if (squares == 0 || eyes == Complex()) return {};
  const Complex turn = std::conj(eyes) / std::abs(eyes) / std::sqrt(squares / static_cast<double>(landmarks.size()));
  std::vector<float> coordinates;
  coordinates.reserve(2 * landmarks.size());
  for (std::size_t k = 0; k < landmarks.size(); ++k) {
    const Complex place = (at(k) - centre) * turn;
    coordinates.push_back(static_cast<float>(place.real()));
    coordinates.push_back(static_cast<float>(place.imag()));
  }
  return coordinates;
}

Entry<Extractor> landmarks_extractor() {
  return {
      {.name = "landmarks",
       .paper = "Kazemi and Sullivan 2014, One Millisecond Face Alignment with an Ensemble of Regression Trees",
       .doc = "136 coordinates of 68 facial landmarks about their mean, eyes level, over their root mean square",
       .medium = "image",
       .parameters = FaceFrame::parameters()},
      [](const Parameters& parameters) { return landmark_extractor(parameters, "landmarks", landmark_coordinates); }};
}

}  // namespace bauta
