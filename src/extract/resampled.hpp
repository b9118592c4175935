// Recordings of any rate as samples of one rate.
#pragma once

#include <vector>

#include "bauta/data/recording.hpp"

namespace bauta {

/// The recording at `rate` samples per second, both rates whole numbers: convolved with a sinc under a Hann window of
/// 32 zero crossings on either side, which passes what lies below 95 % of half the lower rate. A constant stays what it
/// is; beyond its ends the recording goes on with its outermost samples.
std::vector<float> resampled(const Recording& recording, int rate);

}  // namespace bauta
