// ESN, Euclidean-sensitive noise (Terhorst et al. 2019): the template moved by a fixed distance in a uniformly random
// direction. The length of the result is left as it comes out.
#include <algorithm>
#include <cmath>

#include "bauta/protect/protection.hpp"
#include "noise.hpp"

namespace bauta {
namespace {

class Esn : public Protection {
 public:
  explicit Esn(const Parameters& parameters) : distance_(parameters.real("distance")) {}

  void check(const Templates& input, const std::string& where, const ProtectContext&) const override {
    require_floats(input, "esn", where);
    if (input.cols() == 0) throw_input(where, "templates have no features");
  }

  [[nodiscard]] KnownMask known_mask(const ImageShape&) const override { return {.noise = KnownNoise{}}; }

  /// Computed in double and rounded once.
  [[nodiscard]] Templates protect(const Templates& block, std::size_t first,
                                  const ProtectContext& context) const override {
    const MatrixView<const float> source = block.floats();
    Matrix<float> noisy(source.rows, source.cols);
    std::vector<double> v(source.cols);
    std::vector<double> noise(source.cols);
    for (std::size_t i = 0; i < source.rows; ++i) {
      std::copy(source.row(i).begin(), source.row(i).end(), v.begin());
      Stream stream = context.randomness.stream("esn", first + i);
      double square = 0;
      do {
        stream.normals(std::span(noise));
        square = dot(noise, noise);
      } while (square == 0);
      combine(1, v, distance_ / std::sqrt(square), noise, noisy.row(i));
    }
    return Templates(std::move(noisy));
  }

 private:
  double distance_;
};

}  // namespace

Entry<Protection> esn_protection() {
  return {{.name = "esn",
           .paper = "Terhorst et al. 2019, Unsupervised Privacy-enhancement of Face Representations Using "
                    "Similarity-sensitive Noise Transformations",
           .doc = "noise at a fixed Euclidean distance from the original",
           .medium = "template",
           .comparator = "cosine",
           .claim = "noise confuses attribute estimators more than it lowers recognition",
           .broken_by = "averaging over repeated enrolments of a person, and the similarity attack, which reads "
                        "attributes wherever recognition is kept",
           .parameters = {{"distance", ParameterType::real, "0.5",
                           "distance between the protected and the original template", 0}},
           .does = Operation::adds_noise},
          [](const Parameters& parameters) { return std::make_unique<Esn>(parameters); }};
}

}  // namespace bauta
