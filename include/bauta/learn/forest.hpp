// Random forest (Breiman 2001) for classes (Gini) and numbers (variance reduction), grown as scikit-learn grows it:
// bootstrap, exact splits at midpoints, unlimited depth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bauta/core/matrix.hpp"

namespace bauta {

struct ForestOptions {
  std::size_t trees = 100;
  /// Features drawn for a split; 0: floor(sqrt(d)) for classes, all for numbers. A constant feature counts as drawn,
  /// but drawing goes on until one that can split was found.
  std::size_t features = 0;
  std::size_t leaf = 1;                    ///< a split leaves at least so many different samples on each side
  std::vector<double> class_weights = {};  ///< what a draw of each class counts; empty: 1
  bool bootstrap = true;                   ///< every tree sees n draws with replacement; otherwise all samples
  std::uint64_t seed = 1;
  std::string where = "training data";  ///< what errors name
};

/// A node sends x to `child` if x[feature] <= threshold and to `child + 1` otherwise. In leaves `feature` is negative.
struct TreeNode {
  static constexpr std::int32_t one_class = -1;  ///< `child` is the class that all samples of the leaf have
  static constexpr std::int32_t outputs = -2;    ///< `child` is the place of the leaf's first value in Tree::values

  float threshold = 0;
  std::int32_t feature = one_class;
  std::uint32_t child = 0;
};

struct Tree {
  std::vector<TreeNode> nodes;      ///< the root is the first
  std::vector<double> values;       ///< class shares or means of leaves
  std::vector<double> importances;  ///< decrease of impurity per feature, in sum 1 (or 0 without a split)
};

class Forest {
 public:
  Forest() = default;

  /// `codes` in [0, classes). Tree t draws from Stream(seed, "forest", t): the same forest for any number of threads.
  static Forest classifier(MatrixView<const float> x, std::span<const std::int32_t> codes, std::size_t classes,
                           const ForestOptions& options = {});
  static Forest regressor(MatrixView<const float> x, std::span<const double> values, const ForestOptions& options = {});

  /// Mean over the trees of the class shares in the leaf that each row falls into; of a regressor, one column of means.
  [[nodiscard]] Matrix<double> predict(MatrixView<const float> x) const;

  /// Mean decrease in impurity: per tree in sum 1, averaged over the trees that have a split, in sum 1 again. All zero
  /// where no tree has a split.
  [[nodiscard]] std::vector<double> importances() const;

  [[nodiscard]] std::size_t features() const { return features_; }
  [[nodiscard]] std::size_t outputs() const { return outputs_; }
  [[nodiscard]] const std::vector<Tree>& trees() const { return trees_; }

 private:
  std::size_t features_ = 0;
  std::size_t outputs_ = 0;  // classes, or 1 for numbers
  std::vector<Tree> trees_;
};

}  // namespace bauta
