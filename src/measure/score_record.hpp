// What is kept of a comparison while it is sorted: its key and, where subjects are resampled, its two subjects.
#pragma once

#include <cstdint>

#include "score_key.hpp"

namespace bauta {

/// No subjects: 4 bytes for float scores, 8 for double.
template <class ScoreType>
struct KeyRecord {
  using Score = ScoreType;
  using Key = typename ScoreKey<Score>::Key;
  static constexpr bool has_subjects = false;
  Key value;

  static KeyRecord make(Key key, std::uint32_t, std::uint32_t) { return {key}; }
  [[nodiscard]] Key key() const { return value; }
};

/// Float key and two subjects below 65536 in 8 bytes.
struct PackedRecord {
  using Score = float;
  using Key = std::uint32_t;
  static constexpr bool has_subjects = true;
  std::uint64_t value;

  static PackedRecord make(Key key, std::uint32_t probe, std::uint32_t reference) {
    return {(static_cast<std::uint64_t>(key) << 32) | (probe << 16) | reference};
  }
  [[nodiscard]] Key key() const { return static_cast<Key>(value >> 32); }
  [[nodiscard]] std::uint32_t probe() const { return (static_cast<std::uint32_t>(value) >> 16); }
  [[nodiscard]] std::uint32_t reference() const { return static_cast<std::uint32_t>(value) & 0xffffU; }
};

/// Any number of subjects: 12 bytes for float scores, 16 for double.
template <class ScoreType>
struct WideRecord {
  using Score = ScoreType;
  using Key = typename ScoreKey<Score>::Key;
  static constexpr bool has_subjects = true;
  Key value;
  std::uint32_t first, second;

  static WideRecord make(Key key, std::uint32_t probe, std::uint32_t reference) { return {key, probe, reference}; }
  [[nodiscard]] Key key() const { return value; }
  [[nodiscard]] std::uint32_t probe() const { return first; }
  [[nodiscard]] std::uint32_t reference() const { return second; }
};

}  // namespace bauta
