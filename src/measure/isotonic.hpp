// Isotonic calibration (pool adjacent violators) and what follows from it: ROC convex hull, minimal Cllr, ZEBRA.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bauta/core/isotonic_fit.hpp"

namespace bauta {

struct CalibratedInformation {
  double rocch_eer = 0;
  double min_cllr = 0;
  double expected_bits = 0;  ///< ZEBRA: expected disclosure
};

/// Of a fit without Laplace labels.
template <class Count>
CalibratedInformation calibrated_information(std::span<const typename IsotonicFit<Count>::Block> blocks);

/// ZEBRA worst case: largest |log10 likelihood ratio| of a fit with Laplace labels, given the comparison counts.
double worst_case_log10(std::span<const IsotonicFit<std::uint64_t>::Block> blocks, std::uint64_t mated,
                        std::uint64_t non_mated);

/// ZEBRA's category of a worst case: 0, A .. F.
std::string zebra_tag(double worst_case);

/// ZEBRA's integral over all priors of the information of one natural-log likelihood ratio a > -inf.
double zebra_information(double a);

}  // namespace bauta
