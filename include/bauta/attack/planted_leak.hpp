// The positive control of an attack: a leak of known size, planted into the templates that are attacked. An attack that
// does not find it could not have found one of that size in the data either.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bauta/core/matrix.hpp"
#include "bauta/core/templates.hpp"

namespace bauta {

/// Balanced accuracy of the best attacker where each of `classes` shifts standard normal values by `shift` along a
/// direction of its own, and the way back.
double orthogonal_optimum(double shift, std::size_t classes);
double orthogonal_shift(double balanced, std::size_t classes);

class PlantedLeak {
 public:
  /// `data` are templates as the attacker holds them. `period`: a leak that repeats every so many features survives the
  /// exchange of blocks; 0: no period. Not possible where there are fewer features than classes.
  PlantedLeak(const Templates& data, std::size_t classes, std::size_t period, std::uint64_t seed);
  [[nodiscard]] bool possible() const { return possible_; }

  /// `data` with the leak of class codes[i] in row i. `size`: balanced accuracy that an attacker reaches who knows what
  /// was planted. Real features are brought to unit length and shifted along a random direction of each class, in which
  /// they then lie as they would by nature (whitened coordinates; the size is exact for normal data). Bits and codes
  /// take the value of a random pattern of their class with a probability that is fitted to the size. `negative`: the
  /// stored side of negative templates, which avoids the pattern instead.
  [[nodiscard]] Templates plant(const Templates& data, std::span<const std::int32_t> codes, double size,
                                bool negative = false) const;

 private:
  [[nodiscard]] Templates shifted(const Templates& data, std::span<const std::int32_t> codes, double size) const;
  [[nodiscard]] Templates replaced(const Templates& data, std::span<const std::int32_t> codes, double share,
                                   bool negative) const;
  [[nodiscard]] double share_for(double size) const;
  void learn_directions(const Templates& data);
  void learn_patterns(const Templates& data);

  std::size_t classes_;
  std::size_t period_;
  std::uint64_t seed_;
  bool possible_ = true;
  Matrix<float> directions_;       // real features: shift of one deviation, one row per class
  Matrix<std::uint8_t> patterns_;  // bits and codes: one row per class
  std::uint8_t levels_ = 2;
  Templates examples_;  // that the share of replaced elements is fitted on
};

}  // namespace bauta
