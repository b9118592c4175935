// Every extractor, one line each.
#include "bauta/extract/extractor.hpp"

namespace bauta {

Entry<Extractor> face_graph_extractor();
Entry<Extractor> face_network_extractor();
Entry<Extractor> face_retrained_extractor();
Entry<Extractor> landmarks_extractor();
Entry<Extractor> lbph_extractor();
Entry<Extractor> log_deviation_extractor();
Entry<Extractor> onnx_extractor();
Entry<Extractor> pixels_extractor();
Entry<Extractor> eigenface_extractor();
Entry<Extractor> cepstra_extractor();
Entry<Extractor> torchscript_extractor();
Entry<Extractor> flatten_extractor();
Entry<Extractor> simple_extractor();
Entry<Extractor> segment_extractor();
Entry<Extractor> face_points_extractor();
Entry<Extractor> likeness_extractor();

const Catalogue<Extractor>& extractors() {
  // clang-format off
  static const Catalogue<Extractor> catalogue = {
      face_graph_extractor(),
      face_network_extractor(),
      face_retrained_extractor(),
      landmarks_extractor(),
      lbph_extractor(),
      onnx_extractor(),
      pixels_extractor(),
      eigenface_extractor(),
      cepstra_extractor(),
      torchscript_extractor(),
      flatten_extractor(),
      simple_extractor(),
      segment_extractor(),
      face_points_extractor(),
      likeness_extractor(),
      log_deviation_extractor(),
  };
  // clang-format on
  return catalogue;
}

}  // namespace bauta
