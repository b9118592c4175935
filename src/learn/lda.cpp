// Linear discriminant analysis: classes as Gaussians of one covariance. The strongest reader of averages, which are
// nearly that.
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "bauta/learn/estimator.hpp"
#include "bauta/learn/whitening.hpp"
#include "occurring_classes.hpp"
#include "training_data.hpp"

namespace bauta {
namespace {

Matrix<double> in_double(MatrixView<const float> x) {
  Matrix<double> wide(x.rows, x.cols);
  for (std::size_t i = 0; i < x.rows; ++i) std::ranges::copy(x.row(i), wide.row(i).begin());
  return wide;
}

class Lda : public Estimator {
 public:
  explicit Lda(const Parameters& parameters) {
    if (const double asked = parameters.real("shrinkage"); asked >= 0) shrinkage_ = asked;
  }

  void fit(MatrixView<const float> x, std::span<const std::int32_t> codes, std::size_t classes,
           const FitOptions& options) override {
    require_training_data(x, options.where);
    occurring_ = OccurringClasses(codes, classes);
    const std::vector<std::int32_t> place = occurring_.places(codes);
    Matrix<double> means(occurring_.count(), x.cols, 0.0);
    for (std::size_t i = 0; i < x.rows; ++i) {
      auto mean = means.row(static_cast<std::size_t>(place[i]));
      for (std::size_t j = 0; j < x.cols; ++j) mean[j] += x(i, j);
    }
    log_share_.clear();
    for (std::size_t c = 0; c < occurring_.count(); ++c) {
      const auto count = static_cast<double>(occurring_.counts()[occurring_.code(c)]);
      for (double& value : means.row(c)) value /= count;
      log_share_.push_back(std::log(count / static_cast<double>(x.rows)));
    }
    // With one row of each class nothing is known about variation within one: that between them has to do.
    const bool alone = occurring_.count() == x.rows;
    std::vector<double> middle(x.cols, 0);
    for (std::size_t i = 0; alone && i < x.rows; ++i) {
      for (std::size_t j = 0; j < x.cols; ++j) middle[j] += x(i, j) / static_cast<double>(x.rows);
    }
    Matrix<float> deviations(x.rows, x.cols);
    for (std::size_t i = 0; i < x.rows; ++i) {
      const std::span<const double> mean =
          alone ? std::span<const double>(middle) : means.row(static_cast<std::size_t>(place[i]));
      for (std::size_t j = 0; j < x.cols; ++j) deviations(i, j) = static_cast<float>(x(i, j) - mean[j]);
    }
    whitening_.emplace(deviations.view(), std::vector<double>(x.rows, 1.0), shrinkage_);
    means_ = whitening_->apply(means.view());
  }

  [[nodiscard]] Matrix<double> predict_proba(MatrixView<const float> x) const override {
    return likelihoods(x).probabilities;
  }

  [[nodiscard]] Likelihoods likelihoods(MatrixView<const float> x) const override {
    const Matrix<float> rows = whitening_->apply(in_double(x).view());
    constexpr double impossible = -1e300;
    Likelihoods result{Matrix<double>(x.rows, occurring_.all(), 0.0),
                       Matrix<double>(x.rows, occurring_.all(), impossible)};
    std::vector<double> logs(occurring_.count());
    for (std::size_t i = 0; i < x.rows; ++i) {
      for (std::size_t c = 0; c < logs.size(); ++c) {
        double square = 0;
        for (std::size_t j = 0; j < x.cols; ++j) {
          const double d = double{rows(i, j)} - double{means_(c, j)};
          square += d * d;
        }
        logs[c] = log_share_[c] - square / 2;
      }
      for (std::size_t c = 0; c < logs.size(); ++c) result.logs(i, occurring_.code(c)) = logs[c];
      const double most = *std::max_element(logs.begin(), logs.end());
      double sum = 0;
      for (double& value : logs) sum += value = std::exp(value - most);
      for (std::size_t c = 0; c < logs.size(); ++c) result.probabilities(i, occurring_.code(c)) = logs[c] / sum;
    }
    return result;
  }

 private:
  std::optional<double> shrinkage_;
  OccurringClasses occurring_;
  std::optional<Whitening> whitening_;
  Matrix<float> means_;  // of the occurring classes, whitened
  std::vector<double> log_share_;
};

}  // namespace

Entry<Estimator> lda_estimator() {
  return {{.name = "lda",
           .paper = "Fisher 1936, The Use of Multiple Measurements in Taxonomic Problems; Ledoit and Wolf 2004",
           .doc = "linear discriminant analysis with shrunk covariance",
           .medium = "template",
           .learns = true,
           .parameters = {{"shrinkage",
                           ParameterType::real,
                           "-1",
                           "share of the identity in the correlation, 0 to 1; -1: as Ledoit and Wolf estimate",
                           -1,
                           1,
                           {},
                           {"0.001", "0.01", "0.1", "0.3", "1"}}}},
          [](const Parameters& parameters) { return std::make_unique<Lda>(parameters); }};
}

}  // namespace bauta
