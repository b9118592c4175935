// Two classes and numbers are one criterion: Gini of two classes is twice the variance of their 0/1 codes. With u the
// sum of deviations from the node's mean and w the weight on the left side of a split, the decrease of variance is
// u^2 / (w (W - w)) up to a factor of the node, and that is what a split gains.
#include <algorithm>
#include <cmath>
#include <limits>

#include "bauta/core/error.hpp"
#include "bauta/core/simd.hpp"
#include "node_order.hpp"

namespace bauta {

namespace {

constexpr std::size_t samples_per_bin = 4;
constexpr std::size_t most_bins = 512;
// Bounds are computed in floating point; bins that miss the best by less than this share are looked at.
constexpr double bound_slack = 1 - 1e-9;

/// gains[i] of a split with weight w[i] and deviation u[i] on the left; 0 < w[i] < total.
BAUTA_MULTIVERSION void split_gains(const double* w, const double* u, std::size_t count, double total, double* gains) {
  for (std::size_t i = 0; i < count; ++i) gains[i] = u[i] * u[i] / (w[i] * (total - w[i]));
}

/// Weights and deviations before each bin, and the positive and negative deviations that it adds.
struct BinSums {
  const double* w;
  const double* u;
  const double* positive;
  const double* negative;
};
struct NodeLimits {
  double total;
  double steepest;  ///< the largest deviation of a single draw
  double lightest;  ///< no sample weighs less
};

/// The most that any split inside of bin b can gain: its samples come in an unknown order, so u stays within what the
/// positive and the negative deviations of the bin add, and the convex gain is largest at a corner. The steepest
/// deviation bounds u by w in the outer bins.
BAUTA_MULTIVERSION void bin_bounds(const BinSums& sums, const NodeLimits& limits, std::size_t count, double* bounds) {
  const auto [w, u, positive, negative] = sums;
  const auto [total, steepest, lightest] = limits;
  for (std::size_t b = 0; b < count; ++b) {
    const double farthest = std::max(u[b] + positive[b], -(u[b] + negative[b]));
    const double left = std::max(w[b], lightest);
    const double right = std::max(total - w[b + 1], lightest);
    const double corner = farthest * farthest / std::min(left * (total - left), right * (total - right));
    const double first = w[b + 1] * steepest * steepest / std::max(total - w[b + 1], lightest / 2);
    const double last = (total - w[b]) * steepest * steepest / std::max(w[b], lightest / 2);
    bounds[b] = std::min(corner, std::min(first, last));
  }
}

/// Draws of class 1 (high half) and of class 0 (low half): one addition per sample.
struct TwoClassBin {
  std::uint64_t counts = 0;
};

struct NumberBin {
  double weight = 0;
  double positive = 0;
  double negative = 0;
};

template <class Bin>
class OneOutputCriterion : public SplitCriterion {
 public:
  static constexpr bool two_classes = std::is_same_v<Bin, TwoClassBin>;
  using Target = std::conditional_t<two_classes, std::int32_t, double>;

  OneOutputCriterion(std::span<const Target> targets, const CriterionOptions& options)
      : targets_(targets), leaf_(options.leaf), w_(options.capacity), u_(options.capacity) {
    if constexpr (two_classes) {
      counts_.resize(options.capacity);
      if (!options.class_weights.empty()) std::copy_n(options.class_weights.begin(), 2, class_weights_.begin());
      // A class that does not occur may have no weight.
      for (const double weight : class_weights_) lightest_ = weight > 0 ? std::min(lightest_, weight) : lightest_;
    } else {
      numbers_.resize(options.capacity);
    }
  }

  void begin(std::span<const std::uint32_t> samples, std::span<const std::uint32_t> weights) override {
    size_ = samples.size();
    double sum = 0;
    total_ = 0;
    bool equal = true;
    for (std::size_t i = 0; i < size_; ++i) {
      const Target target = targets_[samples[i]];
      const double weight = weights[samples[i]] * (two_classes ? class_weights_[target != 0 ? 1 : 0] : 1);
      w_[i] = weight;
      total_ += weight;
      sum += weight * target;
      equal = equal && target == targets_[samples[0]];
      if constexpr (two_classes) counts_[i] = static_cast<std::uint64_t>(weights[samples[i]]) << (target != 0 ? 32 : 0);
    }
    pure_ = equal;
    mean_ = sum / total_;
    // Deviations of classes are kept as whole numbers, W times as large: their sums are exact, and so are ties.
    const double scale = two_classes ? total_ : 1;
    const double centre = two_classes ? sum : mean_;
    ones_ = sum;
    steepest_ = 0;
    double squares = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      const double deviation = targets_[samples[i]] * scale - centre;
      u_[i] = w_[i] * deviation;
      steepest_ = std::max(steepest_, std::abs(deviation));
      squares += u_[i] * deviation;
      if constexpr (!two_classes) numbers_[i] = {w_[i], std::max(u_[i], 0.0), std::min(u_[i], 0.0)};
    }
    ceiling_ = squares / total_;
  }

  [[nodiscard]] bool pure() const override { return pure_; }
  [[nodiscard]] double ceiling() const override { return ceiling_; }
  [[nodiscard]] double decrease(double gain) const override { return two_classes ? 2 * gain / total_ : gain * total_; }

  void make_leaf(Tree& tree, TreeNode& node) const override {
    if (two_classes && pure_) {
      node = {0, TreeNode::one_class, mean_ > 0 ? 1U : 0U};
      return;
    }
    node = {0, TreeNode::outputs, static_cast<std::uint32_t>(tree.values.size())};
    if (two_classes) tree.values.push_back((total_ - ones_) / total_);
    tree.values.push_back(mean_);
  }

  void search(const NodeRanks& node, Split& best) override {
    if (node.ranks.size() <= small_node) {
      search_small(node, best);
    } else {
      search_bins(node, best);
    }
  }

 private:
  void search_small(const NodeRanks& node, Split& best) {
    std::array<std::uint8_t, small_node> order;
    alignas(64) std::array<double, small_node> w;
    alignas(64) std::array<double, small_node> u;
    alignas(64) std::array<double, small_node> gains;
    sort_small(node.ranks, order);
    const std::size_t splits = node.ranks.size() - 1;
    double weight = 0;
    double deviation = 0;
    for (std::size_t k = 0; k < splits; ++k) {
      w[k] = weight += w_[order[k]];
      u[k] = deviation += u_[order[k]];
    }
    split_gains(w.data(), u.data(), splits, total_, gains.data());
    for (std::size_t k = leaf_ - 1; k + leaf_ <= splits; ++k) {
      if (gains[k] > best.gain && node.ranks[order[k]] != node.ranks[order[k + 1]]) {
        best = {gains[k], node.feature, node.ranks[order[k]]};
      }
    }
  }

  void search_bins(const NodeRanks& node, Split& best) {
    const RankBins bins(node, std::min(most_bins, node.ranks.size() / samples_per_bin));
    fill(node, bins);
    // A split between two bins needs samples on both sides; low and high are occupied, so every one has.
    split_gains(before_w_.data() + 1, before_u_.data() + 1, bins.count - 1, total_, values_.data());
    if (leaf_ > 1) count_samples(node, bins);
    for (std::size_t b = 0; b + 1 < bins.count; ++b) {
      if (values_[b] > best.gain && allowed(b + 1, 0)) best = {values_[b], node.feature, bins.last(b)};
    }
    if (!bins.coarse()) return;
    bin_bounds({before_w_.data(), before_u_.data(), positive_.data(), negative_.data()}, {total_, steepest_, lightest_},
               bins.count, values_.data());
    binned_.clear(bins.count);
    for (std::size_t b = 0; b < bins.count; ++b) {
      if (draws_[b] > 1 && values_[b] >= best.gain * bound_slack) binned_.choose(b, draws_[b]);
    }
    if (binned_.chosen().empty()) return;
    binned_.collect(node, bins);
    for (const std::uint32_t b : binned_.chosen()) {
      const auto samples = binned_.bin(b);
      double weight = before_w_[b];
      double deviation = before_u_[b];
      for (std::size_t k = 0; k + 1 < samples.size(); ++k) {
        weight += w_[samples[k].position];
        deviation += u_[samples[k].position];
        if (samples[k].rank == samples[k + 1].rank || !allowed(b, k + 1)) continue;
        best.offer(deviation * deviation / (weight * (total_ - weight)), node.feature, samples[k].rank);
      }
    }
  }

  /// Whether a split after `more` samples of a bin leaves enough of them on both sides.
  [[nodiscard]] bool allowed(std::size_t bin, std::size_t more) const {
    if (leaf_ == 1) return true;
    const std::size_t left = before_samples_[bin] + more;
    return left >= leaf_ && left + leaf_ <= size_;
  }

  void count_samples(const NodeRanks& node, const RankBins& bins) {
    before_samples_.assign(bins.count + 1, 0);
    for (const std::uint32_t rank : node.ranks) ++before_samples_[bins.of(rank) + 1];
    for (std::size_t b = 0; b < bins.count; ++b) before_samples_[b + 1] += before_samples_[b];
  }

  void fill(const NodeRanks& node, const RankBins& bins) {
    bins_.assign(bins.count, Bin{});
    before_w_.resize(bins.count + 1);
    before_u_.resize(bins.count + 1);
    positive_.resize(bins.count);
    negative_.resize(bins.count);
    values_.resize(bins.count);
    draws_.resize(bins.count);
    for (std::size_t i = 0; i < node.ranks.size(); ++i) {
      Bin& bin = bins_[bins.of(node.ranks[i])];
      if constexpr (two_classes) {
        bin.counts += counts_[i];
      } else {
        bin.weight += numbers_[i].weight;
        bin.positive += numbers_[i].positive;
        bin.negative += numbers_[i].negative;
      }
    }
    before_w_[0] = before_u_[0] = 0;
    for (std::size_t b = 0; b < bins.count; ++b) {
      double weight = 0;
      if constexpr (two_classes) {
        const std::uint64_t counts = bins_[b].counts;
        draws_[b] = (counts & 0xffffffffU) + (counts >> 32);
        const double zeros = static_cast<double>(counts & 0xffffffffU) * class_weights_[0];
        const double ones = static_cast<double>(counts >> 32) * class_weights_[1];
        weight = zeros + ones;
        positive_[b] = ones * (total_ - ones_);
        negative_[b] = -zeros * ones_;
      } else {
        weight = bins_[b].weight;
        draws_[b] = static_cast<std::size_t>(weight);
        positive_[b] = bins_[b].positive;
        negative_[b] = bins_[b].negative;
      }
      before_w_[b + 1] = before_w_[b] + weight;
      before_u_[b + 1] = before_u_[b] + (positive_[b] + negative_[b]);
    }
  }

  std::span<const Target> targets_;
  std::size_t leaf_;
  std::array<double, 2> class_weights_ = {1, 1};
  double lightest_ = 1;  // least weight of a draw
  std::size_t size_ = 0;
  double total_ = 0;
  double mean_ = 0;
  double ones_ = 0;  // sum of the targets
  double steepest_ = 0;
  double ceiling_ = 0;
  bool pure_ = false;
  std::vector<double> w_, u_;  // weight and weighted deviation of each sample of the node
  std::vector<std::uint64_t> counts_;
  std::vector<NumberBin> numbers_;
  std::vector<Bin> bins_;
  std::vector<double> before_w_, before_u_, positive_, negative_, values_;
  std::vector<std::size_t> draws_, before_samples_;
  BinnedSamples binned_;
};

}  // namespace

std::unique_ptr<SplitCriterion> two_class_criterion(std::span<const std::int32_t> codes,
                                                    const CriterionOptions& options) {
  return std::make_unique<OneOutputCriterion<TwoClassBin>>(codes, options);
}

std::unique_ptr<SplitCriterion> number_criterion(std::span<const double> values, const CriterionOptions& options) {
  return std::make_unique<OneOutputCriterion<NumberBin>>(values, options);
}

}  // namespace bauta
