// One split as estimators see it: features, prepared on the training part alone, and classes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "attack_target.hpp"
#include "bauta/core/json.hpp"
#include "bauta/core/matrix.hpp"
#include "bauta/learn/estimator.hpp"
#include "bauta/question/attack_data.hpp"

namespace bauta {

/// What an estimator said of samples.
struct Outcome {
  std::string specification;  ///< tuned parameters included
  std::optional<double> tuning_score = std::nullopt;
  std::size_t trials = 0;
  std::vector<std::int32_t> predicted = {};
  std::vector<double> scores = {};  ///< of the second of two classes; empty if there are more
  std::vector<double> values = {};  ///< of a regressor
  std::size_t lost = 0;             ///< samples of which nothing was left to read

  [[nodiscard]] Json json() const;
  static Outcome of(const Json& json);
};

class PreparedSplit {
 public:
  /// `classes`: what the attacker tells apart; the attribute's columns hold no others, or they are left out.
  PreparedSplit(const AttackSplit& split, const std::string& attribute, const std::vector<std::string>& classes,
                const std::string& preparation, std::uint64_t seed);

  [[nodiscard]] const AttackTarget& train() const { return train_.target; }
  [[nodiscard]] const AttackTarget& test() const { return test_.target; }

  /// Of the test samples. Of those that are lost the class is named that is most frequent in training. Guesses weigh
  /// every class alike, whatever its share in the training data. With a search, parameters are tuned on the development
  /// part, or on a quarter of the training subjects where there is none.
  [[nodiscard]] Outcome classify(const std::string& estimator, const std::string& search, std::size_t trials) const;
  /// `values`: one per row of the training data set. Their median is said of samples that are lost.
  [[nodiscard]] Outcome regress(const std::string& estimator, const std::vector<double>& values) const;

 private:
  struct Part {
    AttackTarget target;
    Matrix<float> x;  ///< of the samples that are not lost
  };
  [[nodiscard]] Likelihoods likelihoods(const std::string& specification, const Part& train, const Part& test) const;
  [[nodiscard]] double balanced(const std::string& specification, const Part& train, const Part& test) const;
  /// Parameters as they are, or tuned.
  [[nodiscard]] Outcome tuned(const std::string& estimator, const std::string& search, std::size_t trials) const;

  std::size_t classes_;
  std::uint64_t seed_;
  std::string origin_;
  Part train_, test_;
  std::optional<Part> dev_;
};

}  // namespace bauta
