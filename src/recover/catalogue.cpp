// Every recovery, one line each.
#include "bauta/recover/recovery.hpp"

namespace bauta {

Entry<Recovery> align_mean_recovery();
Entry<Recovery> average_recovery();
Entry<Recovery> average_media_recovery();
Entry<Recovery> deblur_recovery();
Entry<Recovery> interpolate_recovery();
Entry<Recovery> intersect_recovery();
Entry<Recovery> ridge_recovery();
Entry<Recovery> mlp_recovery();
Entry<Recovery> pre_image_recovery();
Entry<Recovery> rescale_noise_recovery();
Entry<Recovery> reversal_recovery();
Entry<Recovery> subtract_overlay_recovery();

const Catalogue<Recovery>& recoveries() {
  static const Catalogue<Recovery> catalogue = {
      align_mean_recovery(),    average_recovery(),  intersect_recovery(),
      ridge_recovery(),         mlp_recovery(),      pre_image_recovery(),
      interpolate_recovery(),   deblur_recovery(),   subtract_overlay_recovery(),
      average_media_recovery(), reversal_recovery(), rescale_noise_recovery(),
  };
  return catalogue;
}

}  // namespace bauta
