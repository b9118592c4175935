// Faces by their texture: the nearest enrolled sample by histograms of local binary patterns, as OpenCV's
// LBPHFaceRecognizer has it.
#include "nearest.hpp"

namespace bauta {

Entry<Recogniser> lbph_recogniser() {
  return {
      {.name = "lbph",
       .paper = "Ahonen, Hadid, Pietikainen 2006, Face Description with Local Binary Patterns",
       .doc = "the most similar enrolled sample of each person, by chi-square of histograms of local binary patterns",
       .medium = "image",
       .comparator = "chi-square",
       .parameters = {{"size", ParameterType::integer, "0", "as of the extractor lbph", 0, 1024},
                      {"grid", ParameterType::integer, "8", "as of the extractor lbph", 1, 64},
                      {"radius", ParameterType::integer, "1", "as of the extractor lbph", 1, 100},
                      {"neighbours", ParameterType::integer, "8", "as of the extractor lbph", 2, 12},
                      {.name = "patterns",
                       .type = ParameterType::choice,
                       .default_value = "all",
                       .doc = "as of the extractor lbph",
                       .choices = {"all", "uniform"}}},
       .representation = "lbph:size={size},grid={grid},radius={radius},neighbours={neighbours},patterns={patterns}"},
      [](const Parameters&) { return nearest_by("chi-square"); }};
}

}  // namespace bauta
