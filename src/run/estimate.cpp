#include "bauta/run/estimate.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bauta/learn/estimator.hpp"
#include "bauta/learn/preparation.hpp"
#include "bauta/measure/classification.hpp"
#include "bauta/protocol/leak_guard.hpp"
#include "bauta/run/attack_target.hpp"
#include "bauta/run/comparing.hpp"
#include "bauta/run/similarity.hpp"

namespace bauta {

namespace {

/// Codes become one feature per level, unless that would be more than this many.
constexpr std::size_t widest_one_hot = 20000;

Matrix<float> features_of(const Templates& templates, std::size_t levels) {
  const bool one_hot = templates.kind() == ElementKind::code8 && levels * templates.cols() <= widest_one_hot;
  return one_hot ? one_hot_features(templates, levels) : to_features(templates);
}

/// Divides by the classes' shares in the training data, so that a rare class is not guessed less for being rare.
void weigh_classes_alike(Matrix<double>& probabilities, const std::vector<std::int32_t>& trained) {
  std::vector<double> share(probabilities.cols(), 0);
  for (const std::int32_t code : trained) share[static_cast<std::size_t>(code)] += 1;
  for (std::size_t i = 0; i < probabilities.rows(); ++i) {
    double sum = 0;
    for (std::size_t c = 0; c < share.size(); ++c) {
      double& value = probabilities(i, c);
      value = share[c] > 0 ? value / share[c] : 0;
      sum += value;
    }
    if (sum > 0) {
      for (double& value : probabilities.row(i)) value /= sum;
    }
  }
}

}  // namespace

Json run_estimate(const Dataset& train, const Dataset& test, const EstimateRun& run) {
  require_comparable(train, test);
  require_attribute(train, test, run.attribute);
  require_disjoint(train, test);
  const std::vector<std::string> classes = train.labels.categorical(run.attribute).classes;
  const AttackTarget learned = attack_target(train, run.attribute, classes);
  const AttackTarget attacked = attack_target(test, run.attribute, classes);
  Json remarks = Json::array();
  if (attacked.unlabelled > 0) {
    remarks.push_back(fmt::format("{} target samples without a class of '{}' that the attacker knows are left out",
                                  attacked.unlabelled, run.attribute));
  }
  const Templates train_templates = train.templates.select(learned.rows);
  const Templates test_templates = test.templates.select(attacked.rows);
  const std::size_t levels = train_templates.kind() == ElementKind::code8 ? code_levels(train_templates) : 0;
  Matrix<float> x = features_of(train_templates, levels);
  Matrix<float> y = features_of(test_templates, levels);
  Preparation preparation(run.preparation);
  preparation.fit(x.view());
  x = preparation.apply(x.view());
  y = preparation.apply(y.view());

  Json results = Json::array();
  Json best;
  for (const auto& specification : run.estimators) {
    const auto estimator = make_estimator(specification);
    estimator->fit(x.view(), learned.truth, classes.size(), {run.seed, train.origin});
    Matrix<double> probabilities = estimator->predict_proba(y.view());
    weigh_classes_alike(probabilities, learned.truth);
    Json row = {{"estimator", specification}};
    row.update(guess_quality(likeliest(probabilities.view()), attacked, classes, run.bootstrap, run.seed));
    row["accuracy"] = row["success"];
    row.erase("success");
    row["auc"] = nullptr;
    if (classes.size() == 2) {
      std::vector<double> scores;
      std::vector<std::uint8_t> positive;
      for (std::size_t i = 0; i < attacked.truth.size(); ++i) {
        scores.push_back(probabilities(i, 1));
        positive.push_back(attacked.truth[i] == 1 ? 1 : 0);
      }
      if (const auto auc = ranking_auc(scores, positive)) row["auc"] = *auc;
    }
    if (best.is_null() || row["balanced"].get<double>() > best["balanced"].get<double>()) best = row;
    results.push_back(std::move(row));
  }
  return {{"attribute", run.attribute},
          {"classes", classes},
          {"chance", classify_result(attacked.truth, attacked.truth, classes.size()).chance},
          {"train", {{"samples", learned.rows.size()}, {"identities", learned.identities}}},
          {"test", {{"samples", attacked.rows.size()}, {"identities", attacked.identities}}},
          {"preparation", run.preparation},
          {"results", std::move(results)},
          {"best", std::move(best)},
          {"remarks", std::move(remarks)}};
}

}  // namespace bauta
