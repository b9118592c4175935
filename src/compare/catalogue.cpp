// Every comparator, one line each.
#include "bauta/compare/comparator.hpp"

namespace bauta {

Entry<Comparator> chi_square_comparator();
Entry<Comparator> cosine_comparator();
Entry<Comparator> dot_comparator();
Entry<Comparator> euclidean_comparator();
Entry<Comparator> hamming_comparator();
Entry<Comparator> iom_comparator();
Entry<Comparator> nfr_comparator();
Entry<Comparator> pe_miu_comparator();

const Catalogue<Comparator>& comparators() {
  static const Catalogue<Comparator> catalogue = {
      chi_square_comparator(), cosine_comparator(), dot_comparator(), euclidean_comparator(),
      hamming_comparator(),    iom_comparator(),    nfr_comparator(), pe_miu_comparator(),
  };
  return catalogue;
}

}  // namespace bauta
