// Linkability from binned scores: D_sys (Gomez-Barrero et al. 2018; ISO/IEC 30136), maximal linkability (Otroshi
// Shahreza et al. 2023), and the levels that chance reaches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bauta {

/// Bins for a number of comparisons of the rarer kind: a tenth of them, 1 to 100.
std::size_t linkability_bins(std::uint64_t comparisons);

/// Where bins begin among all scores in ascending order, the first apart: places and not values, so that no single
/// score rules them and a strictly increasing map of the scores changes nothing. They do not depend on which scores are
/// mated, as exchanged labels ask for. At either end, where mated scores lie that can be told from others, as many
/// scores as the smaller class has are cut into half of the bins; from there pieces grow with their distance from the
/// end, up to a share of what is between.
std::vector<std::uint64_t> bin_starts(std::uint64_t mated, std::uint64_t non_mated, std::size_t bins);

/// Sum over the bins of p(bin | mated) D(bin) with prior odds 1. Counts or weights per bin, both classes non-empty.
double d_sys(std::span<const double> mated, std::span<const double> non_mated);

/// Bins of the maximal linkability.
constexpr std::size_t maximal_linkability_bins = 30;

/// log2 of the sum over the bins of max(p(bin | mated), p(bin | non-mated)): 0 (nothing) to 1 bit (always linked).
double maximal_linkability(std::span<const double> mated, std::span<const double> non_mated);

using LinkabilityMeasure = double (*)(std::span<const double> mated, std::span<const double> non_mated);

/// A measure after each of `permutations` exchanges of all labels. Given the bins' totals, exchanged labels are a
/// multivariate hypergeometric draw, so the scores themselves are not needed.
std::vector<double> null_levels(LinkabilityMeasure measure, std::span<const double> mated,
                                std::span<const double> non_mated, std::size_t permutations, std::uint64_t seed);

}  // namespace bauta
