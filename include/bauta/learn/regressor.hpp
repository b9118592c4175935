// A regressor learns a number (an age) from features.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "bauta/core/declaration.hpp"
#include "bauta/core/matrix.hpp"
#include "bauta/learn/estimator.hpp"

namespace bauta {

class Regressor {
 public:
  virtual ~Regressor() = default;

  /// One value per row. The result depends on data and seed alone, not on threads. Rows and values must be finite: an
  /// input error names the first that is not.
  virtual void fit(MatrixView<const float> x, std::span<const double> values, const FitOptions& options) = 0;
  /// The width of `x` is that of the training data.
  [[nodiscard]] virtual std::vector<double> predict(MatrixView<const float> x) const = 0;
};

/// Those of the same name as an estimator take the same parameters, as far as they make sense.
const Catalogue<Regressor>& regressors();
/// From a specification such as "knn:k=9".
std::unique_ptr<Regressor> make_regressor(std::string_view specification);

}  // namespace bauta
