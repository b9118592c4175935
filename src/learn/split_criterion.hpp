// The best split of one node's samples. A search looks at one feature at a time and keeps the best so far; it is exact,
// and sorts only where a better split can be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bauta/learn/forest.hpp"

namespace bauta {

/// Samples whose rank of `feature` is at most `limit` go left. Of equal gains the feature that was looked at first is
/// kept, and of one feature the lowest limit.
struct Split {
  double gain = -1;
  std::uint32_t feature = 0;
  std::uint32_t limit = 0;

  [[nodiscard]] bool found() const { return gain >= 0; }
  void offer(double other_gain, std::uint32_t other_feature, std::uint32_t other_limit) {
    if (other_gain > gain || (other_gain == gain && other_feature == feature && other_limit < limit)) {
      *this = {other_gain, other_feature, other_limit};
    }
  }
};

/// One feature of a node: ranks in the order of its samples, with low < high.
struct NodeRanks {
  std::span<const std::uint32_t> ranks;
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  std::uint32_t feature = 0;
};

/// What is to be told apart, with the samples of one node at a time.
class SplitCriterion {
 public:
  virtual ~SplitCriterion() = default;
  /// Begins a node: its samples, each as often as its weight (number of draws) says.
  virtual void begin(std::span<const std::uint32_t> samples, std::span<const std::uint32_t> weights) = 0;
  /// Nothing is left to tell apart.
  [[nodiscard]] virtual bool pure() const = 0;
  /// No split of this node gains more.
  [[nodiscard]] virtual double ceiling() const = 0;
  virtual void search(const NodeRanks& node, Split& best) = 0;
  /// Decrease of impurity times the samples of the node; comparable over the nodes of a tree.
  [[nodiscard]] virtual double decrease(double gain) const = 0;
  virtual void make_leaf(Tree& tree, TreeNode& node) const = 0;
};

struct CriterionOptions {
  std::size_t capacity = 0;                ///< the largest number of samples of a node
  std::size_t leaf = 1;                    ///< the least number of samples on each side of a split
  std::vector<double> class_weights = {};  ///< what a draw of each class counts; empty: 1
};

/// `codes` and `values` outlive the criterion.
std::unique_ptr<SplitCriterion> two_class_criterion(std::span<const std::int32_t> codes,
                                                    const CriterionOptions& options);
std::unique_ptr<SplitCriterion> many_class_criterion(std::span<const std::int32_t> codes, std::size_t classes,
                                                     const CriterionOptions& options);
std::unique_ptr<SplitCriterion> number_criterion(std::span<const double> values, const CriterionOptions& options);

}  // namespace bauta
