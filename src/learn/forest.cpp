#include "bauta/learn/forest.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"
#include "ranked_features.hpp"
#include "split_criterion.hpp"
#include "training_data.hpp"

namespace bauta {

namespace {

constexpr std::size_t rows_per_task = 256;
constexpr std::size_t most_rows = std::size_t{1} << 26;  // ranks and positions of small nodes share 32 bits
// A split that reaches the ceiling up to rounding cannot be surpassed.
constexpr double ceiling_slack = 1 - 1e-12;

using MakeCriterion = std::function<std::unique_ptr<SplitCriterion>()>;

/// Uniform in 0..bound-1 from one 32-bit draw; the bias of bound / 2^32 is far below what a forest can show.
std::uint32_t draw_below(Stream& stream, std::size_t bound) {
  return static_cast<std::uint32_t>((static_cast<std::uint64_t>(stream.next32()) * bound) >> 32);
}

/// Copies the ranks of a node's samples and tells their range.
template <class Rank>
NodeRanks gather(const Rank* column, std::uint32_t feature, std::span<const std::uint32_t> samples,
                 std::vector<std::uint32_t>& ranks) {
  std::uint32_t low = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t high = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::uint32_t rank = column[samples[i]];
    ranks[i] = rank;
    low = std::min(low, rank);
    high = std::max(high, rank);
  }
  return {{ranks.data(), samples.size()}, low, high, feature};
}

/// The largest float that is not above the middle of a < b: sends the same floats left as the middle itself.
float middle(float a, float b) {
  const double exact = (static_cast<double>(a) + b) / 2;
  const auto rounded = static_cast<float>(exact);
  return static_cast<double>(rounded) > exact ? std::nextafter(rounded, a) : rounded;
}

template <class Rank>
class TreeGrower {
 public:
  TreeGrower(const RankedFeatures<Rank>& data, const MakeCriterion& make_criterion, std::size_t features,
             std::size_t leaf)
      : data_(data),
        criterion_(make_criterion()),
        leaf_(leaf),
        features_per_split_(features),
        features_(data.cols),
        weights_(data.rows),
        ranks_(data.rows),
        right_(data.rows) {
    samples_.reserve(data.rows);
  }

  Tree grow(Stream stream, bool bootstrap) {
    draw_samples(stream, bootstrap);
    std::iota(features_.begin(), features_.end(), 0U);
    Tree tree;
    tree.importances.assign(data_.cols, 0);
    tree.nodes.emplace_back();
    struct Open {
      std::uint32_t node;
      std::uint32_t begin;
      std::uint32_t end;
    };
    std::vector<Open> stack = {{0, 0, static_cast<std::uint32_t>(samples_.size())}};
    while (!stack.empty()) {
      const Open open = stack.back();
      stack.pop_back();
      const std::span samples(samples_.data() + open.begin, open.end - open.begin);
      criterion_->begin(samples, weights_);
      const bool whole = criterion_->pure() || samples.size() < 2 * leaf_;
      const Split split = whole ? Split{} : best_split(samples, stream);
      if (!split.found()) {
        criterion_->make_leaf(tree, tree.nodes[open.node]);
        continue;
      }
      tree.importances[split.feature] += criterion_->decrease(split.gain);
      const auto child = static_cast<std::uint32_t>(tree.nodes.size());
      float threshold = 0;
      const auto left = static_cast<std::uint32_t>(partition(samples, split, threshold));
      tree.nodes[open.node] = {threshold, static_cast<std::int32_t>(split.feature), child};
      tree.nodes.resize(tree.nodes.size() + 2);
      stack.push_back({child + 1, open.begin + left, open.end});
      stack.push_back({child, open.begin, open.begin + left});
    }
    const double sum = std::accumulate(tree.importances.begin(), tree.importances.end(), 0.0);
    if (sum > 0) {
      for (double& importance : tree.importances) importance /= sum;
    }
    return tree;
  }

 private:
  void draw_samples(Stream& stream, bool bootstrap) {
    samples_.clear();
    std::fill(weights_.begin(), weights_.end(), bootstrap ? 0U : 1U);
    if (bootstrap) {
      for (std::size_t i = 0; i < data_.rows; ++i) ++weights_[stream.below(data_.rows)];
    }
    for (std::uint32_t i = 0; i < data_.rows; ++i) {
      if (weights_[i] > 0) samples_.push_back(i);
    }
  }

  Split best_split(std::span<const std::uint32_t> samples, Stream& stream) {
    Split best;
    for (std::size_t drawn = 0; drawn < features_.size() && (drawn < features_per_split_ || !best.found()); ++drawn) {
      std::swap(features_[drawn], features_[drawn + draw_below(stream, features_.size() - drawn)]);
      const std::uint32_t feature = features_[drawn];
      const NodeRanks node = gather(data_.column(feature), feature, samples, ranks_);
      if (node.low == node.high) continue;
      criterion_->search(node, best);
      if (best.gain >= criterion_->ceiling() * ceiling_slack) break;
    }
    return best;
  }

  /// Brings the left samples to the front, both sides in ascending order, and returns how many they are.
  std::size_t partition(std::span<std::uint32_t> samples, const Split& split, float& threshold) {
    const Rank* const column = data_.column(split.feature);
    std::size_t left = 0;
    std::size_t right = 0;
    std::uint32_t below = 0;
    std::uint32_t above = std::numeric_limits<std::uint32_t>::max();
    for (const std::uint32_t sample : samples) {
      const std::uint32_t rank = column[sample];
      const bool goes_left = rank <= split.limit;
      samples[left] = sample;
      right_[right] = sample;
      left += goes_left ? 1 : 0;
      right += goes_left ? 0 : 1;
      below = std::max(below, goes_left ? rank : 0);
      above = std::min(above, goes_left ? above : rank);
    }
    std::copy_n(right_.begin(), right, samples.begin() + static_cast<std::ptrdiff_t>(left));
    threshold = middle(data_.value(split.feature, below), data_.value(split.feature, above));
    return left;
  }

  const RankedFeatures<Rank>& data_;
  std::unique_ptr<SplitCriterion> criterion_;
  std::size_t leaf_;
  std::size_t features_per_split_;
  std::vector<std::uint32_t> features_;
  std::vector<std::uint32_t> samples_;  // those drawn, node by node
  std::vector<std::uint32_t> weights_;  // how often each sample was drawn
  std::vector<std::uint32_t> ranks_;
  std::vector<std::uint32_t> right_;
};

template <class Rank>
std::vector<Tree> grow_trees(MatrixView<const float> x, const MakeCriterion& make_criterion, std::size_t features,
                             const ForestOptions& options) {
  const auto data = rank_features<Rank>(x);
  std::vector<Tree> trees(options.trees);
  std::vector<std::unique_ptr<TreeGrower<Rank>>> growers(static_cast<std::size_t>(threads()));
  parallel_for(options.trees, [&](std::size_t t, int worker) {
    auto& grower = growers[static_cast<std::size_t>(worker)];
    if (!grower) grower = std::make_unique<TreeGrower<Rank>>(data, make_criterion, features, options.leaf);
    trees[t] = grower->grow(Stream(options.seed, "forest", t), options.bootstrap);
  });
  return trees;
}

std::vector<Tree> grow_forest(MatrixView<const float> x, const MakeCriterion& make_criterion, std::size_t features,
                              const ForestOptions& options) {
  require_training_data(x, options.where);
  if (x.rows > most_rows) {
    throw_input(options.where, fmt::format("{} samples, a forest takes at most {}", x.rows, most_rows));
  }
  features = std::min(features, x.cols);
  return x.rows <= std::size_t{1} << 16 ? grow_trees<std::uint16_t>(x, make_criterion, features, options)
                                        : grow_trees<std::uint32_t>(x, make_criterion, features, options);
}

}  // namespace

Forest Forest::classifier(MatrixView<const float> x, std::span<const std::int32_t> codes, std::size_t classes,
                          const ForestOptions& options) {
  BAUTA_ASSERT(codes.size() == x.rows && classes > 0 && options.trees > 0);
  for (const std::int32_t code : codes) BAUTA_ASSERT(code >= 0 && static_cast<std::size_t>(code) < classes);
  const auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(x.cols)));
  Forest forest;
  forest.features_ = x.cols;
  forest.outputs_ = classes;
  BAUTA_ASSERT(options.class_weights.empty() || options.class_weights.size() == classes);
  const CriterionOptions own{x.rows, options.leaf, options.class_weights};
  forest.trees_ = grow_forest(
      x, [&] { return classes == 2 ? two_class_criterion(codes, own) : many_class_criterion(codes, classes, own); },
      options.features > 0 ? options.features : std::max<std::size_t>(root, 1), options);
  return forest;
}

Forest Forest::regressor(MatrixView<const float> x, std::span<const double> values, const ForestOptions& options) {
  BAUTA_ASSERT(values.size() == x.rows && options.trees > 0);
  Forest forest;
  forest.features_ = x.cols;
  forest.outputs_ = 1;
  forest.trees_ = grow_forest(
      x,
      [&] {
        return number_criterion(values, {x.rows, options.leaf});
      },
      options.features > 0 ? options.features : x.cols, options);
  return forest;
}

Matrix<double> Forest::predict(MatrixView<const float> x) const {
  BAUTA_ASSERT(x.cols == features_);
  Matrix<double> result(x.rows, outputs_, 0.0);
  parallel_for((x.rows + rows_per_task - 1) / rows_per_task, [&](std::size_t task, int) {
    const std::size_t begin = task * rows_per_task;
    const std::size_t end = std::min(begin + rows_per_task, x.rows);
    for (const Tree& tree : trees_) {
      const TreeNode* const nodes = tree.nodes.data();
      for (std::size_t i = begin; i < end; ++i) {
        const float* const row = x.row(i).data();
        const TreeNode* node = nodes;
        while (node->feature >= 0) node = nodes + node->child + (row[node->feature] <= node->threshold ? 0 : 1);
        if (node->feature == TreeNode::one_class) {
          result(i, node->child) += 1;
        } else {
          for (std::size_t c = 0; c < outputs_; ++c) result(i, c) += tree.values[node->child + c];
        }
      }
    }
    for (std::size_t i = begin; i < end; ++i) {
      for (double& value : result.row(i)) value /= static_cast<double>(trees_.size());
    }
  });
  return result;
}

std::vector<double> Forest::importances() const {
  std::vector<double> mean(features_, 0);
  for (const Tree& tree : trees_) {
    for (std::size_t j = 0; j < features_; ++j) mean[j] += tree.importances[j];
  }
  const double sum = std::accumulate(mean.begin(), mean.end(), 0.0);
  if (sum > 0) {
    for (double& importance : mean) importance /= sum;
  }
  return mean;
}

}  // namespace bauta
