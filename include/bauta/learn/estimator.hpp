// An estimator learns classes from features and tells, for unseen rows, how likely each class is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/core/declaration.hpp"
#include "bauta/core/matrix.hpp"

namespace bauta {

struct FitOptions {
  std::uint64_t seed = 1;
  std::string where = "training data";  ///< what errors name
};

class Estimator {
 public:
  virtual ~Estimator() = default;

  /// `codes` in [0, classes), one per row; a class may be absent, and is then never predicted. The result depends on
  /// data and seed alone, not on threads. Rows must be finite: an input error names the first that is not.
  virtual void fit(MatrixView<const float> x, std::span<const std::int32_t> codes, std::size_t classes,
                   const FitOptions& options) = 0;

  /// One row of class probabilities (or shares of votes) per row of `x`; the width is that of the training data.
  [[nodiscard]] virtual Matrix<double> predict_proba(MatrixView<const float> x) const = 0;

  /// The likeliest class of each row; of equally likely ones, that of lowest code.
  [[nodiscard]] std::vector<std::int32_t> predict(MatrixView<const float> x) const;
};

std::vector<std::int32_t> likeliest(MatrixView<const double> probabilities);

const Catalogue<Estimator>& estimators();
/// From a specification such as "random-forest:trees=30".
std::unique_ptr<Estimator> make_estimator(std::string_view specification);

}  // namespace bauta
