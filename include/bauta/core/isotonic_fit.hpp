// Isotonic regression of two classes by pooling adjacent violators.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace bauta {

/// Scores in ascending order are calibrated to the same value inside a block. Count is std::uint64_t for counted
/// comparisons and double for weighted ones.
template <class Count>
class IsotonicFit {
 public:
  struct Block {
    Count mated = 0;
    Count non_mated = 0;
    bool compared = true;  ///< holds at least one comparison, not only Laplace's labels
  };

  /// The next distinct score (ties pooled) with its comparisons; runs of non-mated scores may come in one call.
  void add(Count mated, Count non_mated, bool compared = true) {
    Block block{mated, non_mated, compared};
    while (!blocks_.empty() && pooled(blocks_.back(), block)) {
      block.mated += blocks_.back().mated;
      block.non_mated += blocks_.back().non_mated;
      block.compared |= blocks_.back().compared;
      blocks_.pop_back();
    }
    blocks_.push_back(block);
  }
  [[nodiscard]] std::span<const Block> blocks() const { return blocks_; }

 private:
  using Product = std::conditional_t<std::is_integral_v<Count>, __uint128_t, double>;
  /// Share of mated in `left` >= share in `right`.
  static bool pooled(const Block& left, const Block& right) {
    return Product{left.mated} * right.non_mated >= Product{right.mated} * left.non_mated;
  }

  std::vector<Block> blocks_;
};

}  // namespace bauta
