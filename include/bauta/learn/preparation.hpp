// Steps that bring features to a common scale before something is learned. What a step needs to know it learns from the
// training data alone.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/core/matrix.hpp"
#include "bauta/core/templates.hpp"

namespace bauta {

enum class PreparationStep {
  unit,    ///< every row to length 1; a zero row stays zero
  zscore,  ///< every feature to mean 0 and population standard deviation 1; a constant feature becomes 0
  minmax,  ///< every feature to [0, 1] on the training data, not clipped elsewhere; a constant feature becomes 0
};

std::string_view to_text(PreparationStep step);

class Preparation {
 public:
  Preparation() = default;
  /// "unit,zscore", or "unit+zscore" where a comma ends the parameter: steps in the order in which they are done.
  /// "none" or an empty text: no step.
  explicit Preparation(std::string_view text);

  /// Every step learns from what the steps before it make of the training data.
  void fit(MatrixView<const float> x);
  [[nodiscard]] Matrix<float> apply(MatrixView<const float> x) const;
  [[nodiscard]] const std::vector<PreparationStep>& steps() const { return steps_; }

  /// A feature x becomes (x - offset) * factor; empty for `unit`.
  struct Scale {
    std::vector<double> offset;
    std::vector<double> factor;
  };
  /// What a step learned.
  [[nodiscard]] const Scale& scale(std::size_t step) const { return scales_[step]; }

 private:
  void apply(std::size_t step, MatrixView<float> x) const;

  std::vector<PreparationStep> steps_;
  std::vector<Scale> scales_;  // one per step
};

/// Any templates as features: floats as they are, bits as 0 and 1, codes as plain numbers.
Matrix<float> to_features(const Templates& templates);
/// Codes as `levels` features each, one of them 1: codes whose order means nothing. A code of `levels` or more (never
/// seen when `levels` was chosen) has none.
Matrix<float> one_hot_features(const Templates& codes, std::size_t levels);
/// Highest code and one.
std::size_t code_levels(const Templates& codes);

}  // namespace bauta
