// Linkability D_sys (Gomez-Barrero et al. 2018; ISO/IEC 30136) from binned scores, and the level that chance reaches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bauta {

/// Bins for a number of mated comparisons: a tenth of them, 1 to 100.
std::size_t linkability_bins(std::uint64_t mated);

/// Sum over the bins of p(bin | mated) D(bin) with prior odds 1. Counts or weights per bin, both classes non-empty.
double d_sys(std::span<const double> mated, std::span<const double> non_mated);

/// D_sys after each of `permutations` exchanges of all labels. Given the bins' totals, exchanged labels are a
/// multivariate hypergeometric draw, so the scores themselves are not needed.
std::vector<double> d_sys_null(std::span<const double> mated, std::span<const double> non_mated,
                               std::size_t permutations, std::uint64_t seed);

}  // namespace bauta
