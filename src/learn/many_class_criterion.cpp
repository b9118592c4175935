// Gini of three and more classes. A split gains sum_c l_c^2 / w + sum_c r_c^2 / (W - w), with l and r the class counts
// and w and W - w the weights of its sides; that is sum_c T_c^2 / W of the whole node plus what the split is worth.
#include <algorithm>
#include <cmath>

#include "node_order.hpp"

namespace bauta {

namespace {

constexpr std::size_t samples_per_bin = 8;
constexpr std::size_t most_bins = 256;
// With more classes than this, counting every bin by class costs more than sorting it.
constexpr std::size_t most_counted_classes = 16;
constexpr double bound_slack = 1 - 1e-9;

/// Whole weights keep sums and ties exact; class weights need fractions.
template <class Weight>
class ManyClassCriterion : public SplitCriterion {
 public:
  ManyClassCriterion(std::span<const std::int32_t> codes, std::size_t classes, const CriterionOptions& options)
      : codes_(codes),
        leaf_(options.leaf),
        weight_(options.capacity),
        class_(options.capacity),
        draws_(options.capacity),
        class_weights_(classes, 1),
        totals_(classes),
        left_(classes) {
    if constexpr (std::is_floating_point_v<Weight>) {
      class_weights_ = options.class_weights;
      // A class that does not occur may have no weight.
      for (const double weight : class_weights_) lightest_ = weight > 0 ? std::min(lightest_, weight) : lightest_;
    }
  }

  void begin(std::span<const std::uint32_t> samples, std::span<const std::uint32_t> weights) override {
    size_ = samples.size();
    std::fill(totals_.begin(), totals_.end(), Weight{0});
    total_ = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      class_[i] = static_cast<std::uint32_t>(codes_[samples[i]]);
      draws_[i] = weights[samples[i]];
      weight_[i] = class_weights_[class_[i]] * static_cast<Weight>(draws_[i]);
      totals_[class_[i]] += weight_[i];
      total_ += weight_[i];
    }
    squares_ = 0;
    present_.clear();
    for (std::size_t c = 0; c < totals_.size(); ++c) {
      if (totals_[c] == 0) continue;
      squares_ += totals_[c] * totals_[c];
      present_.push_back(static_cast<std::uint32_t>(c));
    }
  }

  [[nodiscard]] bool pure() const override { return present_.size() == 1; }
  [[nodiscard]] double ceiling() const override { return static_cast<double>(total_); }
  [[nodiscard]] double decrease(double gain) const override {
    return gain - static_cast<double>(squares_) / static_cast<double>(total_);
  }

  void make_leaf(Tree& tree, TreeNode& node) const override {
    if (pure()) {
      node = {0, TreeNode::one_class, present_[0]};
      return;
    }
    node = {0, TreeNode::outputs, static_cast<std::uint32_t>(tree.values.size())};
    for (const Weight count : totals_) {
      tree.values.push_back(static_cast<double>(count) / static_cast<double>(total_));
    }
  }

  void search(const NodeRanks& node, Split& best) override {
    if (node.ranks.size() <= small_node) {
      search_small(node, best);
    } else {
      search_bins(node, best);
    }
  }

 private:
  /// Class counts left of a split, with the sums of squares of both sides.
  struct Sides {
    Weight weight = 0;
    Weight left_squares = 0;
    Weight right_squares = 0;
  };

  void start(Sides& sides) {
    std::fill(left_.begin(), left_.end(), Weight{0});
    sides = {0, 0, squares_};
  }
  void move_left(Sides& sides, std::size_t c, Weight weight) {
    const Weight right = totals_[c] - left_[c];
    sides.left_squares += weight * (2 * left_[c] + weight);
    sides.right_squares -= weight * (2 * right - weight);
    sides.weight += weight;
    left_[c] += weight;
  }
  [[nodiscard]] double gain(const Sides& sides) const {
    return static_cast<double>(sides.left_squares) / static_cast<double>(sides.weight) +
           static_cast<double>(sides.right_squares) / static_cast<double>(total_ - sides.weight);
  }

  void search_small(const NodeRanks& node, Split& best) {
    std::array<std::uint8_t, small_node> order;
    sort_small(node.ranks, order);
    Sides sides;
    start(sides);
    for (std::size_t k = 0; k + 1 < node.ranks.size(); ++k) {
      move_left(sides, class_[order[k]], weight_[order[k]]);
      const std::uint32_t rank = node.ranks[order[k]];
      if (rank != node.ranks[order[k + 1]] && allowed(k + 1)) best.offer(gain(sides), node.feature, rank);
    }
  }

  void search_bins(const NodeRanks& node, Split& best) {
    const RankBins bins(node, std::min(most_bins, node.ranks.size() / samples_per_bin));
    if (leaf_ > 1) count_samples(node, bins);
    binned_.clear(bins.count);
    if (present_.size() <= most_counted_classes) {
      count_classes(node, bins);
      offer_edges(node, bins, best);
      if (!bins.coarse()) return;
      choose_bins(bins, best);
      if (binned_.chosen().empty()) return;
    } else {
      choose_all_bins(node, bins);
    }
    binned_.collect(node, bins);
    Sides sides;
    start(sides);
    std::size_t next = 0;
    for (const std::uint32_t b : binned_.chosen()) {
      for (; next < b && counted(); ++next) move_bin_left(sides, next);
      const auto samples = binned_.bin(b);
      for (std::size_t k = 0; k < samples.size(); ++k) {
        const std::uint32_t i = samples[k].position;
        if (k > 0 && samples[k - 1].rank != samples[k].rank && allowed(b, k))
          best.offer(gain(sides), node.feature, samples[k - 1].rank);
        move_left(sides, class_[i], weight_[i]);
      }
      if (!counted() && b != binned_.chosen().back() && allowed(b + 1, 0)) {
        best.offer(gain(sides), node.feature, bins.last(b));
      }
      next = b + 1;
    }
  }

  [[nodiscard]] bool counted() const { return present_.size() <= most_counted_classes; }

  /// Whether a split after `left` samples of the node leaves enough of them on both sides.
  [[nodiscard]] bool allowed(std::size_t left) const { return left >= leaf_ && left + leaf_ <= size_; }
  [[nodiscard]] bool allowed(std::size_t bin, std::size_t more) const {
    return leaf_ == 1 || allowed(before_samples_[bin] + more);
  }

  void count_samples(const NodeRanks& node, const RankBins& bins) {
    before_samples_.assign(bins.count + 1, 0);
    for (const std::uint32_t rank : node.ranks) ++before_samples_[bins.of(rank) + 1];
    for (std::size_t b = 0; b < bins.count; ++b) before_samples_[b + 1] += before_samples_[b];
  }

  void count_classes(const NodeRanks& node, const RankBins& bins) {
    counts_.assign(bins.count * totals_.size(), 0);
    for (std::size_t i = 0; i < node.ranks.size(); ++i) {
      counts_[bins.of(node.ranks[i]) * totals_.size() + class_[i]] += draws_[i];
    }
  }

  void move_bin_left(Sides& sides, std::size_t bin) {
    for (const std::uint32_t c : present_) {
      const std::uint32_t count = counts_[bin * totals_.size() + c];
      if (count > 0) move_left(sides, c, class_weights_[c] * static_cast<Weight>(count));
    }
  }

  void offer_edges(const NodeRanks& node, const RankBins& bins, Split& best) {
    Sides sides;
    start(sides);
    for (std::size_t b = 0; b + 1 < bins.count; ++b) {
      move_bin_left(sides, b);
      if (allowed(b + 1, 0)) best.offer(gain(sides), node.feature, bins.last(b));
    }
  }

  void choose_all_bins(const NodeRanks& node, const RankBins& bins) {
    counts_.assign(bins.count, 0);
    for (const std::uint32_t rank : node.ranks) ++counts_[bins.of(rank)];
    for (std::size_t b = 0; b < bins.count; ++b) {
      if (counts_[b] > 0) binned_.choose(b, counts_[b]);
    }
  }

  /// Bins inside of which a split may gain more than `best`. With u_c = l_c - w T_c / W, a split is worth
  /// W / (w (W - w)) sum_c u_c^2, and inside of a bin u_c stays within what its samples of class c and those of the
  /// others can add.
  void choose_bins(const RankBins& bins, const Split& best) {
    const auto total = static_cast<double>(total_);
    const double base = static_cast<double>(squares_) / total;
    double rarest = total;
    for (const std::uint32_t c : present_) rarest = std::min(rarest, static_cast<double>(totals_[c]));
    const double steepest = 1 + base / total - 2 * rarest / total;  // most that sum_c (l_c / w - T_c / W)^2 can be
    std::fill(left_.begin(), left_.end(), Weight{0});
    double before = 0;
    for (std::size_t b = 0; b < bins.count; ++b) {
      const std::uint32_t* const counts = counts_.data() + b * totals_.size();
      double weight = 0;
      std::size_t draws = 0;
      for (const std::uint32_t c : present_) {
        weight += static_cast<double>(class_weights_[c]) * counts[c];
        draws += counts[c];
      }
      double farthest = 0;
      for (const std::uint32_t c : present_) {
        const double share = static_cast<double>(totals_[c]) / total;
        const double u = static_cast<double>(left_[c]) - share * before;
        const double own = static_cast<double>(class_weights_[c]) * counts[c];
        const double high = u + (1 - share) * own;
        const double low = u - share * (weight - own);
        farthest += std::max(high * high, low * low);
        left_[c] += class_weights_[c] * static_cast<Weight>(counts[c]);
      }
      const double after = before + weight;
      const double left = std::max(before, lightest_);
      const double right = std::max(total - after, lightest_);
      const double corner = farthest / std::min(left * (total - left), right * (total - right));
      const double first = after * steepest / std::max(total - after, lightest_ / 2);
      const double last = (total - before) * steepest / std::max(before, lightest_ / 2);
      const double bound = base + total * std::min(corner, std::min(first, last));
      if (draws > 1 && bound >= best.gain * bound_slack) binned_.choose(b, draws);
      before = after;
    }
  }

  std::span<const std::int32_t> codes_;
  std::size_t leaf_;
  std::size_t size_ = 0;
  std::vector<Weight> weight_;
  std::vector<std::uint32_t> class_;
  std::vector<std::uint32_t> draws_;
  std::vector<Weight> class_weights_;
  double lightest_ = 1;  // least weight of a draw
  std::vector<Weight> totals_, left_;
  std::vector<std::uint32_t> present_;  // classes in the node
  Weight total_ = 0;
  Weight squares_ = 0;
  std::vector<std::uint32_t> counts_;  // draws by bin and class; or samples by bin
  std::vector<std::size_t> before_samples_;
  BinnedSamples binned_;
};

}  // namespace

std::unique_ptr<SplitCriterion> many_class_criterion(std::span<const std::int32_t> codes, std::size_t classes,
                                                     const CriterionOptions& options) {
  if (options.class_weights.empty()) {
    return std::make_unique<ManyClassCriterion<std::int64_t>>(codes, classes, options);
  }
  return std::make_unique<ManyClassCriterion<double>>(codes, classes, options);
}

}  // namespace bauta
