// What a set of comparison scores says about verification: error rates, separation, information, and their uncertainty.
// Definitions: match iff score >= threshold; FMR = non-mated scores at or above it, FNMR = mated scores below it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bauta/measure/intervals.hpp"
#include "bauta/measure/score_source.hpp"
#include "bauta/measure/usual.hpp"

namespace bauta {

struct VerificationOptions {
  std::vector<double> fmr = usual_fmr;
  std::size_t bootstrap = usual_draws;  ///< draws; 0: no intervals
  std::uint64_t seed = 1;
  std::uint64_t memory = std::uint64_t{1} << 30;  ///< bytes for scores; a smaller budget costs more scans of the source
  std::size_t permutations = 100;                 ///< for the null level of D_sys
};

struct OperatingPoint {
  double fmr = 0;   ///< as requested
  double fnmr = 0;  ///< at the lowest threshold whose FMR does not exceed it; never interpolated
  std::optional<Interval> ci;
  std::vector<double> draws;  ///< as VerificationResult::eer_draws
  double threshold = 0;       ///< a score, or the next number above all scores
  double actual_fmr = 0;      ///< at the threshold
  std::uint64_t false_matches = 0;
  std::uint64_t false_non_matches = 0;
  bool resolvable = false;  ///< the request is at least one false match
};

struct Zebra {
  double expected_bits = 0;     ///< 0 .. 1/ln 4
  double worst_case_log10 = 0;  ///< bounded by the amount of data: compare only between equally many comparisons
  std::string tag;
};

struct CurvePoint {
  double threshold = 0;
  double fmr = 0;
  double fnmr = 0;
};

/// Bin i is [edges[i], edges[i + 1]); the last includes its end; infinite scores stand in the outer bins.
struct ScoreHistogram {
  std::vector<double> edges;
  std::vector<std::uint64_t> mated;
  std::vector<std::uint64_t> non_mated;
};

struct VerificationResult {
  std::uint64_t mated = 0;
  std::uint64_t non_mated = 0;

  double eer = 0;  ///< linear between the two curve points where FMR - FNMR changes its sign
  std::optional<Interval> eer_ci;
  /// In each draw of subjects, whose spread its interval comes from; NaN in draws without mated or without non-mated
  /// comparisons; empty without subjects or draws.
  std::vector<double> eer_draws;
  Interval eer_bracket;      ///< smallest and largest rate of those two points
  double eer_threshold = 0;  ///< the lowest with FMR <= FNMR
  double rocch_eer = 0;      ///< on the convex hull of the ROC curve
  std::optional<Interval> rocch_eer_ci;

  double auc = 0;  ///< ties count half
  std::optional<Interval> auc_ci;
  std::vector<double> auc_draws;  ///< as eer_draws
  std::optional<double> d_prime;  ///< with population variances; empty if undefined (infinite scores, no spread)
  std::optional<Interval> d_prime_ci;
  std::vector<OperatingPoint> fnmr_at_fmr;

  bool d_sys_known = true;  ///< false: too few mated comparisons to tell anything, and what follows is void
  double d_sys = 0;
  double d_sys_null = 0;            ///< mean if the labels say nothing
  double d_sys_null_high = 0;       ///< 95 % quantile of the same
  std::vector<double> d_sys_edges;  ///< a bin begins at each, the first apart; ascending, some twice where scores tie

  double maximal_linkability = 0;  ///< bits, with its null level like D_sys
  double maximal_linkability_null = 0;
  double maximal_linkability_null_high = 0;
  std::vector<double> maximal_linkability_edges;

  double cllr = 0;  ///< scores taken as natural-log likelihood ratios; may be infinite
  std::optional<Interval> cllr_ci;
  double min_cllr = 0;
  Zebra zebra;

  std::vector<CurvePoint> det;  ///< exact points of the curve, ascending thresholds, at most about 400
  ScoreHistogram histogram;
  /// Scores at ranks floor(q (n - 1)) for q = 0.025, 0.25, 0.5, 0.75, 0.975: the ends of the box and its whiskers.
  std::array<double, 5> mated_quantiles{};
  std::array<double, 5> non_mated_quantiles{};
  std::vector<std::string> remarks;
};

/// Exact: every score counts, ties are pooled, and neither threads nor memory budget change a point estimate.
/// Holds the memory budget, about 16 MB per thread and subjects * bootstrap bytes. A missing class is an input error.
/// Intervals: with subjects, from a subject-level bootstrap; without, comparisons count as independent. None where all
/// draws of a number that is no rate are alike, and none of FNMR at an FMR that cannot be resolved.
template <class Score>
VerificationResult measure_verification(const ScoreSource<Score>& source, const VerificationOptions& options = {});

extern template VerificationResult measure_verification(const ScoreSource<float>&, const VerificationOptions&);
extern template VerificationResult measure_verification(const ScoreSource<double>&, const VerificationOptions&);

}  // namespace bauta
