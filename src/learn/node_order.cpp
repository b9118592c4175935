#include "node_order.hpp"

#include <algorithm>
#include <bit>

#include "bauta/core/simd.hpp"

namespace bauta {

namespace {

constexpr std::size_t lanes = 16;
constexpr std::size_t insertion_limit = 24;
constexpr std::uint32_t not_chosen = ~0U;
constexpr unsigned position_bits = 6;
static_assert(small_node == 1U << position_bits);

/// places[i] = how many keys are smaller than key i; `padded` is a multiple of the lanes.
BAUTA_MULTIVERSION void count_smaller(const std::uint32_t* keys, std::size_t count, std::size_t padded,
                                      std::uint32_t* places) {
  for (std::size_t j = 0; j < padded; ++j) places[j] = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t key = keys[i];
    for (std::size_t j = 0; j < padded; ++j) places[j] += static_cast<std::uint32_t>(key < keys[j]);
  }
}

}  // namespace

void sort_small(std::span<const std::uint32_t> ranks, std::array<std::uint8_t, small_node>& order) {
  alignas(64) std::array<std::uint32_t, small_node> keys{};
  alignas(64) std::array<std::uint32_t, small_node> places;
  const std::size_t n = ranks.size();
  const std::size_t padded = (n + lanes - 1) / lanes * lanes;
  for (std::size_t i = 0; i < n; ++i) keys[i] = (ranks[i] << position_bits) | static_cast<std::uint32_t>(i);
  count_smaller(keys.data(), n, padded, places.data());
  for (std::size_t i = 0; i < n; ++i) order[places[i]] = static_cast<std::uint8_t>(i);
}

RankBins::RankBins(const NodeRanks& node, std::size_t limit) : low(node.low) {
  const std::uint32_t range = node.high - node.low;
  while ((range >> shift) >= limit) ++shift;
  count = (range >> shift) + 1;
}

void BinnedSamples::clear(std::size_t bins) {
  begins_.resize(bins);
  ends_.assign(bins, not_chosen);
  chosen_.clear();
  room_ = 0;
}

void BinnedSamples::choose(std::size_t bin, std::size_t room) {
  chosen_.push_back(static_cast<std::uint32_t>(bin));
  begins_[bin] = ends_[bin] = room_;
  room_ += static_cast<std::uint32_t>(room);
}

void BinnedSamples::collect(const NodeRanks& node, const RankBins& bins) {
  if (samples_.size() < room_) samples_.resize(room_);
  for (std::size_t i = 0; i < node.ranks.size(); ++i) {
    std::uint32_t& end = ends_[bins.of(node.ranks[i])];
    if (end != not_chosen) samples_[end++] = {node.ranks[i], static_cast<std::uint32_t>(i)};
  }
  for (const std::uint32_t b : chosen_) {
    Sample* const first = samples_.data() + begins_[b];
    const std::size_t count = ends_[b] - begins_[b];
    if (count > insertion_limit) {
      std::sort(first, first + count, [](const Sample& a, const Sample& c) {
        return a.rank != c.rank ? a.rank < c.rank : a.position < c.position;
      });
      continue;
    }
    for (std::size_t i = 1; i < count; ++i) {
      const Sample sample = first[i];
      std::size_t j = i;
      for (; j > 0 && first[j - 1].rank > sample.rank; --j) first[j] = first[j - 1];
      first[j] = sample;
    }
  }
}

}  // namespace bauta
