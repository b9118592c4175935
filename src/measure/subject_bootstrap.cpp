// Subject-level bootstrap of verification measurements, 64 draws side by side.
#include "subject_bootstrap.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/simd.hpp"

namespace bauta {

using Lanes = std::array<double, draw_lanes>;

namespace {

/// Weighted sums of x, x^2 and logistic cost of one class. Non-mated runs enter with their mean, so a draw's sum misses
/// the covariance of weight and score inside a run; runs are 1/65536 of the scores at most and narrow, and single
/// scores up to 65536 comparisons.
struct LaneMoments {
  Lanes sum{}, squares{}, cost{};
};

/// The state of 64 draws; all sums are integers in doubles unless said otherwise.
struct DrawState {
  Lanes total_mated{}, total_non{};
  Lanes mated{}, non{};                                      // weights below the current value
  Lanes hits{}, ties{};                                      // weights at the current value
  Lanes fresh{};                                             // weights of the run below it
  Lanes auc{};                                               // half-integers
  Lanes open{};                                              // 1 until FMR <= FNMR
  Lanes before_mated{}, before_non{}, at_mated{}, at_non{};  // the value where that happens
  LaneMoments mated_moments, non_moments;                    // reals
};

BAUTA_MULTIVERSION void pass_run(DrawState& s, double mean, double square, double cost) {
  for (std::size_t l = 0; l < draw_lanes; ++l) {
    s.non[l] += s.fresh[l];
    s.non_moments.sum[l] += s.fresh[l] * mean;
    s.non_moments.squares[l] += s.fresh[l] * square;
    s.non_moments.cost[l] += s.fresh[l] * cost;
    s.fresh[l] = 0;
  }
}

/// FMR at this value still above the limit: its mated scores are missed. `needed`: non-mated weight that must lie
/// below.
BAUTA_MULTIVERSION void add_missed(const DrawState& s, const Lanes& needed, Lanes& missed) {
  for (std::size_t l = 0; l < draw_lanes; ++l) missed[l] += s.non[l] < needed[l] ? s.hits[l] : 0.0;
}

BAUTA_MULTIVERSION void rank_value(DrawState& s) {
  for (std::size_t l = 0; l < draw_lanes; ++l) {
    s.auc[l] += s.hits[l] * (s.non[l] + 0.5 * s.ties[l]);
    const bool open = s.open[l] != 0;
    s.before_mated[l] = open ? s.mated[l] : s.before_mated[l];
    s.before_non[l] = open ? s.non[l] : s.before_non[l];
    s.at_mated[l] = open ? s.hits[l] : s.at_mated[l];
    s.at_non[l] = open ? s.ties[l] : s.at_non[l];
    const double difference =
        (s.total_non[l] - s.non[l] - s.ties[l]) * s.total_mated[l] - (s.mated[l] + s.hits[l]) * s.total_non[l];
    s.open[l] = open && difference > 0 ? 1.0 : 0.0;
  }
}

BAUTA_MULTIVERSION void pass_value(DrawState& s, double x, double cost_mated, double cost_non) {
  for (std::size_t l = 0; l < draw_lanes; ++l) {
    const double m = s.hits[l], n = s.ties[l];
    s.mated[l] += m;
    s.non[l] += n;
    s.mated_moments.sum[l] += m * x;
    s.mated_moments.squares[l] += m * (x * x);
    s.mated_moments.cost[l] += m * cost_mated;
    s.non_moments.sum[l] += n * x;
    s.non_moments.squares[l] += n * (x * x);
    s.non_moments.cost[l] += n * cost_non;
    s.hits[l] = 0;
    s.ties[l] = 0;
  }
}

double logistic(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x)));
}

/// The largest count with count / total <= rate, in the same arithmetic as reported rates.
double allowed_count(double rate, double total) {
  double count = std::floor(rate * total);
  while (count > 0 && count / total > rate) --count;
  while (count < total && (count + 1) / total <= rate) ++count;
  return count;
}

}  // namespace

struct SubjectBootstrap::Block {
  DrawState state;
  std::vector<Lanes> needed, missed;  // per FMR
  std::array<IsotonicFit<double>, draw_lanes> fit;
  Lanes fitted{};

  /// The value with weights state.hits and state.ties.
  void take_value(double x, const Options& options) {
    for (std::size_t f = 0; f < needed.size(); ++f) add_missed(state, needed[f], missed[f]);
    rank_value(state);
    for (std::size_t l = 0; l < draw_lanes; ++l) {
      if (state.hits[l] == 0) continue;
      if (state.non[l] > fitted[l]) fit[l].add(0, state.non[l] - fitted[l]);
      fit[l].add(state.hits[l], state.ties[l]);
      fitted[l] = state.non[l] + state.ties[l];
    }
    if (options.moments) {
      pass_value(state, x - options.origin, logistic(-x), logistic(x));
    } else {
      pass_value(state, 0, 0, 0);
    }
  }
};

SubjectBootstrap::SubjectBootstrap(const DrawWeights& weights, Options options, const std::vector<double>& mated,
                                   const std::vector<double>& non_mated)
    : weights_(weights), options_(std::move(options)) {
  for (std::size_t b = 0; b < weights.blocks(); ++b) {
    auto block = std::make_unique<Block>();
    block->missed.resize(options_.fmr.size());
    block->needed.resize(options_.fmr.size());
    for (std::size_t l = 0; l < draw_lanes; ++l) {
      const double total = non_mated[b * draw_lanes + l];
      block->state.total_mated[l] = mated[b * draw_lanes + l];
      block->state.total_non[l] = total;
      block->state.open[l] = 1;
      for (std::size_t f = 0; f < options_.fmr.size(); ++f) {
        block->needed[f][l] = total - allowed_count(options_.fmr[f], total);
      }
    }
    blocks_.push_back(std::move(block));
  }
}

SubjectBootstrap::~SubjectBootstrap() = default;

template <class Record>
void SubjectBootstrap::add(std::span<const Step> steps, const SortedScores<Record>& scores) {
  const Record* non = scores.records[non_mated_class];
  const Record* mated = scores.records[mated_class];
  parallel_for(blocks_.size(), [&](std::size_t b, int) {
    Block& block = *blocks_[b];
    const std::uint8_t* rows = weights_.block(b);
    DrawState& state = block.state;
    for (const Step& step : steps) {
      if (step.run_end > step.run_begin) {
        add_pair_weights(non + step.run_begin, step.run_end - step.run_begin, rows, weights_.largest(),
                         state.fresh.data());
        const double n = std::max(1.0, step.run.count), mean = step.run.mean - options_.origin;
        pass_run(state, mean, mean * mean + step.run.squares / n, step.run.cost / n);
      }
      if (!step.mated()) continue;
      if (step.ties_end > step.run_end) {
        add_pair_weights(non + step.run_end, step.ties_end - step.run_end, rows, weights_.largest(), state.ties.data());
      }
      for (std::uint64_t i = step.mated_begin; i < step.mated_end; ++i) {
        add_subject_weight(mated[i].probe(), rows, state.hits.data());
      }
      block.take_value(step.value, options_);
    }
  });
}

template void SubjectBootstrap::add(std::span<const Step>, const SortedScores<PackedRecord>&);
template void SubjectBootstrap::add(std::span<const Step>, const SortedScores<WideRecord<float>>&);
template void SubjectBootstrap::add(std::span<const Step>, const SortedScores<WideRecord<double>>&);

void SubjectBootstrap::add_single(double value, const std::vector<double>& mated,
                                  const std::vector<double>& non_mated) {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    std::copy_n(mated.begin() + static_cast<std::ptrdiff_t>(b * draw_lanes), draw_lanes,
                blocks_[b]->state.hits.begin());
    std::copy_n(non_mated.begin() + static_cast<std::ptrdiff_t>(b * draw_lanes), draw_lanes,
                blocks_[b]->state.ties.begin());
    blocks_[b]->take_value(value, options_);
  }
}

BootstrapDraws SubjectBootstrap::finish() const {
  BootstrapDraws result;
  const std::vector<double> undefined(weights_.draws(), std::numeric_limits<double>::quiet_NaN());
  result.eer = result.rocch_eer = result.auc = undefined;
  result.fnmr.assign(options_.fmr.size(), undefined);
  if (options_.moments) result.d_prime = result.cllr = undefined;
  for (std::size_t draw = 0; draw < weights_.draws(); ++draw) {
    const Block& block = *blocks_[draw / draw_lanes];
    const std::size_t l = draw % draw_lanes;
    const DrawState& s = block.state;
    const double m = s.total_mated[l], n = s.total_non[l];
    if (m == 0 || n == 0) {
      ++result.skipped;
      continue;
    }
    BAUTA_ASSERT(s.mated[l] == m && s.non[l] == n);
    const double before = (n - s.before_non[l]) * m - s.before_mated[l] * n;
    const double after = (n - s.before_non[l] - s.at_non[l]) * m - (s.before_mated[l] + s.at_mated[l]) * n;
    const double part = before <= 0 ? 0 : before / (before - after);
    result.eer[draw] = (s.before_mated[l] + part * s.at_mated[l]) / m;
    result.auc[draw] = s.auc[l] / (m * n);
    for (std::size_t f = 0; f < options_.fmr.size(); ++f) result.fnmr[f][draw] = block.missed[f][l] / m;

    IsotonicFit<double> fit = block.fit[l];
    if (n > block.fitted[l]) fit.add(0, n - block.fitted[l]);
    result.rocch_eer[draw] = calibrated_information<double>(fit.blocks()).rocch_eer;

    if (options_.moments) {
      const double mean_m = s.mated_moments.sum[l] / m, mean_n = s.non_moments.sum[l] / n;
      const double variances = std::max(0.0, s.mated_moments.squares[l] / m - mean_m * mean_m) +
                               std::max(0.0, s.non_moments.squares[l] / n - mean_n * mean_n);
      if (variances > 0) result.d_prime[draw] = (mean_m - mean_n) / std::sqrt(variances / 2);
      result.cllr[draw] = 0.5 * std::numbers::log2e * (s.mated_moments.cost[l] / m + s.non_moments.cost[l] / n);
    }
  }
  return result;
}

}  // namespace bauta
