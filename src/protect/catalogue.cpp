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
Entry<Protection> dp_samp_protection();
Entry<Protection> k_rtio_protection();
Entry<Protection> k_same_pixel_protection();
Entry<Protection> k_same_eigen_protection();
Entry<Protection> k_same_select_protection();
Entry<Protection> fawkes_protection();
Entry<Protection> face_replace_protection();
Entry<Protection> command_protection();
Entry<Protection> precomputed_protection();
Entry<Protection> gait_keep_protection();
Entry<Protection> gait_remove_protection();
Entry<Protection> gait_noise_protection();
Entry<Protection> gait_motion_protection();
Entry<Protection> gait_static_protection();
Entry<Protection> gait_resample_protection();
Entry<Protection> gait_coarsen_macro_protection();
Entry<Protection> gait_coarsen_micro_protection();
Entry<Protection> gait_coarsen_time_protection();
Entry<Protection> gait_remove_variations_protection();
Entry<Protection> gait_remove_trajectory_protection();
Entry<Protection> gait_normalize_protection();
Entry<Protection> gait_sum_of_parts_protection();
Entry<Protection> gait_equalize_protection();

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
      dp_samp_protection(),
      k_rtio_protection(),
      k_same_pixel_protection(),
      k_same_eigen_protection(),
      k_same_select_protection(),
      fawkes_protection(),
      face_replace_protection(),
      command_protection(),
      precomputed_protection(),
      gait_keep_protection(),
      gait_remove_protection(),
      gait_noise_protection(),
      gait_motion_protection(),
      gait_static_protection(),
      gait_resample_protection(),
      gait_coarsen_macro_protection(),
      gait_coarsen_micro_protection(),
      gait_coarsen_time_protection(),
      gait_remove_variations_protection(),
      gait_remove_trajectory_protection(),
      gait_normalize_protection(),
      gait_sum_of_parts_protection(),
      gait_equalize_protection(),
  };
  return catalogue;
}

}  // namespace bauta
