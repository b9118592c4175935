// Every protection, one line each.
#include "bauta/protect/protection.hpp"

namespace bauta {

Entry<Protection> none_protection();
Entry<Protection> pe_miu_protection();
Entry<Protection> csn_protection();
Entry<Protection> esn_protection();
Entry<Protection> ive_protection();
Entry<Protection> nfr_protection();
Entry<Protection> sensitivenets_protection();
Entry<Protection> pfrnet_protection();
Entry<Protection> random_projection_protection();
Entry<Protection> biohash_protection();
Entry<Protection> mlp_hash_protection();
Entry<Protection> iom_grp_protection();
Entry<Protection> iom_urp_protection();
Entry<Protection> utility_preserving_protection();
Entry<Protection> gaussian_blur_protection();
Entry<Protection> pixelate_protection();
Entry<Protection> eye_mask_protection();
Entry<Protection> block_permute_protection();
Entry<Protection> dp_pix_protection();
Entry<Protection> dp_snow_protection();

const Catalogue<Protection>& protections() {
  static const Catalogue<Protection> catalogue = {
      none_protection(),
      pe_miu_protection(),
      csn_protection(),
      esn_protection(),
      ive_protection(),
      nfr_protection(),
      sensitivenets_protection(),
      pfrnet_protection(),
      random_projection_protection(),
      biohash_protection(),
      mlp_hash_protection(),
      iom_grp_protection(),
      iom_urp_protection(),
      utility_preserving_protection(),
      gaussian_blur_protection(),
      pixelate_protection(),
      eye_mask_protection(),
      block_permute_protection(),
      dp_pix_protection(),
      dp_snow_protection(),
  };
  return catalogue;
}

}  // namespace bauta
