#include "ranked_features.hpp"

#include <array>
#include <bit>
#include <utility>

#include "bauta/core/parallel.hpp"

namespace bauta {

namespace {

constexpr std::size_t columns_per_task = 8;
constexpr std::size_t digit_bits = 11;
constexpr std::size_t digits = 3;
constexpr std::uint32_t digit_mask = (1U << digit_bits) - 1;

/// An unsigned integer in the order of the floats; both zeros are one value.
std::uint32_t ordered_key(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value + 0.0F);
  return (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
}

float from_key(std::uint32_t key) {
  return std::bit_cast<float>((key & 0x80000000U) != 0 ? key & 0x7fffffffU : ~key);
}

/// Sorts by the high half of each element, least significant digit first; skips digits that all keys share.
void radix_sort(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& spare) {
  std::array<std::array<std::uint32_t, digit_mask + 1>, digits> counts{};
  for (const std::uint64_t key : keys) {
    for (std::size_t d = 0; d < digits; ++d) ++counts[d][(key >> (32 + d * digit_bits)) & digit_mask];
  }
  for (std::size_t d = 0; d < digits; ++d) {
    auto& places = counts[d];
    if (places[(keys[0] >> (32 + d * digit_bits)) & digit_mask] == keys.size()) continue;
    std::uint32_t place = 0;
    for (std::uint32_t& count : places) place += std::exchange(count, place);
    for (const std::uint64_t key : keys) spare[places[(key >> (32 + d * digit_bits)) & digit_mask]++] = key;
    keys.swap(spare);
  }
}

}  // namespace

template <class Rank>
RankedFeatures<Rank> rank_features(MatrixView<const float> x) {
  RankedFeatures<Rank> result{x.rows, x.cols, std::vector<Rank>(x.rows * x.cols), std::vector<float>(x.rows * x.cols)};
  parallel_for((x.cols + columns_per_task - 1) / columns_per_task, [&](std::size_t task, int) {
    std::vector<std::uint64_t> keys(x.rows), spare(x.rows);
    for (std::size_t j = task * columns_per_task; j < std::min(x.cols, (task + 1) * columns_per_task); ++j) {
      for (std::size_t i = 0; i < x.rows; ++i) keys[i] = (static_cast<std::uint64_t>(ordered_key(x(i, j))) << 32) | i;
      radix_sort(keys, spare);
      std::size_t rank = 0;
      for (std::size_t k = 0; k < x.rows; ++k) {
        const auto key = static_cast<std::uint32_t>(keys[k] >> 32);
        if (k > 0 && key != static_cast<std::uint32_t>(keys[k - 1] >> 32)) ++rank;
        result.ranks[j * x.rows + static_cast<std::uint32_t>(keys[k])] = static_cast<Rank>(rank);
        result.values[j * x.rows + rank] = from_key(key);
      }
    }
  });
  return result;
}

template RankedFeatures<std::uint16_t> rank_features(MatrixView<const float>);
template RankedFeatures<std::uint32_t> rank_features(MatrixView<const float>);

}  // namespace bauta
