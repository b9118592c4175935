// Support vector machines: one for every pair of classes, which vote.
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "bauta/learn/estimator.hpp"
#include "class_weights.hpp"
#include "svm_functions.hpp"
#include "training_data.hpp"

namespace bauta {
namespace {

class Svm : public Estimator {
 public:
  Svm(KernelKind kind, const Parameters& parameters) : parameters_(parameters), choice_(kind, parameters) {}

  void fit(MatrixView<const float> x, std::span<const std::int32_t> codes, std::size_t classes,
           const FitOptions& options) override {
    BAUTA_ASSERT(codes.size() == x.rows);
    require_training_data(x, options.where);
    classes_ = OccurringClasses(codes, classes);
    const std::vector<double> weights = class_weights(parameters_, classes_);
    std::vector<double> c(classes_.count(), parameters_.real("c"));
    for (std::size_t k = 0; k < c.size() && !weights.empty(); ++k) c[k] *= weights[classes_.code(k)];
    const std::vector<std::int32_t> places = classes_.places(codes);
    std::vector<std::vector<std::size_t>> members(classes_.count());
    for (std::size_t i = 0; i < x.rows; ++i) members[static_cast<std::size_t>(places[i])].push_back(i);
    pairs_.clear();
    for (std::size_t a = 0; a < classes_.count(); ++a) {
      for (std::size_t b = a + 1; b < classes_.count(); ++b) pairs_.emplace_back(a, b);
    }
    functions_.fit(x, choice_.kernel(x), choice_.options(), pairs_.size(), [&](std::size_t p) {
      const auto& [first, second] = pairs_[p];
      SvmTask task{members[first], {}};
      task.rows.insert(task.rows.end(), members[second].begin(), members[second].end());
      std::vector<bool> positive(members[first].size(), true);
      positive.resize(task.rows.size(), false);
      task.problem = class_problem(positive, c[first], c[second]);
      return task;
    });
  }

  /// Ordered by votes and then by the summed strength of the votes; they are not calibrated.
  [[nodiscard]] Matrix<double> predict_proba(MatrixView<const float> x) const override {
    return to_probabilities(scores(x));
  }
  [[nodiscard]] Likelihoods likelihoods(MatrixView<const float> x) const override {
    Matrix<double> logs = scores(x);
    Matrix<double> probabilities = to_probabilities(logs);
    if (pairs_.size() == 1) {
      for (double& value : std::span(logs.data(), logs.size())) value /= 2;  // their difference is the decision value
    }
    return {std::move(probabilities), std::move(logs)};
  }

  /// Of two classes the decision value of the second and its negative; of more the votes, between equal ones their
  /// strength.
  [[nodiscard]] Matrix<double> scores(MatrixView<const float> x) const override {
    const Matrix<double> decisions = functions_.values(x);
    Matrix<double> result(x.rows, classes_.all(), 0.0);
    for (std::size_t i = 0; i < x.rows; ++i) {
      if (pairs_.size() == 1) {
        result(i, classes_.code(0)) = decisions(i, 0);
        result(i, classes_.code(1)) = -decisions(i, 0);
        continue;
      }
      std::vector<double> votes(classes_.count(), 0), strength(classes_.count(), 0);
      for (std::size_t p = 0; p < pairs_.size(); ++p) {
        const auto& [first, second] = pairs_[p];
        ++votes[decisions(i, p) > 0 ? first : second];
        strength[first] += decisions(i, p);
        strength[second] -= decisions(i, p);
      }
      for (std::size_t k = 0; k < votes.size(); ++k) {
        // The strength stays within a third, so that it never outweighs a vote.
        result(i, classes_.code(k)) = votes[k] + strength[k] / (3 * (std::abs(strength[k]) + 1));
      }
    }
    return result;
  }

 private:
  [[nodiscard]] Matrix<double> to_probabilities(const Matrix<double>& decisions) const {
    Matrix<double> result(decisions.rows(), decisions.cols());
    for (std::size_t i = 0; i < result.rows(); ++i) {
      const auto row = result.row(i);
      std::ranges::copy(decisions.row(i), row.begin());
      if (pairs_.size() == 1) {
        const double decision = row[classes_.code(1)];
        const double small = std::exp(-std::abs(decision));
        row[classes_.code(1)] = decision > 0 ? 1 / (1 + small) : small / (1 + small);
        row[classes_.code(0)] = 1 - row[classes_.code(1)];
        continue;
      }
      double sum = 0;
      for (const std::size_t code : classes_.codes()) {
        row[code] = std::exp(row[code] - static_cast<double>(classes_.count()));
        sum += row[code];
      }
      for (const std::size_t code : classes_.codes()) row[code] /= sum;
    }
    return result;
  }

  Parameters parameters_;
  KernelChoice choice_;
  OccurringClasses classes_;
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;  // places of the positive and the negative class
  SvmFunctions functions_;
};

Entry<Estimator> entry(KernelKind kind) {
  std::vector<Parameter> parameters = svm_parameters(kind);
  parameters.push_back(weight_parameter());
  return {{.name = svm_name(kind),
           .paper = "Cortes and Vapnik 1995, Support-Vector Networks",
           .doc = "support vector machines for every pair of classes, kernel " + kernel_formula(kind),
           .medium = "template",
           .learns = true,
           .parameters = std::move(parameters)},
          [kind](const Parameters& values) { return std::make_unique<Svm>(kind, values); }};
}

}  // namespace

Entry<Estimator> svm_linear_estimator() {
  return entry(KernelKind::linear);
}
Entry<Estimator> svm_poly_estimator() {
  return entry(KernelKind::poly);
}
Entry<Estimator> svm_rbf_estimator() {
  return entry(KernelKind::rbf);
}
Entry<Estimator> svm_sigmoid_estimator() {
  return entry(KernelKind::sigmoid);
}

}  // namespace bauta
