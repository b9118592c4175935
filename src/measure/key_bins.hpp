// Counts of keys by their leading bits, refined where one bin would not fit in memory; grouped into sortable buckets.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bauta/core/error.hpp"

namespace bauta {

enum : std::size_t { non_mated_class = 0, mated_class = 1 };
using ClassCounts = std::array<std::uint64_t, 2>;

template <class Key>
class KeyBins {
 public:
  struct Bucket {
    Key low, high;  ///< all keys of the bucket lie in [low, high]
    ClassCounts count;
    [[nodiscard]] std::uint64_t total() const { return count[0] + count[1]; }
  };

  static constexpr int key_bits = 8 * sizeof(Key);
  static constexpr int root_bits = 18;  ///< keys that agree in so many leading bits share a bin, unless it is refined

  KeyBins() { add_node(0, key_bits - root_bits, root_bits); }

  /// The slots that the next counting scan must fill: [first_new(), slots()).
  [[nodiscard]] std::size_t first_new() const { return first_new_; }
  [[nodiscard]] std::size_t slots() const { return entry_.size(); }
  /// The slot, or after group() the bucket, that a key belongs to.
  [[nodiscard]] std::size_t slot(Key key) const {
    std::size_t at = key >> (key_bits - root_bits);
    while (entry_[at] & child_flag) {
      const Node& node = nodes_[entry_[at] & ~child_flag];
      at = node.first_slot + ((key >> node.shift) & ((Key{1} << node.bits) - 1));
    }
    return at;
  }
  [[nodiscard]] std::size_t bucket(Key key) const { return entry_[slot(key)]; }

  /// Takes the counts of the new slots of one worker.
  void add_counts(const std::vector<ClassCounts>& counts) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      for (std::size_t c = 0; c < 2; ++c) count_[first_new_ + i][c] += counts[i][c];
    }
  }

  /// Splits counted slots that hold more than `capacity` keys. True if there are new slots to count.
  bool refine(std::uint64_t capacity) {
    const std::size_t counted_end = slots();
    std::vector<std::size_t> oversized;
    for (const Node& node : nodes_) {
      if (node.first_slot < first_new_ || node.shift == 0) continue;
      for (std::size_t i = 0; i < (std::size_t{1} << node.bits); ++i) {
        const auto& counts = count_[node.first_slot + i];
        if (counts[0] + counts[1] > capacity) oversized.push_back(node.first_slot + i);
      }
    }
    first_new_ = counted_end;
    for (std::size_t at : oversized) {
      const int left = shift_of(at);
      int bits = 4;  // as fine as 2^18 new slots in all allow
      while (bits < 14 && (oversized.size() << (bits + 1)) <= (std::size_t{1} << root_bits)) ++bits;
      bits = std::min(bits, left);
      const auto node = static_cast<std::uint32_t>(nodes_.size());
      add_node(low_of(at), left - bits, bits);
      entry_[at] = child_flag | node;
    }
    return !oversized.empty();
  }

  /// Groups neighbouring slots into buckets of about `target` keys (one slot may hold more), in ascending order.
  std::vector<Bucket> group(std::uint64_t target) {
    std::vector<Bucket> buckets;
    group_node(0, target, buckets);
    return buckets;
  }

 private:
  struct Node {
    Key low;
    int shift, bits;
    std::size_t first_slot;
  };
  static constexpr std::uint32_t child_flag = 0x80000000U;

  void add_node(Key low, int shift, int bits) {
    nodes_.push_back({low, shift, bits, slots()});
    entry_.resize(slots() + (std::size_t{1} << bits), 0);
    count_.resize(entry_.size(), ClassCounts{});
  }
  [[nodiscard]] const Node& node_of(std::size_t slot_index) const {
    const auto after = std::upper_bound(nodes_.begin(), nodes_.end(), slot_index,
                                        [](std::size_t s, const Node& node) { return s < node.first_slot; });
    return *(after - 1);
  }
  [[nodiscard]] int shift_of(std::size_t slot_index) const { return node_of(slot_index).shift; }
  [[nodiscard]] Key low_of(std::size_t slot_index) const {
    const Node& node = node_of(slot_index);
    return static_cast<Key>(node.low + (static_cast<Key>(slot_index - node.first_slot) << node.shift));
  }
  void group_node(std::size_t index, std::uint64_t target, std::vector<Bucket>& buckets) {
    const Node node = nodes_[index];
    for (std::size_t i = 0; i < (std::size_t{1} << node.bits); ++i) {
      const std::size_t at = node.first_slot + i;
      if (entry_[at] & child_flag) {
        group_node(entry_[at] & ~child_flag, target, buckets);
        continue;
      }
      const ClassCounts& counts = count_[at];
      if (counts[0] + counts[1] == 0) continue;
      const Key low = static_cast<Key>(node.low + (static_cast<Key>(i) << node.shift));
      const Key high = static_cast<Key>(low + ((Key{1} << node.shift) - 1));
      if (buckets.empty() || buckets.back().total() + counts[0] + counts[1] > target) {
        buckets.push_back({low, high, counts});
      } else {
        buckets.back().high = high;
        for (std::size_t c = 0; c < 2; ++c) buckets.back().count[c] += counts[c];
      }
      BAUTA_ASSERT(buckets.size() < child_flag);
      entry_[at] = static_cast<std::uint32_t>(buckets.size() - 1);
    }
  }

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> entry_;
  std::vector<ClassCounts> count_;
  std::size_t first_new_ = 0;
};

}  // namespace bauta
