#include "verification_intervals.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace bauta {

void set_drawn_intervals(VerificationResult& result, BootstrapDraws draws, std::size_t subjects,
                         double mated_subjects) {
  // Half of what either error rate is off by reaches the rate at which they meet: it is worth up to four times the
  // comparisons of the rarer kind.
  const auto mated = static_cast<double>(result.mated), both = 4 * mated;
  const auto rate = [&](double value, const std::vector<double>& drawn, double trials) {
    return drawn_rate_interval(value, drawn, trials, mated_subjects);
  };
  result.eer_ci = rate(result.eer, draws.eer, both);
  result.rocch_eer_ci = rate(result.rocch_eer, draws.rocch_eer, both);
  result.auc_ci = rate(result.auc, draws.auc, both);
  for (std::size_t f = 0; f < draws.fnmr.size(); ++f) {
    OperatingPoint& point = result.fnmr_at_fmr[f];
    if (point.resolvable) point.ci = rate(point.fnmr, draws.fnmr[f], mated);
    point.draws = std::move(draws.fnmr[f]);
  }

  const auto number = [&](const char* name, const std::vector<double>& drawn) {
    auto interval = widened_percentiles(drawn, mated_subjects);
    if (!interval) {
      result.remarks.push_back(
          fmt::format("no interval of {}: resamplings of these subjects do not show how far it may be off", name));
    }
    return interval;
  };
  if (result.d_prime) result.d_prime_ci = number("d'", draws.d_prime);
  if (std::isfinite(result.cllr)) result.cllr_ci = number("Cllr", draws.cllr);

  const std::size_t all = draws.eer.size();
  result.eer_draws = std::move(draws.eer);
  result.auc_draws = std::move(draws.auc);
  result.remarks.push_back(fmt::format(
      "intervals of rates are Wilson's, for as many trials as the spread over {} resamplings of {} subjects is worth; "
      "others are percentiles",
      all - draws.skipped, subjects));
  if (draws.skipped > 0) {
    result.remarks.push_back(fmt::format(
        "{} of {} resamplings had no mated or no non-mated comparison and were left out", draws.skipped, all));
  }
}

}  // namespace bauta
