// Every extractor, one line each.
#include "bauta/extract/extractor.hpp"

namespace bauta {

Entry<Extractor> pixels_extractor();

const Catalogue<Extractor>& extractors() {
  static const Catalogue<Extractor> catalogue = {
      pixels_extractor(),
  };
  return catalogue;
}

}  // namespace bauta
