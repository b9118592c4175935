// Attributes read by estimators that learned from people whose attribute is known.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "chapter.hpp"

namespace bauta::report {

/// Clear less protected, on the same samples.
struct Paired {
  Measured difference;
  Number p;
};

struct Tuning {
  std::string search;
  Number trials, score;
};

struct LearningPoint {
  Number identities;
  Measured balanced;
};

struct EstimatorResult {
  std::string estimator;
  std::vector<std::pair<std::string, std::string>> parameters;
  Number accuracy, auc;
  Measured balanced;
  std::vector<std::pair<std::string, double>> rates;  ///< COCR, CFCR, CMCR of a two-class gender
  Measured clear, floor;
  std::optional<bool> healthy;
  Controls control;
  std::optional<Paired> paired;
  std::optional<Suppression> suppression;
  std::optional<Tuning> tuned;
  std::vector<LearningPoint> learning_curve;
  std::vector<double> by_rotation;

  /// Does not beat chance on clear data, or finds something where nothing is: no number of it says anything.
  [[nodiscard]] bool unhealthy() const { return healthy == false; }
};

struct RegressionResult {
  std::string estimator;
  Measured mae, clear, floor;
  Number rmse, r2, correlation;
};

/// A continuous attribute guessed as a number.
struct Regression {
  std::string unit;
  Number chance_mae;
  std::vector<RegressionResult> results;
  std::string best;  ///< the estimator with the smallest error
};

struct Estimation {
  Series series;
  std::string attribute;
  Number chance;
  Number train_samples, train_identities, tuning_samples, tuning_identities, test_samples, test_identities;
  std::vector<EstimatorResult> results;
  std::string best;  ///< the estimator that the run chose
  std::optional<Regression> regression;

  [[nodiscard]] bool is_best(const EstimatorResult& result) const {
    return result.estimator == best && !result.unhealthy();
  }
};

using Estimations = std::vector<Estimation>;

Estimation read_estimation(const Cell& cell);

/// Every estimator between its floor and its ceiling, and what protection took from it.
Table estimator_table(const Estimations& all);
/// Continuous attributes, guessed as numbers.
Table regression_table(const Estimations& all);
/// Every estimator on every technique, one figure per attribute.
std::vector<Figure> estimator_figures(const Estimations& all, const SeriesStyle& style);
/// Balanced accuracy against people trained on, one figure per attribute.
std::vector<Figure> learning_figures(const Estimations& all, const SeriesStyle& style);

}  // namespace bauta::report
