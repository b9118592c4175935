// Figures of merit of isotonically calibrated scores.
#include "isotonic.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

namespace bauta {

double zebra_information(double a) {
  if (a == std::numeric_limits<double>::infinity()) return 0.25;
  // Near 0 the closed form cancels; this is its Taylor series.
  if (std::fabs(a) < 0.02) return a * (1.0 / 6 + a * (-1.0 / 24 + a * (1.0 / 360 + a * (1.0 / 1440))));
  const double b = std::expm1(a);
  return 0.25 + (a / b - 1) / (2 * b);
}

template <class Count>
CalibratedInformation calibrated_information(std::span<const typename IsotonicFit<Count>::Block> blocks) {
  double mated = 0, non_mated = 0;
  for (const auto& block : blocks) {
    mated += static_cast<double>(block.mated);
    non_mated += static_cast<double>(block.non_mated);
  }
  CalibratedInformation result;
  double cost_mated = 0, cost_non = 0, bits_mated = 0, bits_non = 0;
  double fmr = 1, fnmr = 0, left_mated = 0, left_non = 0;
  bool crossed = false;
  for (const auto& block : blocks) {
    const auto m = static_cast<double>(block.mated), n = static_cast<double>(block.non_mated);
    if (m > 0) {
      const double odds = n / m * (mated / non_mated);  // e^-llr
      cost_mated += m * std::log1p(odds);
      bits_mated += m * zebra_information(n > 0 ? -std::log(odds) : std::numeric_limits<double>::infinity());
    }
    if (n > 0) {
      const double odds = m / n * (non_mated / mated);  // e^llr
      cost_non += n * std::log1p(odds);
      bits_non += n * zebra_information(m > 0 ? -std::log(odds) : std::numeric_limits<double>::infinity());
    }
    // Walk along the convex hull; each block is one of its edges.
    left_mated += m;
    left_non += n;
    const double next_fmr = (non_mated - left_non) / non_mated, next_fnmr = left_mated / mated;
    if (!crossed && next_fmr <= next_fnmr) {
      const double before = fmr - fnmr, after = next_fmr - next_fnmr;
      result.rocch_eer = fnmr + (next_fnmr - fnmr) * (before / (before - after));
      crossed = true;
    }
    fmr = next_fmr;
    fnmr = next_fnmr;
  }
  result.min_cllr = 0.5 * (cost_mated / mated + cost_non / non_mated) * std::numbers::log2e;
  result.expected_bits = (bits_mated / mated + bits_non / non_mated) * std::numbers::log2e;
  return result;
}

template CalibratedInformation calibrated_information<std::uint64_t>(
    std::span<const IsotonicFit<std::uint64_t>::Block>);
template CalibratedInformation calibrated_information<double>(std::span<const IsotonicFit<double>::Block>);

double worst_case_log10(std::span<const IsotonicFit<std::uint64_t>::Block> blocks, std::uint64_t mated,
                        std::uint64_t non_mated) {
  double worst = 0;
  for (const auto& block : blocks) {
    if (!block.compared) continue;
    const auto above = static_cast<long double>(__uint128_t{block.mated} * non_mated);
    const auto below = static_cast<long double>(__uint128_t{block.non_mated} * mated);
    worst = std::max(worst, static_cast<double>(std::fabs(std::log10(above / below))));
  }
  return worst;
}

std::string zebra_tag(double worst_case) {
  if (worst_case == 0) return "0";
  if (worst_case < 1) return "A";
  if (worst_case < 2) return "B";
  if (worst_case < 4) return "C";
  if (worst_case < 5) return "D";
  if (worst_case < 6) return "E";
  return "F";
}

}  // namespace bauta
