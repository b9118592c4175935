// Ordering the samples of a node by rank: all of a small node, or only those in the bins of a large node where a better
// split can be.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "split_criterion.hpp"

namespace bauta {

/// Nodes up to this size are sorted by counting smaller keys, which needs no branches.
inline constexpr std::size_t small_node = 64;

/// order[k] is the position in the node of the sample of k-th lowest rank, equal ranks in the order of the samples.
/// At most small_node samples.
void sort_small(std::span<const std::uint32_t> ranks, std::array<std::uint8_t, small_node>& order);

/// Equal ranges of ranks, a power of two wide, that cover the node.
struct RankBins {
  std::uint32_t low = 0;
  unsigned shift = 0;
  std::size_t count = 0;

  /// At most `limit` bins.
  RankBins(const NodeRanks& node, std::size_t limit);
  [[nodiscard]] std::size_t of(std::uint32_t rank) const { return (rank - low) >> shift; }
  /// Highest rank of a bin.
  [[nodiscard]] std::uint32_t last(std::size_t bin) const {
    return low + static_cast<std::uint32_t>((bin + 1) << shift) - 1;
  }
  /// Whether bins hold more than one rank.
  [[nodiscard]] bool coarse() const { return shift > 0; }
};

/// Samples of chosen bins, by bin and then by rank.
class BinnedSamples {
 public:
  struct Sample {
    std::uint32_t rank;
    std::uint32_t position;  ///< in the node
  };

  /// Chooses no bin yet.
  void clear(std::size_t bins);
  /// Chooses a bin that holds at most `room` samples. Bins come in ascending order.
  void choose(std::size_t bin, std::size_t room);
  [[nodiscard]] const std::vector<std::uint32_t>& chosen() const { return chosen_; }
  void collect(const NodeRanks& node, const RankBins& bins);
  /// After collect(), of a bin that was chosen.
  [[nodiscard]] std::span<const Sample> bin(std::size_t b) const {
    return {samples_.data() + begins_[b], ends_[b] - begins_[b]};
  }

 private:
  std::vector<Sample> samples_;
  std::vector<std::uint32_t> chosen_, begins_, ends_;  // `begins_` of bins that were not chosen has no meaning
  std::uint32_t room_ = 0;
};

}  // namespace bauta
