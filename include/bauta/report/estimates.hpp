// What surrounds the success of an attack: its ceiling on clear data, its floor without anything to find, its controls,
// and what the protection changed. Everything may be missing.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bauta/report/values.hpp"

namespace bauta::report {

/// A rate or an error with its 95 % interval.
struct Measured {
  Number value;
  std::optional<Interval> ci;
};

/// A leak of known size that was planted, and whether the attack saw it.
struct Planted {
  Number size;  ///< balanced accuracy of an attacker who knows what was planted; absent for the null control
  Measured balanced;
  bool found = false;
};

struct Controls {
  std::optional<Planted> null;
  std::vector<Planted> planted;
  Number smallest;  ///< the smallest planted leak that was found

  [[nodiscard]] bool empty() const { return !null && planted.empty(); }
};

struct Paired {
  Number difference, p;  ///< clear less protected, on the same samples
  std::optional<Interval> ci;
};

struct Suppression {
  Number value, reachable;  ///< the largest possible one: all the way down to chance
  std::optional<Interval> ci;
};

struct Tuning {
  std::string search;
  Number trials, score;
};

struct LearningPoint {
  Number identities, samples;
  Measured balanced;
};

/// The part of an attack's result that only estimators have.
struct Evidence {
  std::vector<std::pair<std::string, std::string>> parameters;
  Number auc;
  std::vector<std::pair<std::string, double>> rates;  ///< COCR, CFCR, CMCR of a two-class gender
  std::optional<Measured> clear, floor;
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
  Measured mae;
  Number rmse, r2, correlation;
  std::optional<Measured> clear, floor;
};

/// A continuous attribute guessed as a number.
struct Regression {
  std::string unit;
  Number chance_mae;
  std::vector<RegressionResult> results;
  std::string best;  ///< name of the estimator with the smallest error
};

/// PIC from areas under curves.
struct PicAuc {
  Number suppression, identity_loss, pic, printed;
  std::string form;
};

/// How the folds of the data were used, and what is in them.
struct Protocol {
  struct Fold {
    Number fold, identities, samples;
    std::vector<std::pair<std::string, double>> classes;
  };
  std::string kind, text, attribute;
  Number folds, train, dev, test, rotations;
  std::vector<Fold> balance;
};

Controls read_controls(const Json& values);
Evidence read_evidence(const Json& values);
std::optional<Suppression> read_suppression(const Json& values);
std::optional<Regression> read_regression(const Json& values);
std::optional<PicAuc> read_pic_auc(const Json& values);
/// Nothing for "cross-database" and for runs from before there were protocols.
std::optional<Protocol> read_protocol(const Json& values);

}  // namespace bauta::report
