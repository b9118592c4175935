// Scores as unsigned integers of the same order, so that they can be counted and sorted by their bits.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace bauta {

/// to_key(a) < to_key(b) iff a < b; -0 and +0 share a key; infinities are ordinary scores; NaN has no key.
template <class Score>
struct ScoreKey {
  static_assert(std::is_same_v<Score, float> || std::is_same_v<Score, double>);
  using Key = std::conditional_t<std::is_same_v<Score, float>, std::uint32_t, std::uint64_t>;
  static constexpr int bits = 8 * sizeof(Key);
  static constexpr Key sign = Key{1} << (bits - 1);

  static Key to_key(Score score) {
    const Key raw = std::bit_cast<Key>(score + Score{0});  // -0 + 0 is +0
    const Key mask = static_cast<Key>(Key{0} - (raw >> (bits - 1))) | sign;
    return raw ^ mask;
  }
  static Score from_key(Key key) {
    const Key mask = static_cast<Key>((key >> (bits - 1)) - Key{1}) | sign;
    return std::bit_cast<Score>(static_cast<Key>(key ^ mask));
  }
  static Key lowest() { return to_key(-std::numeric_limits<Score>::infinity()); }
  static Key highest() { return to_key(std::numeric_limits<Score>::infinity()); }

  /// The smallest key whose score is >= value: "count of keys below it" is "count of scores < value".
  static Key at_least(double value) {
    auto score = static_cast<Score>(value);
    if (static_cast<double>(score) < value) score = std::nextafter(score, std::numeric_limits<Score>::infinity());
    return to_key(score);
  }
};

}  // namespace bauta
