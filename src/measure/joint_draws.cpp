#include "joint_draws.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "bauta/core/random.hpp"
#include "plausible.hpp"

namespace bauta {

bool has_draws(const Finding& finding) {
  const auto undefined = static_cast<std::size_t>(
      std::count_if(finding.draws.begin(), finding.draws.end(), [](double value) { return !std::isfinite(value); }));
  return !finding.draws.empty() && 20 * undefined <= finding.draws.size();
}

Matrix<double> join_draws(std::span<const Finding* const> findings) {
  if (findings.empty()) return {};
  std::size_t draws = findings[0]->draws.size();
  for (const Finding* finding : findings) draws = std::min(draws, finding->draws.size());
  Matrix<double> joined(draws, findings.size());
  for (std::size_t j = 0; j < findings.size(); ++j) {
    const Finding& finding = *findings[j];
    if (j == 0 || drawn_jointly(std::array{findings[0], findings[j]})) {
      for (std::size_t d = 0; d < draws; ++d) joined(d, j) = finding.draws[d];
      continue;
    }
    // Subjects that are not known are nobody else's.
    const std::string group = finding.drawn_over.empty() ? "unknown " + std::to_string(j) : finding.drawn_over;
    const std::vector<std::size_t> order = Stream(0, "independent draws " + group).permutation(draws);
    for (std::size_t d = 0; d < draws; ++d) joined(d, j) = finding.draws[order[d]];
  }
  return joined;
}

Matrix<double> join_plausible(std::span<const Finding* const> findings) {
  Matrix<double> joined = join_draws(findings);
  std::vector<double> column(joined.rows());
  for (std::size_t j = 0; j < findings.size(); ++j) {
    const Finding& finding = *findings[j];
    if (!finding.ci) continue;
    for (std::size_t d = 0; d < joined.rows(); ++d) column[d] = joined(d, j);
    const Interval ends = finding.unit == "rate" ? Interval{0, 1} : Interval{-HUGE_VAL, HUGE_VAL};
    const auto truths = plausible_draws({finding.value, *finding.ci, ends}, column, "column " + std::to_string(j));
    for (std::size_t d = 0; d < joined.rows(); ++d) joined(d, j) = truths[d];
  }
  return joined;
}

bool drawn_jointly(std::span<const Finding* const> findings) {
  return !findings.empty() && !findings[0]->drawn_over.empty() &&
         std::all_of(findings.begin(), findings.end(),
                     [&](const Finding* finding) { return finding->drawn_over == findings[0]->drawn_over; });
}

}  // namespace bauta
