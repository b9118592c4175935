// Decision thresholds from non-mated scores alone, where a system is set up before anybody attacks it.
#pragma once

#include <vector>

namespace bauta {

struct Threshold {
  double fmr = 0;           ///< as requested
  double value = 0;         ///< match iff score >= value
  double actual_fmr = 0;    ///< at the threshold
  bool resolvable = false;  ///< the request is at least one false match
};

/// For each rate the lowest threshold whose false match rate does not exceed it: a score, or the next number above all
/// scores. `non_mated` is not empty.
std::vector<Threshold> thresholds_at_fmr(std::vector<float> non_mated, const std::vector<double>& fmr);

}  // namespace bauta
