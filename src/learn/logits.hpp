// What networks say of classes.
#pragma once

#include <algorithm>
#include <cmath>

#include "bauta/learn/estimator.hpp"
#include "occurring_classes.hpp"

namespace bauta {

/// The softmax of a row's logits, one for each class that occurs; others are impossible.
inline Likelihoods likelihoods_of_logits(MatrixView<const float> logits, const OccurringClasses& classes) {
  constexpr double impossible = -1e300;
  Likelihoods result{Matrix<double>(logits.rows, classes.all(), 0.0),
                     Matrix<double>(logits.rows, classes.all(), impossible)};
  for (std::size_t i = 0; i < logits.rows; ++i) {
    const auto row = logits.row(i);
    const double most = *std::max_element(row.begin(), row.end());
    double sum = 0;
    for (const float logit : row) sum += std::exp(logit - most);
    for (std::size_t k = 0; k < row.size(); ++k) {
      result.probabilities(i, classes.code(k)) = std::exp(row[k] - most) / sum;
      result.logs(i, classes.code(k)) = row[k];
    }
  }
  return result;
}

}  // namespace bauta
