// What a run left behind, read from RUN/results.json. Anything may be missing: what is absent or of the wrong kind is
// empty here, and what this page does not know ends up in `rest` so that nothing is hidden.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bauta/report/anonymity.hpp"
#include "bauta/report/estimates.hpp"
#include "bauta/report/series.hpp"

namespace bauta::report {

struct OperatingPoint {
  Number fmr, fnmr, threshold;
  std::optional<Interval> ci;
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
  Number eer, rocch_eer, auc, d_prime, d_sys, d_sys_null, cllr, min_cllr;
  std::optional<Interval> eer_ci, auc_ci, d_prime_ci;
  std::vector<OperatingPoint> operating_points;
  Number zebra_bits, zebra_worst;
  std::string zebra_tag;
  std::vector<CurvePoint> curve;
  Histogram scores;
  std::vector<AttributeScores> attribute_scores;
  std::vector<std::string> remarks;
};

struct AttackResult {
  std::string rule;
  Number n, n_used, success, balanced;
  std::optional<Interval> ci;
  std::vector<std::pair<std::string, double>> per_class;
  Evidence evidence{};
};

struct AttributeAttack {
  Series series;
  std::string kind = "similarity";  ///< or "estimate": classifiers, whose names stand in `rule`
  std::string attribute, comparator;
  std::vector<std::string> classes;
  Number chance;
  Number attacker_samples, attacker_identities, target_samples, target_identities;
  std::vector<AttackResult> results;
  /// The most successful one, an unhealthy one only where there is no other; `best_ci` is corrected for having been
  /// chosen, where the run did so.
  std::optional<AttackResult> best;
  std::optional<Interval> best_ci;
  Number corrected, best_of;  ///< the best one without the bias of a maximum, over this many
  std::vector<double> edges;  ///< where a continuous attribute was cut into classes
  std::string preparation;
  Number rotations, tuning_samples, tuning_identities;
  Controls control;  ///< of a similarity attack as a whole; estimators have their own
  std::optional<Regression> regression;
  std::vector<std::string> remarks;

  /// Every attack of this kind is broken, so its failure protects nobody.
  [[nodiscard]] bool unhealthy() const { return best && best->evidence.unhealthy(); }
};

/// What the protection took from the attacker beside what it took from recognition (S1: recognition-attribute plot).
struct Tradeoff {
  Series series;
  std::string attribute, estimator, recognition_measure;
  std::string estimator_clear;  ///< the most successful one on clear data
  Number chance;
  Number attribute_error, attribute_error_clear, recognition_error, recognition_error_clear;
  std::optional<Suppression> suppression;
  Number pic;
  std::string pic_undefined;
  std::optional<Interval> pic_ci;
  std::optional<PicAuc> pic_auc;
};

/// What an attacker who sees match / no match learned with a number of queries.
struct OnlineResult {
  Number fmr, queries, decided, balanced;
  std::optional<Interval> ci;
  std::string refusal;
};

struct OnlineAttack {
  Series series;
  std::string attribute;
  Number chance;
  std::vector<OnlineResult> results;
};

/// One person under two keys.
struct Linkage {
  Series series;
  std::string comparator;
  Number mated, d_sys, d_sys_null, d_sys_null_high, maximal, maximal_null, eer;
  std::optional<Interval> d_sys_ci, eer_ci;
};

/// An undone protection: how near the original came back, whom and what it gives away.
struct RecoveredTemplates {
  Series series;
  std::string recovery, claim;
  Number cosine, eer, clear_eer, rank1, rank1_chance;
  std::optional<Interval> cosine_ci, eer_ci, rank1_ci;
  struct Attribute {
    std::string name;
    Number balanced, clear, chance;
    std::optional<Interval> ci;
  };
  std::vector<Attribute> attributes;
};

struct FailedCell {
  std::string run, key, error;
};

struct RunResults {
  std::string name;  ///< the folder's
  std::filesystem::path folder;
  std::string version, title;
  Number seed;
  std::size_t cells = 0;
  Json experiment, headline;
  Json release;  ///< statements about data that was released; null otherwise
  std::vector<Verification> verifications;
  std::vector<AttributeAttack> attacks;
  std::vector<OnlineAttack> online;
  std::vector<Linkage> linkages;
  std::vector<RecoveredTemplates> recovered;
  std::vector<Tradeoff> tradeoffs;
  std::vector<Anonymised> anonymised;
  std::vector<Sweep> sweeps;
  std::optional<Protocol> protocol;
  std::vector<std::string> remarks;
  std::vector<FailedCell> failed;
  Json rest = Json::array();  ///< cells and fields without a place of their own on the page
};

/// Where a folder has no results of its own but sub-folders that have, the variants of an experiment, those sub-folders
/// in sorted order; the folder itself otherwise.
std::vector<std::filesystem::path> with_variants(const std::vector<std::filesystem::path>& folders);

/// Reads every RUN/results.json. An input error names the file and what is wrong with it.
std::vector<RunResults> read_runs(const std::vector<std::filesystem::path>& folders);

/// The best attack result on clear data for the same run, variant and attribute, or nothing.
const AttributeAttack* ceiling_of(const AttributeAttack& attack, const std::vector<RunResults>& runs);
/// The verification of the same run, variant and data without protection, or nothing.
const Verification* clear_of(const Series& series, const std::vector<RunResults>& runs);

}  // namespace bauta::report
