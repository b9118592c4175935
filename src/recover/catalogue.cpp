// Every recovery, one line each.
#include "bauta/recover/recovery.hpp"

namespace bauta {

Entry<Recovery> align_mean_recovery();
Entry<Recovery> average_recovery();
Entry<Recovery> intersect_recovery();
Entry<Recovery> ridge_recovery();
Entry<Recovery> mlp_recovery();
Entry<Recovery> pre_image_recovery();

const Catalogue<Recovery>& recoveries() {
  static const Catalogue<Recovery> catalogue = {
      align_mean_recovery(), average_recovery(), intersect_recovery(),
      ridge_recovery(),      mlp_recovery(),     pre_image_recovery(),
  };
  return catalogue;
}

}  // namespace bauta
