// The face network's pupil: templates of people by a network that was trained on masks, and the nearest mean of each
// person. Who it learned from is the adversary's choice: `retrained` has it learn from masked people.
#include "nearest.hpp"

namespace bauta {

Entry<Recogniser> face_retrained_recogniser() {
  return {
      {.name = "face-retrained",
       .paper = "as retrained ArcFace in A False Sense of Privacy",
       .doc = "the nearest mean of each person's templates of a small network that learned from the face network, by "
              "cosine",
       .medium = "image",
       .comparator = "cosine",
       .parameters = {{"size", ParameterType::integer, "48", "as of the extractor face-retrained", 8, 256},
                      {"filters", ParameterType::text, "16/32/64/128", "as of the extractor face-retrained"},
                      {"epochs", ParameterType::integer, "20", "as of the extractor face-retrained", 1, 1e5},
                      {.name = "mirror",
                       .type = ParameterType::choice,
                       .default_value = "yes",
                       .doc = "as of the extractor face-retrained",
                       .choices = {"yes", "no"}},
                      {.name = "frame",
                       .type = ParameterType::choice,
                       .default_value = "aligned",
                       .doc = "as of the extractor face-retrained",
                       .choices = {"detect", "aligned"}}},
       .representation = "face-retrained:size={size},filters={filters},epochs={epochs},mirror={mirror},frame={frame}"},
      [](const Parameters&) { return centroid_by("cosine"); }};
}

}  // namespace bauta
