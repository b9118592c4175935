// From a source of scores to a verification result.
#include "bauta/measure/verification.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/measure/unlinkability.hpp"
#include "draw_weights.hpp"
#include "error_curve.hpp"
#include "score_store.hpp"
#include "score_walk.hpp"
#include "subject_bootstrap.hpp"
#include "verification_intervals.hpp"

namespace bauta {

namespace {

constexpr std::size_t histogram_bins = 100;
constexpr std::size_t det_ranks = 190;  // per class
constexpr std::array<double, 5> box_quantiles = {0.025, 0.25, 0.5, 0.75, 0.975};

/// The largest count with count / total <= rate.
std::uint64_t allowed_errors(double rate, std::uint64_t total) {
  const auto n = static_cast<double>(total);
  auto count = std::min(total, static_cast<std::uint64_t>(rate * n));
  while (count > 0 && static_cast<double>(count) / n > rate) --count;
  while (count < total && static_cast<double>(count + 1) / n <= rate) ++count;
  return count;
}

/// Ranks of `count` scores, evenly spread in the probit of their rate, both ends included.
std::vector<std::uint64_t> probit_ranks(std::uint64_t count) {
  std::vector<std::uint64_t> ranks = {0, count - 1};
  const double low = probit(0.5 / static_cast<double>(count));
  for (std::size_t i = 0; i < det_ranks; ++i) {
    const double z = low * (1 - 2 * static_cast<double>(i) / static_cast<double>(det_ranks - 1));
    ranks.push_back(std::min(count - 1, static_cast<std::uint64_t>(normal_cdf(z) * static_cast<double>(count))));
  }
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return ranks;
}

/// Scores of a class in each bin, from those below each inner edge.
std::vector<double> counts_between(const std::vector<ClassCounts>& below, std::size_t cls, const ClassCounts& total) {
  std::vector<double> result;
  std::uint64_t last = 0;
  for (const ClassCounts& edge : below) {
    result.push_back(static_cast<double>(edge[cls] - last));
    last = edge[cls];
  }
  result.push_back(static_cast<double>(total[cls] - last));
  return result;
}

/// Equal bins, known by their inner edges; counts of scores below each edge are filled in as the scores pass.
template <class Record>
class Bins {
 public:
  using Key = typename Record::Key;

  Bins(double low, double high, std::size_t count) : edges_(count + 1) {
    const auto n = static_cast<double>(count);
    const double range = high - low;  // may be more than the largest number
    for (std::size_t i = 0; i <= count; ++i) {
      const auto at = static_cast<double>(i);
      edges_[i] = i == count ? high : std::isfinite(range) ? low + at * (range / n) : std::lerp(low, high, at / n);
      if (i > 0 && i < count) keys_.push_back(ScoreKey<typename Record::Score>::at_least(edges_[i]));
    }
    below_.resize(keys_.size());
  }
  void pass(const SortedScores<Record>& scores, const ClassCounts& base) {
    for (std::size_t e = 0; e < keys_.size(); ++e) {
      for (std::size_t c = 0; c < 2; ++c) {
        if (scores.count[c] == 0 || scores.key(c, 0) >= keys_[e]) continue;
        below_[e][c] = base[c] + scores.below(c, keys_[e]);
      }
    }
  }
  [[nodiscard]] std::vector<double> counts(std::size_t cls, const ClassCounts& total) const {
    return counts_between(below_, cls, total);
  }
  [[nodiscard]] const std::vector<double>& edges() const { return edges_; }

 private:
  std::vector<double> edges_;
  std::vector<Key> keys_;
  std::vector<ClassCounts> below_;
};

/// Bins that begin at places among all scores; the scores that stand there are known as they pass.
template <class Record>
class RankedBins {
 public:
  using Key = typename Record::Key;

  explicit RankedBins(std::vector<std::uint64_t> starts) : starts_(std::move(starts)) {}
  /// The first call for a partition, before anybody looks at keys().
  void pass(const SortedScores<Record>& scores, const ClassCounts& base) {
    const std::uint64_t first = base[0] + base[1], end = first + scores.count[0] + scores.count[1];
    while (keys_.size() < starts_.size() && starts_[keys_.size()] < end) {
      const Key key = scores.key_at(starts_[keys_.size()] - first);
      keys_.push_back(key);
      below_.push_back({base[0] + scores.below(0, key), base[1] + scores.below(1, key)});
    }
  }
  [[nodiscard]] std::vector<double> counts(std::size_t cls, const ClassCounts& total) const {
    return counts_between(below_, cls, total);
  }
  [[nodiscard]] std::size_t edges() const { return starts_.size(); }
  /// Ascending, of equal scores several times: bins between them are empty.
  [[nodiscard]] const std::vector<Key>& keys() const { return keys_; }

 private:
  std::vector<std::uint64_t> starts_;
  std::vector<Key> keys_;
  std::vector<ClassCounts> below_;
};

/// Logistic cost and spread of a class whose infinite scores are counted apart.
struct ClassMoments {
  explicit ClassMoments(double sign) : chain(sign) {}
  MomentChain chain;
  std::uint64_t minus_infinite = 0, infinite = 0;
};

template <class Record>
class Measurement {
 public:
  using Score = typename Record::Score;
  using Key = typename Record::Key;
  using Map = ScoreKey<Score>;

  Measurement(const ScoreSource<Score>& source, const VerificationOptions& options)
      : source_(source),
        options_(options),
        weights_(source.subjects(), draws(), options.seed),
        totals_(weights_),
        store_(source, options.memory, first_scan_consumer()) {}

  VerificationResult run();

 private:
  [[nodiscard]] std::size_t draws() const { return Record::has_subjects ? options_.bootstrap : 0; }
  typename ScoreStore<Record>::Consumer first_scan_consumer() {
    if constexpr (!Record::has_subjects) return {};
    return [this](const ScoreBatch<Score>& batch, int worker) {
      for (std::size_t i = 0; i < batch.scores.size(); ++i) {
        totals_.add(worker, batch.probe_subjects[i], batch.reference_subjects[i]);
      }
    };
  }
  static double value(Key key) { return static_cast<double>(Map::from_key(key)); }

  void require_both_classes() const;
  void prepare();
  void pass(const SortedScores<Record>& scores);
  void pass_steps(const SortedScores<Record>& scores);
  void pass_single(const SortedScores<Record>& scores);
  void answer_ranks(const SortedScores<Record>& scores);
  void add_moments(const SortedScores<Record>& scores);
  void set_threshold_above(const SortedScores<Record>& scores, Key key, double& threshold);
  void resolve_crossing(const SortedScores<Record>& scores, std::uint64_t rank);
  void finish();
  void finish_intervals();
  void finish_moments();
  void remark_on_counts();

  const ScoreSource<Score>& source_;
  const VerificationOptions& options_;
  DrawWeights weights_;
  DrawTotals totals_;
  ScoreStore<Record> store_;
  VerificationResult result_;
  std::optional<ErrorCurve> curve_;
  std::optional<Bins<Record>> histogram_;
  std::optional<RankedBins<Record>> linkability_, maximal_;
  std::optional<SubjectBootstrap> bootstrap_;
  ClassCounts base_{};         // scores of earlier partitions
  double mated_subjects_ = 0;  // whom the mated comparisons are worth
  std::array<std::vector<std::uint64_t>, 2> det_ranks_;
  std::vector<double*> waiting_;  // thresholds that are the first score of the next partition
  std::array<ClassMoments, 2> moments_ = {ClassMoments(1.0), ClassMoments(-1.0)};
};

template <class Record>
VerificationResult Measurement<Record>::run() {
  require_both_classes();
  prepare();
  store_.plan();
  for (std::size_t p = 0; p < store_.partitions(); ++p) pass(store_.load(p));
  finish();
  return std::move(result_);
}

template <class Record>
void Measurement<Record>::require_both_classes() const {
  const ClassCounts& count = store_.count();
  if (count[mated_class] > 0 && count[non_mated_class] > 0) return;
  throw_input("scores",
              fmt::format("{} mated and {} non-mated comparisons; both kinds are needed", count[mated_class],
                          count[non_mated_class]),
              count[mated_class] == 0 ? "a mated comparison needs two samples of one subject: check the identity column"
                                      : "a non-mated comparison needs two subjects: check the identity column");
}

template <class Record>
void Measurement<Record>::prepare() {
  const ClassCounts& count = store_.count();
  result_.mated = count[mated_class];
  result_.non_mated = count[non_mated_class];
  curve_.emplace(count, source_.subjects() == 0 && options_.bootstrap > 0);
  // Bins span the finite scores; beside a single finite value or none, infinite scores still need bins of their own.
  double low = -1, high = 1;
  if (store_.lowest_finite() <= store_.highest_finite()) {
    low = value(store_.lowest_finite());
    high = value(store_.highest_finite());
  }
  const bool degenerate = store_.lowest() == store_.highest();
  if (low == high) {
    low -= 0.5;
    high += 0.5;
  }
  histogram_.emplace(low, high, degenerate ? 1 : histogram_bins);
  linkability_.emplace(bin_starts(result_.mated, result_.non_mated,
                                  degenerate ? 1 : linkability_bins(std::min(result_.mated, result_.non_mated))));
  maximal_.emplace(bin_starts(result_.mated, result_.non_mated, degenerate ? 1 : maximal_linkability_bins));
  for (std::size_t c = 0; c < 2; ++c) det_ranks_[c] = probit_ranks(count[c]);
  for (double rate : options_.fmr) {
    OperatingPoint point;
    point.fmr = rate;
    point.resolvable = rate >= 1 / static_cast<double>(result_.non_mated);
    point.threshold = value(store_.lowest());  // where every score matches, unless a rank below says otherwise
    point.actual_fmr = 1;
    point.false_matches = result_.non_mated;
    result_.fnmr_at_fmr.push_back(point);
  }
  if constexpr (Record::has_subjects) {
    std::vector<double> mated, non_mated;
    mated_subjects_ = totals_.finish(mated, non_mated);
    const bool finite = store_.lowest() == store_.lowest_finite() && store_.highest() == store_.highest_finite();
    bootstrap_.emplace(weights_, SubjectBootstrap::Options{options_.fmr, finite, (low + high) / 2}, mated, non_mated);
  }
}

template <class Record>
void Measurement<Record>::pass(const SortedScores<Record>& scores) {
  if (!waiting_.empty()) {
    Key first = std::numeric_limits<Key>::max();
    for (std::size_t c = 0; c < 2; ++c) {
      if (scores.count[c] > 0) first = std::min(first, scores.key(c, 0));
    }
    for (double* threshold : waiting_) *threshold = value(first);
    waiting_.clear();
  }
  histogram_->pass(scores, base_);
  linkability_->pass(scores, base_);
  maximal_->pass(scores, base_);
  answer_ranks(scores);
  add_moments(scores);
  if (scores.single) {
    pass_single(scores);
  } else {
    pass_steps(scores);
  }
  for (std::size_t c = 0; c < 2; ++c) base_[c] += scores.count[c];
}

template <class Record>
void Measurement<Record>::pass_steps(const SortedScores<Record>& scores) {
  std::uint64_t longest_run = std::numeric_limits<std::uint64_t>::max();
  if constexpr (Record::has_subjects) longest_run = std::max<std::uint64_t>(1, result_.non_mated >> 16);
  ScoreWalk<Record> walk(scores, longest_run);
  for (auto steps = walk.next(); !steps.empty(); steps = walk.next()) {
    for (const Step& step : steps) {
      const bool crossed = curve_->crossing().has_value();
      const auto rank = curve_->add(base_[non_mated_class] + step.run_end, step.ties_end - step.run_end,
                                    step.mated_end - step.mated_begin);
      if (rank) {
        resolve_crossing(scores, *rank);
      } else if (!crossed && curve_->crossing()) {
        set_threshold_above(scores, scores.key(mated_class, step.mated_begin), result_.eer_threshold);
      }
    }
    if constexpr (Record::has_subjects) {
      walk.measure_runs();
      bootstrap_->add(steps, scores);
    }
  }
}

template <class Record>
void Measurement<Record>::pass_single(const SortedScores<Record>& scores) {
  const std::uint64_t n = scores.count[non_mated_class], m = scores.count[mated_class];
  const bool crossed = curve_->crossing().has_value();
  const auto rank = m > 0 ? curve_->add(base_[non_mated_class], n, m) : curve_->add(base_[non_mated_class] + n, 0, 0);
  if (rank) {
    resolve_crossing(scores, *rank);
  } else if (!crossed && curve_->crossing()) {
    set_threshold_above(scores, scores.single_key, result_.eer_threshold);
  }
  if constexpr (Record::has_subjects) {
    DrawTotals here(weights_);
    source_.scan([&](const ScoreBatch<Score>& batch, int worker) {
      for (std::size_t i = 0; i < batch.scores.size(); ++i) {
        if (Map::to_key(batch.scores[i]) != scores.single_key) continue;
        here.add(worker, batch.probe_subjects[i], batch.reference_subjects[i]);
      }
    });
    std::vector<double> mated, non_mated;
    here.finish(mated, non_mated);
    bootstrap_->add_single(value(scores.single_key), mated, non_mated);
  }
}

template <class Record>
void Measurement<Record>::resolve_crossing(const SortedScores<Record>& scores, std::uint64_t rank) {
  const std::uint64_t base = base_[non_mated_class];
  const Key key = scores.key(non_mated_class, rank - base);
  curve_->set_crossing(base + scores.below(non_mated_class, key), base + scores.up_to(non_mated_class, key));
  set_threshold_above(scores, key, result_.eer_threshold);
}

/// The next distinct score above `key`; it may stand at the beginning of the next partition.
template <class Record>
void Measurement<Record>::set_threshold_above(const SortedScores<Record>& scores, Key key, double& threshold) {
  bool found = false;
  Key next = std::numeric_limits<Key>::max();
  for (std::size_t c = 0; c < 2; ++c) {
    const std::uint64_t at = scores.up_to(c, key);
    if (at == scores.count[c]) continue;
    next = std::min(next, scores.key(c, at));
    found = true;
  }
  if (found) {
    threshold = value(next);
  } else {
    threshold = 0;
    waiting_.push_back(&threshold);
  }
}

template <class Record>
void Measurement<Record>::answer_ranks(const SortedScores<Record>& scores) {
  for (OperatingPoint& point : result_.fnmr_at_fmr) {
    const std::uint64_t allowed = allowed_errors(point.fmr, result_.non_mated);
    if (allowed == result_.non_mated) continue;
    // The threshold must lie above the highest non-mated score that may not match.
    const std::uint64_t rank = result_.non_mated - allowed - 1;
    const std::uint64_t base = base_[non_mated_class];
    if (rank < base || rank >= base + scores.count[non_mated_class]) continue;
    const Key key = scores.key(non_mated_class, rank - base);
    point.false_matches = result_.non_mated - base - scores.up_to(non_mated_class, key);
    point.false_non_matches = base_[mated_class] + scores.up_to(mated_class, key);
    point.actual_fmr = curve_->fmr(result_.non_mated - point.false_matches);
    point.fnmr = curve_->fnmr(point.false_non_matches);
    set_threshold_above(scores, key, point.threshold);
  }
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::size_t q = 0; q < box_quantiles.size(); ++q) {
      const std::uint64_t total = c == mated_class ? result_.mated : result_.non_mated;
      const auto rank = static_cast<std::uint64_t>(box_quantiles[q] * static_cast<double>(total - 1));
      if (rank < base_[c] || rank >= base_[c] + scores.count[c]) continue;
      (c == mated_class ? result_.mated_quantiles : result_.non_mated_quantiles)[q] =
          value(scores.key(c, rank - base_[c]));
    }
    for (std::uint64_t rank : det_ranks_[c]) {
      if (rank < base_[c] || rank >= base_[c] + scores.count[c]) continue;
      const Key key = scores.key(c, rank - base_[c]);
      result_.det.push_back({value(key), curve_->fmr(base_[non_mated_class] + scores.below(non_mated_class, key)),
                             curve_->fnmr(base_[mated_class] + scores.below(mated_class, key))});
    }
  }
}

template <class Record>
void Measurement<Record>::add_moments(const SortedScores<Record>& scores) {
  for (std::size_t c = 0; c < 2; ++c) {
    const std::uint64_t first = scores.up_to(c, Map::lowest()), end = scores.below(c, Map::highest());
    moments_[c].minus_infinite += first;
    moments_[c].infinite += scores.count[c] - end;
    const Record* records = scores.records[c];
    const double single = scores.single ? value(scores.single_key) : 0;
    moments_[c].chain.add(end - std::min(first, end), [&](std::uint64_t at, std::uint64_t n, double* out) {
      if (scores.single) {
        std::fill_n(out, n, single);
      } else {
        for (std::uint64_t i = 0; i < n; ++i) out[i] = value(records[first + at + i].key());
      }
    });
  }
}

template <class Record>
void Measurement<Record>::finish() {
  curve_->finish();
  const Score above = std::nextafter(Map::from_key(store_.highest()), std::numeric_limits<Score>::infinity());
  for (double* threshold : waiting_) *threshold = static_cast<double>(above);
  result_.eer = curve_->eer();
  result_.eer_bracket = curve_->eer_bracket();
  result_.auc = curve_->auc();
  const CalibratedInformation calibrated = calibrated_information<std::uint64_t>(curve_->fit().blocks());
  result_.rocch_eer = calibrated.rocch_eer;
  result_.min_cllr = calibrated.min_cllr;
  result_.zebra.expected_bits = calibrated.expected_bits;
  result_.zebra.worst_case_log10 = worst_case_log10(curve_->laplace_fit().blocks(), result_.mated, result_.non_mated);
  result_.zebra.tag = zebra_tag(result_.zebra.worst_case_log10);

  auto& det = result_.det;
  det.push_back({static_cast<double>(above), 0, 1});
  std::sort(det.begin(), det.end(), [](const CurvePoint& a, const CurvePoint& b) {
    return a.threshold != b.threshold ? a.threshold < b.threshold : a.fmr > b.fmr;
  });
  det.erase(std::unique(det.begin(), det.end(),
                        [](const CurvePoint& a, const CurvePoint& b) { return a.fmr == b.fmr && a.fnmr == b.fnmr; }),
            det.end());

  const ClassCounts& count = store_.count();
  result_.histogram.edges = histogram_->edges();
  for (double n : histogram_->counts(mated_class, count)) {
    result_.histogram.mated.push_back(static_cast<std::uint64_t>(n));
  }
  for (double n : histogram_->counts(non_mated_class, count)) {
    result_.histogram.non_mated.push_back(static_cast<std::uint64_t>(n));
  }
  const auto measure = [&](LinkabilityMeasure linkability, const RankedBins<Record>& bins, double& level, double& null,
                           double& null_high) {
    const auto mated_bins = bins.counts(mated_class, count);
    const auto non_bins = bins.counts(non_mated_class, count);
    level = linkability(mated_bins, non_bins);
    if (options_.permutations == 0) return;
    auto levels = null_levels(linkability, mated_bins, non_bins, options_.permutations, options_.seed);
    std::sort(levels.begin(), levels.end());
    null = std::accumulate(levels.begin(), levels.end(), 0.0) / static_cast<double>(levels.size());
    null_high = quantile(levels, 0.95);
  };
  measure(d_sys, *linkability_, result_.d_sys, result_.d_sys_null, result_.d_sys_null_high);
  measure(maximal_linkability, *maximal_, result_.maximal_linkability, result_.maximal_linkability_null,
          result_.maximal_linkability_null_high);
  for (const Key key : linkability_->keys()) result_.d_sys_edges.push_back(value(key));
  for (const Key key : maximal_->keys()) result_.maximal_linkability_edges.push_back(value(key));
  finish_moments();
  remark_on_counts();
  finish_intervals();
}

template <class Record>
void Measurement<Record>::finish_moments() {
  const ClassMoments& mated_side = moments_[mated_class];
  const ClassMoments& non_side = moments_[non_mated_class];
  const Moments mated = moments_[mated_class].chain.finish(), non_mated = moments_[non_mated_class].chain.finish();
  const bool finite =
      mated_side.minus_infinite + mated_side.infinite + non_side.minus_infinite + non_side.infinite == 0;
  if (mated_side.minus_infinite + non_side.infinite > 0) {
    result_.cllr = std::numeric_limits<double>::infinity();
    result_.remarks.push_back("Cllr is infinite: a score is infinitely sure and wrong");
  } else {
    result_.cllr =
        0.5 * std::numbers::log2e *
        (mated.cost / static_cast<double>(result_.mated) + non_mated.cost / static_cast<double>(result_.non_mated));
  }
  const double variances = mated.variance() + non_mated.variance();
  if (!finite) {
    result_.remarks.push_back("d' is undefined: there are infinite scores");
  } else if (variances == 0) {
    result_.remarks.push_back("d' is undefined: the scores have no spread");
  } else {
    result_.d_prime = (mated.mean - non_mated.mean) / std::sqrt(variances / 2);
  }
}

template <class Record>
void Measurement<Record>::remark_on_counts() {
  auto& remarks = result_.remarks;
  if (result_.auc < 0.5) {
    remarks.push_back(
        fmt::format("AUC {:.4f} is below 0.5: are these distances, not similarities? An attacker would "
                    "invert them, so they leak as much as {:.4f}",
                    result_.auc, 1 - result_.auc));
  }
  if (linkability_->edges() == 0 && store_.lowest() != store_.highest()) {
    result_.d_sys_known = false;
    remarks.push_back(
        fmt::format("D_sys is unknown: {} mated comparisons are too few, it needs at least 20", result_.mated));
  }
  for (const OperatingPoint& point : result_.fnmr_at_fmr) {
    const double percent = 100 * point.fmr;
    if (!point.resolvable) {
      remarks.push_back(
          fmt::format("FMR {:g} % cannot be resolved by {} non-mated comparisons: one false match is "
                      "already {:.3g} %, and FNMR has no interval there",
                      percent, result_.non_mated, 100 / static_cast<double>(result_.non_mated)));
    }
    if (point.false_non_matches == 0) {
      remarks.push_back(
          fmt::format("FNMR at FMR {:g} %: no error in {} mated comparisons; if they were independent, the "
                      "rate would be below {:.3g} % with 95 % confidence (rule of 3)",
                      percent, result_.mated, 100 * rule_of_three(result_.mated)));
    } else if (!satisfies_rule_of_30(point.false_non_matches)) {
      remarks.push_back(fmt::format("FNMR at FMR {:g} % rests on {} errors, fewer than 30 (rule of 30)", percent,
                                    point.false_non_matches));
    }
    if (point.resolvable && !satisfies_rule_of_30(point.false_matches)) {
      remarks.push_back(
          fmt::format("the threshold for FMR {:g} % rests on {} false matches, fewer than 30 (rule of 30)", percent,
                      point.false_matches));
    }
  }
}

template <class Record>
void Measurement<Record>::finish_intervals() {
  auto& remarks = result_.remarks;
  if (options_.bootstrap == 0) {
    remarks.push_back("no intervals: bootstrap is 0");
    return;
  }
  if constexpr (!Record::has_subjects) {
    result_.eer_ci = curve_->eer_interval();
    result_.auc_ci = curve_->auc_interval();
    for (OperatingPoint& point : result_.fnmr_at_fmr) {
      if (point.resolvable) point.ci = wilson(point.false_non_matches, result_.mated);
    }
    remarks.push_back(
        "intervals treat all comparisons as independent, because their subjects are not known (Wilson for "
        "FNMR and EER, DeLong and Newcombe for AUC); true uncertainty is larger if subjects repeat");
  } else {
    set_drawn_intervals(result_, bootstrap_->finish(), source_.subjects(), mated_subjects_);
  }
}

}  // namespace

template <class Score>
VerificationResult measure_verification(const ScoreSource<Score>& source, const VerificationOptions& options) {
  for (double rate : options.fmr) {
    if (!(rate >= 0 && rate <= 1)) {
      throw_usage("--fmr", fmt::format("{} is not a rate in [0, 1]", rate), "rates are fractions: 0.001 is 0.1 %");
    }
  }
  if (source.subjects() == 0 || options.bootstrap == 0) return Measurement<KeyRecord<Score>>(source, options).run();
  if constexpr (std::is_same_v<Score, float>) {
    if (source.subjects() <= 65536) return Measurement<PackedRecord>(source, options).run();
  }
  return Measurement<WideRecord<Score>>(source, options).run();
}

template VerificationResult measure_verification(const ScoreSource<float>&, const VerificationOptions&);
template VerificationResult measure_verification(const ScoreSource<double>&, const VerificationOptions&);

}  // namespace bauta
