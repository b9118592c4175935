// Sorts records by key. Radix sort, because the keys of one bucket differ only in a few bits.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace bauta {

/// Records that one call of the out-of-place sort may handle; also the size of its scratch space.
inline constexpr std::size_t sort_scratch_records = std::size_t{1} << 18;

namespace detail {

/// Out of place, least significant digit first; digits are at most 11 bits wide so that their counters stay in L1.
template <class Record, class Key>
void sort_by_digits(std::span<Record> records, Key low, int bits, std::vector<Record>& scratch) {
  const int passes = (bits + 10) / 11;
  const int width = (bits + passes - 1) / passes;
  const Key mask = static_cast<Key>((Key{1} << width) - 1);
  scratch.resize(std::max(scratch.size(), records.size()));
  Record* from = records.data();
  Record* to = scratch.data();
  std::array<std::uint32_t, 2048> start;
  for (int pass = 0; pass < passes; ++pass) {
    const int shift = pass * width;
    std::fill_n(start.begin(), std::size_t{1} << width, 0U);
    for (std::size_t i = 0; i < records.size(); ++i) ++start[((from[i].key() - low) >> shift) & mask];
    std::uint32_t sum = 0;
    for (std::size_t d = 0; d <= mask; ++d) sum += std::exchange(start[d], sum);
    for (std::size_t i = 0; i < records.size(); ++i) to[start[((from[i].key() - low) >> shift) & mask]++] = from[i];
    std::swap(from, to);
  }
  if (from != records.data()) std::copy_n(from, records.size(), records.data());
}

}  // namespace detail

/// All keys lie in [low, high]. Equal keys come out in any order. `scratch` grows to at most sort_scratch_records.
template <class Record, class Key>
void sort_records(std::span<Record> records, Key low, Key high, std::vector<Record>& scratch) {
  const auto bits = static_cast<int>(std::bit_width(static_cast<Key>(high - low)));
  if (bits == 0 || records.size() < 2) return;
  if (records.size() < 128) {
    std::sort(records.begin(), records.end(), [](const Record& a, const Record& b) { return a.key() < b.key(); });
    return;
  }
  if (records.size() <= sort_scratch_records) {
    detail::sort_by_digits(records, low, bits, scratch);
    return;
  }
  // Too large for the scratch space: split in place by the leading digit (cyclic permutation), then sort the pieces.
  const int shift = std::max(0, bits - 8);
  std::array<std::size_t, 257> begin{};
  for (const Record& record : records) ++begin[((record.key() - low) >> shift) + 1];
  for (std::size_t d = 0; d < 256; ++d) begin[d + 1] += begin[d];
  std::array<std::size_t, 256> next;
  std::copy_n(begin.begin(), 256, next.begin());
  for (std::size_t d = 0; d < 256; ++d) {
    while (next[d] < begin[d + 1]) {
      const std::size_t home = (records[next[d]].key() - low) >> shift;
      if (home == d) {
        ++next[d];
      } else {
        std::swap(records[next[d]], records[next[home]++]);
      }
    }
  }
  if (shift == 0) return;
  for (std::size_t d = 0; d < 256; ++d) {
    const Key piece = static_cast<Key>(low + (static_cast<Key>(d) << shift));
    const Key span = static_cast<Key>((Key{1} << shift) - 1);
    sort_records(records.subspan(begin[d], begin[d + 1] - begin[d]), piece, static_cast<Key>(piece + span), scratch);
  }
}

}  // namespace bauta
