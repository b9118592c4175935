#include "calibration.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "bauta/core/isotonic_fit.hpp"
#include "bauta/core/random.hpp"
#include "occurring_classes.hpp"

namespace bauta {
namespace {

constexpr std::size_t fold_count = 5;

/// P = 1 / (1 + exp(a score + b)) by the likelihood of softened targets (Platt 1999), by Newton's method with
/// halved steps (Lin, Lin and Weng 2007).
class Sigmoid {
 public:
  Sigmoid(const std::vector<double>& scores, const std::vector<bool>& positive) {
    const auto ones = static_cast<double>(std::count(positive.begin(), positive.end(), true));
    const double zeros = static_cast<double>(scores.size()) - ones;
    const double high = (ones + 1) / (ones + 2);
    const double low = 1 / (zeros + 2);
    b_ = std::log((zeros + 1) / (ones + 1));
    const auto loss = [&](double a, double b) {
      double sum = 0;
      for (std::size_t i = 0; i < scores.size(); ++i) {
        const double z = a * scores[i] + b;
        sum += (positive[i] ? high : low) * z + std::max(-z, 0.0) + std::log1p(std::exp(-std::abs(z)));
      }
      return sum;
    };
    double value = loss(a_, b_);
    for (int iteration = 0; iteration < 100; ++iteration) {
      double aa = 1e-12, ab = 0, bb = 1e-12, ga = 0, gb = 0;
      for (std::size_t i = 0; i < scores.size(); ++i) {
        const double p = (*this)(scores[i]);
        const double d = (positive[i] ? high : low) - p;
        ga += d * scores[i];
        gb += d;
        aa += scores[i] * scores[i] * p * (1 - p);
        ab += scores[i] * p * (1 - p);
        bb += p * (1 - p);
      }
      if (std::max(std::abs(ga), std::abs(gb)) < 1e-9) return;
      const double determinant = aa * bb - ab * ab;
      const double da = -(bb * ga - ab * gb) / determinant;
      const double db = -(aa * gb - ab * ga) / determinant;
      const double slope = ga * da + gb * db;
      double step = 1;
      double next = loss(a_ + da, b_ + db);
      while (next > value + 1e-4 * step * slope && step > 1e-10) {
        step /= 2;
        next = loss(a_ + step * da, b_ + step * db);
      }
      if (!(next < value)) return;  // rounding allows no further descent
      a_ += step * da;
      b_ += step * db;
      value = next;
    }
  }

  [[nodiscard]] double operator()(double score) const {
    const double z = a_ * score + b_;
    const double small = std::exp(-std::abs(z));
    return z >= 0 ? small / (1 + small) : 1 / (1 + small);
  }

 private:
  double a_ = 0;
  double b_ = 0;
};

/// The best rising step function on the scores, straight between them, constant outside.
class Isotonic {
 public:
  Isotonic(const std::vector<double>& scores, const std::vector<bool>& positive) {
    std::map<double, std::pair<std::uint64_t, std::uint64_t>> counts;  // of the class and of others at each score
    for (std::size_t i = 0; i < scores.size(); ++i) {
      auto& count = counts[scores[i]];
      ++(positive[i] ? count.first : count.second);
    }
    IsotonicFit<std::uint64_t> fit;
    for (const auto& [score, count] : counts) fit.add(count.first, count.second);
    auto next = counts.begin();
    for (const auto& block : fit.blocks()) {
      const std::uint64_t size = block.mated + block.non_mated;
      for (std::uint64_t seen = 0; seen < size; ++next) {
        scores_.push_back(next->first);
        shares_.push_back(static_cast<double>(block.mated) / static_cast<double>(size));
        seen += next->second.first + next->second.second;
      }
    }
  }

  [[nodiscard]] double operator()(double score) const {
    const auto above = std::upper_bound(scores_.begin(), scores_.end(), score);
    if (above == scores_.begin()) return shares_.front();
    if (above == scores_.end()) return shares_.back();
    const auto i = static_cast<std::size_t>(above - scores_.begin());
    const double way = (score - scores_[i - 1]) / (scores_[i] - scores_[i - 1]);
    return shares_[i - 1] + way * (shares_[i] - shares_[i - 1]);
  }

 private:
  std::vector<double> scores_;
  std::vector<double> shares_;
};

class Calibrated : public Estimator {
 public:
  using Make = std::function<std::unique_ptr<Estimator>()>;

  Calibrated(Make make, bool isotonic) : make_(std::move(make)), isotonic_(isotonic), whole_(make_()) {}

  void fit(MatrixView<const float> x, std::span<const std::int32_t> codes, std::size_t classes,
           const FitOptions& options) override {
    classes_ = OccurringClasses(codes, classes);
    whole_->fit(x, codes, classes, options);
    calibrators_.clear();
    if (classes_.count() < 2) return;
    const Matrix<double> scores = unseen_scores(x, codes, classes, options);
    for (std::size_t k = first_calibrated(); k < classes_.count(); ++k) {
      std::vector<double> own(x.rows);
      std::vector<bool> positive(x.rows);
      for (std::size_t i = 0; i < x.rows; ++i) {
        own[i] = scores(i, classes_.code(k));
        positive[i] = static_cast<std::size_t>(codes[i]) == classes_.code(k);
      }
      if (isotonic_) {
        calibrators_.emplace_back(Isotonic(own, positive));
      } else {
        calibrators_.emplace_back(Sigmoid(own, positive));
      }
    }
  }

  [[nodiscard]] Matrix<double> predict_proba(MatrixView<const float> x) const override {
    if (calibrators_.empty()) return whole_->predict_proba(x);
    Matrix<double> result = whole_->scores(x);
    for (std::size_t i = 0; i < x.rows; ++i) {
      double sum = 0;
      for (std::size_t k = first_calibrated(); k < classes_.count(); ++k) {
        double& value = result(i, classes_.code(k));
        value = calibrators_[k - first_calibrated()](value);
        sum += value;
      }
      if (classes_.count() == 2) {
        result(i, classes_.code(0)) = 1 - sum;
        continue;
      }
      for (const std::size_t code : classes_.codes()) {
        result(i, code) = sum > 0 ? result(i, code) / sum : 1 / static_cast<double>(classes_.count());
      }
    }
    return result;
  }

  [[nodiscard]] std::vector<double> importances() const override { return whole_->importances(); }

 private:
  /// Of two classes only the second is, the first is the rest.
  [[nodiscard]] std::size_t first_calibrated() const { return classes_.count() == 2 ? 1 : 0; }

  /// Scores of each fold from what was learned on the others.
  [[nodiscard]] Matrix<double> unseen_scores(MatrixView<const float> x, std::span<const std::int32_t> codes,
                                             std::size_t classes, const FitOptions& options) const {
    const std::vector<std::size_t> fold_of = calibration_folds(codes, classes, fold_count, options);
    Matrix<double> scores(x.rows, classes);
    for (std::size_t fold = 0; fold < fold_count; ++fold) {
      std::vector<std::size_t> learned, held;
      for (std::size_t i = 0; i < x.rows; ++i) (fold_of[i] == fold ? held : learned).push_back(i);
      const auto rows_of = [&](const std::vector<std::size_t>& rows) {
        Matrix<float> part(rows.size(), x.cols);
        for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(x.row(rows[i]), part.row(i).begin());
        return part;
      };
      std::vector<std::int32_t> own_codes;
      std::vector<std::uint32_t> own_subjects;
      for (const std::size_t i : learned) {
        own_codes.push_back(codes[i]);
        if (!options.subjects.empty()) own_subjects.push_back(options.subjects[i]);
      }
      FitOptions own = options;
      own.subjects = own_subjects;
      const auto estimator = make_();
      estimator->fit(rows_of(learned).view(), own_codes, classes, own);
      const Matrix<double> unseen = estimator->scores(rows_of(held).view());
      for (std::size_t i = 0; i < held.size(); ++i) std::ranges::copy(unseen.row(i), scores.row(held[i]).begin());
    }
    return scores;
  }

  Make make_;
  bool isotonic_;
  std::unique_ptr<Estimator> whole_;
  OccurringClasses classes_;
  std::vector<std::function<double(double)>> calibrators_;
};

/// Rows of each subject, those with most rows first, equal ones in an order that the seed tells.
std::vector<std::vector<std::size_t>> rows_of_subjects(const FitOptions& options) {
  std::map<std::uint32_t, std::vector<std::size_t>> rows;
  for (std::size_t i = 0; i < options.subjects.size(); ++i) rows[options.subjects[i]].push_back(i);
  std::vector<std::vector<std::size_t>> subjects;
  for (auto& [subject, own] : rows) subjects.push_back(std::move(own));
  Stream(options.seed, "calibration.folds").shuffle(std::span(subjects));
  std::stable_sort(subjects.begin(), subjects.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return subjects;
}

}  // namespace

std::vector<std::size_t> calibration_folds(std::span<const std::int32_t> codes, std::size_t classes, std::size_t folds,
                                           const FitOptions& options) {
  const OccurringClasses occurring(codes, classes);
  const auto refuse = [&](const std::string& finding) {
    throw_input(options.where, finding, "leave out calibration=..., or leave out the rare classes");
  };
  for (const std::size_t code : occurring.codes()) {
    if (occurring.counts()[code] < folds) {
      refuse(
          fmt::format("{} samples of a class, calibration needs at least {} of each", occurring.counts()[code], folds));
    }
  }
  std::vector<std::size_t> fold_of(codes.size());
  Matrix<std::size_t> counts(folds, classes, 0);
  if (options.subjects.empty()) {
    // Classes in the order of their first samples stand one after the other, and every fifth place is the same fold's.
    std::vector<std::size_t> order;
    std::vector<bool> known(classes, false);
    for (const std::int32_t code : codes) {
      if (!known[static_cast<std::size_t>(code)]) order.push_back(static_cast<std::size_t>(code));
      known[static_cast<std::size_t>(code)] = true;
    }
    std::size_t place = 0;
    for (const std::size_t code : order) {
      for (std::size_t i = 0; i < occurring.counts()[code]; ++i) ++counts((place++) % folds, code);
    }
    std::vector<std::size_t> fold(classes, 0), filled(classes, 0);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const auto code = static_cast<std::size_t>(codes[i]);
      while (filled[code] == counts(fold[code], code)) {
        ++fold[code];
        filled[code] = 0;
      }
      fold_of[i] = fold[code];
      ++filled[code];
    }
    return fold_of;
  }
  BAUTA_ASSERT(options.subjects.size() == codes.size());
  std::vector<std::size_t> sizes(folds, 0);
  for (const auto& rows : rows_of_subjects(options)) {
    std::vector<std::size_t> own(classes, 0);
    for (const std::size_t i : rows) ++own[static_cast<std::size_t>(codes[i])];
    const auto main = static_cast<std::size_t>(std::max_element(own.begin(), own.end()) - own.begin());
    std::size_t best = 0;
    for (std::size_t fold = 1; fold < folds; ++fold) {
      if (std::pair(counts(fold, main), sizes[fold]) < std::pair(counts(best, main), sizes[best])) best = fold;
    }
    for (std::size_t c = 0; c < classes; ++c) counts(best, c) += own[c];
    sizes[best] += rows.size();
    for (const std::size_t i : rows) fold_of[i] = best;
  }
  for (std::size_t fold = 0; fold < folds; ++fold) {
    if (sizes[fold] == 0) refuse(fmt::format("fewer subjects than the {} folds of calibration", folds));
    for (const std::size_t code : occurring.codes()) {
      if (counts(fold, code) == occurring.counts()[code]) {
        refuse("a class that too few subjects have: without one fold of them nothing of it is left to learn");
      }
    }
  }
  return fold_of;
}

Entry<Estimator> with_calibration(Entry<Estimator> entry) {
  entry.declaration.parameters.push_back(
      {.name = "calibration",
       .type = ParameterType::choice,
       .default_value = "none",
       .doc = "map scores to probabilities on five held-out parts, by subject where subjects are known",
       .choices = {"none", "sigmoid", "isotonic"}});
  entry.make = [make = std::move(entry.make)](const Parameters& parameters) -> std::unique_ptr<Estimator> {
    const std::string& method = parameters.text("calibration");
    if (method == "none") return make(parameters);
    return std::make_unique<Calibrated>([make, parameters] { return make(parameters); }, method == "isotonic");
  };
  return entry;
}

}  // namespace bauta
