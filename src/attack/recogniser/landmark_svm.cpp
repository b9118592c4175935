// The shape of a face: landmarks, scaled, and support vector machines. The paper turns them into all their principal
// components first, which changes no distance and so nothing that a radial kernel sees.
#include "learned.hpp"

namespace bauta {

Entry<Recogniser> landmark_svm_recogniser() {
  return {{.name = "landmark-svm",
           .paper = "as used in A False Sense of Privacy",
           .doc = "support vector machines on the standardised coordinates of 68 facial landmarks",
           .medium = "image",
           .learns = true,
           .parameters = {{.name = "frame",
                           .type = ParameterType::choice,
                           .default_value = "aligned",
                           .doc = "as of the extractor landmarks; a detector passes many masked faces over",
                           .choices = {"detect", "aligned"}},
                          // Of a handful of samples each, no multiplier reaches it: margins are as hard as the kernel
                          // lets them be.
                          {"c", ParameterType::real, "10", "what a violated margin costs", 1e-6, 1e9},
                          {"gamma", ParameterType::text, "scale", "of the radial kernel, as of svm-rbf"}},
           .representation = "landmarks:frame={frame}"},
          [](const Parameters& parameters) {
            return learned_recogniser(make_estimator(parameters.fill("svm-rbf:c={c},gamma={gamma},weight=balanced")),
                                      "zscore");
          }};
}

}  // namespace bauta
