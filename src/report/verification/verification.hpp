// Recognition: whether two samples are of one person.
#pragma once

#include <string>
#include <vector>

#include "chapter.hpp"

namespace bauta::report {

struct OperatingPoint {
  Number fmr, threshold;
  Measured fnmr;
  bool resolvable = true;
};

struct CurvePoint {
  Number threshold;
  double fmr = 0;
  double fnmr = 0;
};

struct Histogram {
  std::vector<double> edges, first, second;  ///< mated and non-mated, or same and different attribute

  [[nodiscard]] bool empty() const { return edges.empty(); }
};

struct AttributeScores {
  std::string attribute;
  Histogram histogram;
  std::vector<double> same_quantiles, different_quantiles;  ///< at 2.5, 25, 50, 75, 97.5 %; five values or none
};

struct Verification {
  Series series;
  std::string comparator;
  Number samples, identities, mated, non_mated, failures;
  Number rocch_eer, d_sys, d_sys_null, cllr, min_cllr;
  Measured eer, auc, d_prime;
  std::vector<OperatingPoint> operating_points;
  Number zebra_bits, zebra_worst;
  std::string zebra_tag;
  std::vector<CurvePoint> curve;
  Histogram scores;
  std::vector<AttributeScores> attribute_scores;
};

using Verifications = std::vector<Verification>;

Verification read_verification(const Cell& cell);

/// Distinct values of `data`, in order of appearance.
Names data_sets(const Verifications& all);
std::vector<const Verification*> verifications_on(const std::string& data, const Verifications& all);

/// ROC and DET per data set.
std::vector<Figure> curve_figures(const Verifications& all, const SeriesStyle& style);
/// Mated and non-mated score densities, and non-mated ones of the same and of a different attribute, per technique.
std::vector<Figure> score_figures(const Verifications& all);

}  // namespace bauta::report
