#include "prepared_split.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/most_frequent.hpp"
#include "bauta/core/random.hpp"
#include "bauta/learn/estimator.hpp"
#include "bauta/learn/preparation.hpp"
#include "bauta/learn/regressor.hpp"
#include "bauta/learn/tuning.hpp"
#include "bauta/measure/classification.hpp"
#include "bauta/measure/regression.hpp"

namespace bauta {

namespace {

/// Codes become one feature per level, unless that would be more than this many.
constexpr std::size_t widest_one_hot = 20000;
/// Where there is no development part, every so-manieth training subject tunes.
constexpr std::uint64_t tuning_share = 4;

Matrix<float> features_of(const Templates& templates, std::size_t levels) {
  const bool one_hot = templates.kind() == ElementKind::code8 && levels * templates.cols() <= widest_one_hot;
  return one_hot ? one_hot_features(templates, levels) : to_features(templates);
}

/// Divides by the classes' shares in the training data, so that a rare class is not guessed less for being rare.
void weigh_classes_alike(Likelihoods& said, const std::vector<std::int32_t>& trained) {
  Matrix<double>& probabilities = said.probabilities;
  std::vector<double> share(probabilities.cols(), 0);
  for (const std::int32_t code : trained) share[static_cast<std::size_t>(code)] += 1;
  for (std::size_t i = 0; i < said.logs.rows(); ++i) {
    for (std::size_t c = 0; c < share.size(); ++c) said.logs(i, c) -= std::log(std::max(share[c], 1.0));
  }
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

bool weighs_classes_itself(const std::string& specification) {
  const auto values = Specification::parse(specification).values;
  const auto weight = values.find("weight");
  return weight != values.end() && weight->second == "balanced";
}

/// Decision values of support vector machines are no probabilities that could be divided by anything: these learn with
/// balanced weights, unless the user says otherwise.
std::string with_balanced_weights(const std::string& estimator) {
  const Specification asked = Specification::parse(estimator);
  const bool decides =
      asked.name.starts_with("svm-") && !asked.values.contains("weight") && !asked.values.contains("calibration");
  return decides ? estimator + (asked.values.empty() ? ":" : ",") + "weight=balanced" : estimator;
}

}  // namespace

Json Outcome::json() const {
  return {{"specification", specification},
          {"tuning_score", tuning_score ? Json(*tuning_score) : Json(nullptr)},
          {"trials", trials},
          {"predicted", predicted},
          {"scores", scores},
          {"values", values},
          {"lost", lost}};
}

Outcome Outcome::of(const Json& json) {
  Outcome outcome{.specification = json["specification"], .trials = json["trials"], .lost = json["lost"]};
  if (json["tuning_score"].is_number()) outcome.tuning_score = json["tuning_score"].get<double>();
  json["predicted"].get_to(outcome.predicted);
  json["scores"].get_to(outcome.scores);
  json["values"].get_to(outcome.values);
  return outcome;
}

PreparedSplit::PreparedSplit(const AttackSplit& split, const std::string& attribute,
                             const std::vector<std::string>& classes, const std::string& preparation,
                             std::uint64_t seed)
    : classes_(classes.size()), seed_(seed), origin_(split.train.origin) {
  std::size_t levels = 0;
  const auto part_of = [&](const Dataset& data, const std::vector<bool>& left_out) {
    Part part{attack_target(data, attribute, classes, left_out), {}};
    const Templates templates = data.templates.select(part.target.met());
    if (levels == 0 && templates.kind() == ElementKind::code8) levels = code_levels(templates);
    part.x = features_of(templates, levels);
    return part;
  };
  Preparation steps(preparation);
  train_ = part_of(split.train, {});
  // Forms in which samples fail may leave what the labels promised.
  const std::set<std::int32_t> learned(train_.target.truth.begin(), train_.target.truth.end());
  if (learned.size() < 2) {
    throw_input(split.train.origin,
                fmt::format("{} samples of {} class(es) of '{}' are left to learn from: whoever knows one class cannot "
                            "tell any",
                            train_.target.truth.size(), learned.size(), attribute));
  }
  steps.fit(train_.x.view());
  test_ = part_of(split.test, split.left_out);
  if (split.dev) dev_ = part_of(*split.dev, {});
  for (Part* part : {&train_, &test_, dev_ ? &*dev_ : nullptr}) {
    if (part != nullptr && !steps.steps().empty()) part->x = steps.apply(part->x.view());
  }
}

Likelihoods PreparedSplit::likelihoods(const std::string& specification, const Part& train, const Part& test) const {
  const auto estimator = make_estimator(specification);
  estimator->fit(train.x.view(), train.target.truth, classes_, {seed_, origin_, train.target.subjects});
  Likelihoods result = estimator->likelihoods(test.x.view());
  if (!weighs_classes_itself(specification)) weigh_classes_alike(result, train.target.truth);
  return result;
}

double PreparedSplit::balanced(const std::string& specification, const Part& train, const Part& test) const {
  const auto predicted = likeliest(likelihoods(specification, train, test).probabilities.view());
  return classify_result(predicted, test.target.truth, classes_).balanced;
}

Outcome PreparedSplit::tuned(const std::string& estimator, const std::string& search, std::size_t trials) const {
  Outcome outcome{.specification = with_balanced_weights(estimator)};
  if (!search.empty()) {
    Part learn, judge;
    if (!dev_) {
      std::vector<std::size_t> first, second;
      for (std::size_t i = 0; i < train_.target.rows.size(); ++i) {
        const bool judges = Stream(seed_, "tuning subjects", train_.target.subjects[i]).below(tuning_share) == 0;
        (judges ? second : first).push_back(i);
      }
      const auto select = [&](const std::vector<std::size_t>& rows) {
        Part part{{}, Matrix<float>(rows.size(), train_.x.cols())};
        for (std::size_t i = 0; i < rows.size(); ++i) {
          std::ranges::copy(train_.x.row(rows[i]), part.x.row(i).begin());
          part.target.truth.push_back(train_.target.truth[rows[i]]);
          part.target.subjects.push_back(train_.target.subjects[rows[i]]);
        }
        return part;
      };
      learn = select(first);
      judge = select(second);
    }
    const Specification fixed = Specification::parse(outcome.specification);
    const Declaration& declaration = find_entry(estimators(), "estimator", fixed.name).declaration;
    const Tuned tuned = tune(
        declaration, fixed, {parse_search(search), trials, seed_},
        [&](const std::string& candidate) { return balanced(candidate, dev_ ? train_ : learn, dev_ ? *dev_ : judge); });
    outcome.specification = tuned.specification;
    outcome.tuning_score = tuned.score;
    outcome.trials = tuned.trials.size();
  }
  return outcome;
}

Outcome PreparedSplit::classify(const std::string& estimator, const std::string& search, std::size_t trials) const {
  Outcome outcome = tuned(estimator, search, trials);
  const Likelihoods said = likelihoods(outcome.specification, train_, test_);
  std::vector<double> scores;
  for (std::size_t i = 0; classes_ == 2 && i < said.probabilities.rows(); ++i) {
    scores.push_back(said.logs.size() > 0 ? said.logs(i, 1) - said.logs(i, 0) : said.probabilities(i, 1));
  }
  const AttackTarget& judged = test_.target;
  outcome.lost = judged.lost;
  outcome.predicted = judged.of_all(likeliest(said.probabilities.view()), most_frequent(train_.target.truth));
  if (classes_ == 2) outcome.scores = judged.of_all(scores, scores.empty() ? 0 : median(scores));
  return outcome;
}

Outcome PreparedSplit::regress(const std::string& estimator, const std::vector<double>& values) const {
  std::vector<double> learned;
  for (const std::size_t row : train_.target.rows) learned.push_back(values[row]);
  const auto regressor = make_regressor(estimator);
  regressor->fit(train_.x.view(), learned, {seed_, origin_, train_.target.subjects});
  Outcome outcome{.specification = estimator};
  outcome.values = test_.target.of_all(regressor->predict(test_.x.view()), median(learned));
  return outcome;
}

}  // namespace bauta
