// Isotonic calibration (pool adjacent violators) and what follows from it: ROC convex hull, minimal Cllr, ZEBRA.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
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
    bool trials = true;  ///< holds at least one comparison, not only Laplace's labels
  };

  /// The next distinct score (ties pooled) with its comparisons; runs of non-mated scores may come in one call.
  void add(Count mated, Count non_mated, bool trials = true) {
    Block block{mated, non_mated, trials};
    while (!blocks_.empty() && pooled(blocks_.back(), block)) {
      block.mated += blocks_.back().mated;
      block.non_mated += blocks_.back().non_mated;
      block.trials |= blocks_.back().trials;
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

struct CalibratedInformation {
  double rocch_eer = 0;
  double min_cllr = 0;
  double expected_bits = 0;  ///< ZEBRA: expected disclosure
};

/// Of a fit without Laplace labels.
template <class Count>
CalibratedInformation calibrated_information(std::span<const typename IsotonicFit<Count>::Block> blocks);

/// ZEBRA worst case: largest |log10 likelihood ratio| of a fit with Laplace labels, given the comparison counts.
double worst_case_log10(std::span<const IsotonicFit<std::uint64_t>::Block> blocks, std::uint64_t mated,
                        std::uint64_t non_mated);

/// ZEBRA's category of a worst case: 0, A .. F.
std::string zebra_tag(double worst_case);

/// ZEBRA's integral over all priors of the information of one natural-log likelihood ratio a > -inf.
double zebra_information(double a);

}  // namespace bauta
