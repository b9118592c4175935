// Eigenfaces and support vector machines, as in the tutorial of scikit-learn: pixels
// standardised, whitened principal components of people who are not enrolled, then a radial kernel with that
// tutorial's parameters.
#include "learned.hpp"

namespace bauta {

Entry<Recogniser> eigenface_svm_recogniser() {
  return {{.name = "eigenface-svm",
           .paper = "Turk and Pentland 1991; as used in A False Sense of Privacy",
           .doc = "support vector machines on whitened eigenfaces of standardised pixels",
           .medium = "image",
           .learns = true,
           .parameters = {{"size", ParameterType::integer, "48", "edge of the image in pixels", 2, 128},
                          {"components", ParameterType::integer, "150",
                           "eigenfaces, as far as the rank of the images goes that they are learned from", 1, 16384},
                          {"c", ParameterType::real, "1000", "what a violated margin costs", 1e-6, 1e9},
                          {"gamma", ParameterType::text, "0.005", "of the radial kernel, as of svm-rbf"}},
           .representation = "eigenface:size={size},components={components},standardise=yes,whiten=yes"},
          [](const Parameters& parameters) {
            return learned_recogniser(make_estimator(parameters.fill("svm-rbf:c={c},gamma={gamma},weight=balanced")),
                                      "none");
          }};
}

}  // namespace bauta
