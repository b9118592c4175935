// How much of a medium is left in what was made of it, sample by sample.
#pragma once

#include <cstddef>

#include "bauta/data/image.hpp"
#include "bauta/data/motion.hpp"

namespace bauta {

/// Edge of the window in which SSIM compares images.
constexpr std::size_t ssim_window = 11;

/// Of all pixel values, 0 to 255. All three throw an input error for images of different sizes; a grey one counts as
/// red, green and blue alike where the other has colours.
double mean_square_error(const Image& a, const Image& b);
/// Peak signal-to-noise ratio in dB at a peak of 255; infinite where there is no error.
double psnr(double mean_square_error);
/// Mean structural similarity (Wang et al. 2004) over all windows that lie within the image and over channels: Gaussian
/// windows of 11 x 11 pixels, sigma 1.5, K1 = 0.01, K2 = 0.03, range 255, plain variances. What scikit-image gives for
/// `structural_similarity(a, b, gaussian_weights=True, sigma=1.5, use_sample_covariance=False, data_range=255,
/// channel_axis=-1)`. An input error for images that hold no window.
double ssim(const Image& a, const Image& b);

struct MotionLikeness {
  double displacement =
      0;  ///< mean distance of a joint from where it was, over frames and joints, in units of the data
  /// Mean over coordinates of joints of the correlation with what they were over time. Coordinates that did not move
  /// are left out; those that do not move any more follow nothing, which counts as 0, as where none moved at all.
  double correlation = 0;
};

/// A motion of another number of frames is brought to that of the clear one, evenly from the first to the last. An
/// input error for another number of joints.
MotionLikeness motion_likeness(const Motion& clear, const Motion& made);

}  // namespace bauta
