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
  /// A number per row, the same for rows of one person; empty: unknown. Where part of the data is held out while
  /// something is learned, it is by subject then.
  std::span<const std::uint32_t> subjects = {};
};

/// What somebody says of each row: one column per class.
struct Likelihoods {
  Matrix<double> probabilities;
  /// Logarithms of something proportional to a row's probabilities: they differ where probabilities are rounded to 0 or
  /// 1. They compare between rows, too: a row that is like no class has lower ones (densities, similarities, logits as
  /// they are, never less the row's largest). Empty: the probabilities tell all there is.
  Matrix<double> logs = {};

  /// What puts classes in order.
  [[nodiscard]] MatrixView<const double> order() const { return logs.size() > 0 ? logs.view() : probabilities.view(); }
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

  /// The same, with logarithms where they say more.
  [[nodiscard]] virtual Likelihoods likelihoods(MatrixView<const float> x) const { return {predict_proba(x)}; }

  /// What calibration starts from: one column per class, higher for likelier classes. Decision values where there are
  /// some, otherwise probabilities.
  [[nodiscard]] virtual Matrix<double> scores(MatrixView<const float> x) const { return predict_proba(x); }

  /// What each feature contributes, in sum 1, where the estimator knows it (impurity importances of a forest);
  /// otherwise empty.
  [[nodiscard]] virtual std::vector<double> importances() const { return {}; }

  /// The likeliest class of each row; of equally likely ones, that of lowest code.
  [[nodiscard]] std::vector<std::int32_t> predict(MatrixView<const float> x) const;
};

std::vector<std::int32_t> likeliest(MatrixView<const double> probabilities);

const Catalogue<Estimator>& estimators();
/// From a specification such as "random-forest:trees=30".
std::unique_ptr<Estimator> make_estimator(std::string_view specification);

}  // namespace bauta
