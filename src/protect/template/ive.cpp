// IVE, incremental variable elimination (Terhorst et al. 2019): features that a forest finds most important for the
// attribute are removed a few at a time, with a new forest after each removal. Several attributes by the three rules of
// Multi-IVE (Melzi et al. 2023), also on principal components.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "bauta/core/progress.hpp"
#include "bauta/learn/pca.hpp"
#include "bauta/learn/preparation.hpp"
#include "bauta/protect/protection.hpp"
#include "importances.hpp"

namespace bauta {
namespace {

/// One class for every combination of classes that occurs.
AttributeTarget joint_target(const std::vector<AttributeTarget>& targets, std::size_t samples) {
  std::vector<std::string> key(samples);
  std::vector<std::size_t> known(samples, 0);
  for (const AttributeTarget& target : targets) {
    if (target.classes == 0) {
      throw_usage("ive:rule=joint",
                  fmt::format("'{}' is continuous, and a joint label is made of classes", target.name),
                  "choose rule=sequential or rule=sum");
    }
    for (std::size_t k = 0; k < target.rows.size(); ++k) {
      key[target.rows[k]] += fmt::format("{}/", target.codes[k]);
      ++known[target.rows[k]];
    }
  }
  std::vector<std::string> classes;
  for (std::size_t i = 0; i < samples; ++i) {
    if (known[i] == targets.size()) classes.push_back(key[i]);
  }
  std::sort(classes.begin(), classes.end());
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  AttributeTarget joint{.name = "joint", .classes = classes.size()};
  for (std::size_t i = 0; i < samples; ++i) {
    if (known[i] != targets.size()) continue;
    joint.rows.push_back(i);
    joint.codes.push_back(
        static_cast<std::int32_t>(std::lower_bound(classes.begin(), classes.end(), key[i]) - classes.begin()));
  }
  return joint;
}

class Ive : public Protection {
 public:
  explicit Ive(const Parameters& parameters)
      : trees_(static_cast<std::size_t>(parameters.integer("trees"))),
        eliminate_(static_cast<std::size_t>(parameters.integer("eliminate"))),
        steps_(static_cast<std::size_t>(parameters.integer("steps"))),
        rule_(parameters.text("rule")),
        on_components_(parameters.text("domain") == "pca"),
        keep_(static_cast<std::size_t>(parameters.integer("keep"))) {
    if (keep_ > 0 && !on_components_) throw_usage("ive:keep", "keeps principal components, and needs domain=pca");
  }

  void fit(const Dataset& train, const std::vector<std::string>& attributes, const ProtectContext& context) override {
    if (attributes.empty()) {
      throw_usage("ive", "does not know what to hide", "name one or more attributes with --attribute");
    }
    require_floats(train.templates, "ive", train.origin);
    width_ = train.templates.cols();
    const std::size_t eliminated = steps_ * eliminate_;
    if (eliminated + keep_ >= width_) {
      throw_usage("ive",
                  fmt::format("{} steps that eliminate {} each are {}{}, and the templates of {} have {} features",
                              steps_, eliminate_, eliminated, keep_ > 0 ? fmt::format(" beside {} kept", keep_) : "",
                              train.origin, width_),
                  "at least one feature must be left: choose fewer steps");
    }
    if (rule_ == "sequential" && eliminate_ < attributes.size()) {
      throw_usage("ive:eliminate",
                  fmt::format("{} per step cannot be divided among {} attributes", eliminate_, attributes.size()));
    }
    const std::vector<bool> usable = usable_samples(train);
    std::vector<AttributeTarget> targets;
    targets.reserve(attributes.size());
    for (const auto& attribute : attributes) targets.push_back(target_of(train, attribute, usable, "ive"));
    if (rule_ == "joint") targets = {joint_target(targets, train.size())};
    eliminate_all(features_of(train, usable), targets, context);
  }

  [[nodiscard]] FittedState state() const override {
    FittedState state;
    Matrix<float> order(1, order_.size());
    for (std::size_t k = 0; k < order_.size(); ++k) order(0, k) = static_cast<float>(order_[k]);
    state.emplace("eliminated", std::move(order));
    state.emplace("features", Matrix<float>(1, 1, static_cast<float>(width_)));
    if (on_components_) {
      state.emplace("components", copy(components_));
      state.emplace("mean", copy(mean_));
      state.emplace("deviation", copy(deviation_));
    }
    return state;
  }

  void restore(const FittedState& state, const std::string& where) override {
    const auto array = [&](const char* name, std::size_t rows, std::size_t cols) -> const Matrix<float>& {
      const auto found = state.find(name);
      if (found == state.end() || found->second.rows() != rows || found->second.cols() != cols) {
        throw_input(where, fmt::format("'{}' is absent or not {} x {}", name, rows, cols));
      }
      return found->second;
    };
    const float width = array("features", 1, 1)(0, 0);
    const Matrix<float>& order = array("eliminated", 1, steps_ * eliminate_);
    std::vector<bool> gone;
    if (width >= 1 && width <= 1 << 24) gone.resize(static_cast<std::size_t>(width));
    order_.clear();
    for (const float value : order.row(0)) {
      const bool whole = value >= 0 && value < static_cast<float>(gone.size()) && value == std::floor(value);
      if (!whole || gone[static_cast<std::size_t>(value)]) {
        throw_input(where, fmt::format("'eliminated' holds {}: not a list of {} different features of {}", value,
                                       order.cols(), width));
      }
      gone[static_cast<std::size_t>(value)] = true;
      order_.push_back(static_cast<std::size_t>(value));
    }
    width_ = gone.size();
    if (on_components_) {
      components_ = copy(array("components", order_.size(), width_));
      mean_ = copy(array("mean", 1, width_));
      deviation_ = copy(array("deviation", 1, width_));
    }
    find_survivors();
  }

  void check(const Templates& input, const std::string& where, const ProtectContext&) const override {
    require_floats(input, "ive", where);
    if (input.cols() != width_) {
      throw_input(where, fmt::format("templates have {} features, ive was fitted on {}", input.cols(), width_));
    }
  }

  [[nodiscard]] Templates protect(const Templates& block, std::size_t, const ProtectContext&) const override {
    const MatrixView<const float> source = block.floats();
    return Templates(on_components_ ? without_components(source) : survivors_of(source));
  }

 private:
  static Matrix<float> copy(const Matrix<float>& source) {
    Matrix<float> result(source.rows(), source.cols());
    std::copy_n(source.data(), source.size(), result.data());
    return result;
  }

  /// The training data as the forests see it, z-scored; rows that are not usable hold zeros.
  Matrix<float> features_of(const Dataset& train, const std::vector<bool>& usable) {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < usable.size(); ++i) {
      if (usable[i]) rows.push_back(i);
    }
    const Templates known = train.templates.select(rows);
    Preparation zscore("zscore");
    zscore.fit(known.floats());
    Matrix<float> scaled = zscore.apply(known.floats());
    if (on_components_) {
      const Pca pca = Pca::fit(scaled.view());
      scaled = pca.transform(scaled.view());
      remember_scale(zscore.scale(0));
      components_ = Matrix<float>(width_, width_);
      std::copy_n(pca.components.data(), components_.size(), components_.data());
    }
    Matrix<float> result(train.size(), width_, 0.0F);
    for (std::size_t k = 0; k < rows.size(); ++k) std::ranges::copy(scaled.row(k), result.row(rows[k]).begin());
    return result;
  }

  /// As it is saved, so that a fitted and a loaded one give the same bits.
  void remember_scale(const Preparation::Scale& scale) {
    mean_ = Matrix<float>(1, width_);
    deviation_ = Matrix<float>(1, width_);
    for (std::size_t j = 0; j < width_; ++j) {
      mean_(0, j) = static_cast<float>(scale.offset[j]);
      deviation_(0, j) = scale.factor[j] > 0 ? static_cast<float>(1 / scale.factor[j]) : 0;
    }
  }

  void eliminate_all(const Matrix<float>& features, const std::vector<AttributeTarget>& targets,
                     const ProtectContext& context) {
    order_.clear();
    find_survivors();
    Progress progress("fit ive", steps_, "steps");
    std::uint64_t forests = 0;
    for (std::size_t step = 0; step < steps_; ++step) {
      std::vector<double> sum(width_, 0);
      for (std::size_t a = 0; a < targets.size(); ++a) {
        Stream stream = context.randomness.stream("ive", forests++);
        const std::vector<double> importances = importances_of(features, targets[a], stream.next64());
        for (std::size_t k = 0; k < survivors_.size(); ++k) sum[survivors_[k]] += importances[k];
        if (rule_ == "sequential") {
          remove_most_important(sum, eliminate_ / targets.size() + (a < eliminate_ % targets.size() ? 1 : 0));
          std::fill(sum.begin(), sum.end(), 0.0);
        }
      }
      if (rule_ != "sequential") remove_most_important(sum, eliminate_);
      progress.add(1);
    }
    if (on_components_) {
      Matrix<float> removed(order_.size(), width_);
      for (std::size_t k = 0; k < order_.size(); ++k)
        std::ranges::copy(components_.row(order_[k]), removed.row(k).begin());
      components_ = std::move(removed);
    }
  }

  /// Of the features that are left, in their order.
  [[nodiscard]] std::vector<double> importances_of(const Matrix<float>& features, const AttributeTarget& target,
                                                   std::uint64_t seed) const {
    Matrix<float> x(target.rows.size(), survivors_.size());
    for (std::size_t i = 0; i < x.rows(); ++i) {
      for (std::size_t k = 0; k < survivors_.size(); ++k) x(i, k) = features(target.rows[i], survivors_[k]);
    }
    return forest_importances(x.view(), target, {.trees = trees_, .seed = seed});
  }

  /// Of equal importances the feature that stands first goes first.
  void remove_most_important(const std::vector<double>& importances, std::size_t count) {
    std::vector<std::size_t> candidates;
    for (const std::size_t j : survivors_) {
      if (j >= keep_) candidates.push_back(j);
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [&](std::size_t a, std::size_t b) { return importances[a] > importances[b]; });
    order_.insert(order_.end(), candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(count));
    find_survivors();
  }

  void find_survivors() {
    std::vector<bool> gone(width_);
    for (const std::size_t j : order_) gone[j] = true;
    survivors_.clear();
    for (std::size_t j = 0; j < width_; ++j) {
      if (!gone[j]) survivors_.push_back(j);
    }
  }

  [[nodiscard]] Matrix<float> survivors_of(MatrixView<const float> source) const {
    Matrix<float> result(source.rows, survivors_.size());
    for (std::size_t i = 0; i < source.rows; ++i) {
      for (std::size_t k = 0; k < survivors_.size(); ++k) result(i, k) = source(i, survivors_[k]);
    }
    return result;
  }

  /// Eliminated components set to zero, then back to features. Row by row in one order, so that the bits do not depend
  /// on how the data was cut.
  [[nodiscard]] Matrix<float> without_components(MatrixView<const float> source) const {
    Matrix<float> result(source.rows, width_);
    std::vector<double> scaled(width_), rest(width_);
    for (std::size_t i = 0; i < source.rows; ++i) {
      for (std::size_t j = 0; j < width_; ++j) {
        const double deviation = deviation_(0, j);
        scaled[j] = deviation > 0 ? (source(i, j) - static_cast<double>(mean_(0, j))) / deviation : 0;
      }
      rest = scaled;
      for (std::size_t k = 0; k < components_.rows(); ++k) {
        const auto component = components_.row(k);
        double along = 0;
        for (std::size_t j = 0; j < width_; ++j) along += component[j] * scaled[j];
        for (std::size_t j = 0; j < width_; ++j) rest[j] -= along * component[j];
      }
      for (std::size_t j = 0; j < width_; ++j) {
        result(i, j) = static_cast<float>(mean_(0, j) + rest[j] * deviation_(0, j));
      }
    }
    return result;
  }

  std::size_t trees_;
  std::size_t eliminate_;
  std::size_t steps_;
  std::string rule_;
  bool on_components_;
  std::size_t keep_;
  std::size_t width_ = 0;
  std::vector<std::size_t> order_;      // eliminated features, first to last: prefixes are the masks of fewer steps
  std::vector<std::size_t> survivors_;  // ascending
  Matrix<float> components_;            // eliminated ones (while fitting: all), in rows
  Matrix<float> mean_, deviation_;      // of the features, with domain=pca
};

}  // namespace

Entry<Protection> ive_protection() {
  return {
      {.name = "ive",
       .paper = "Terhorst et al. 2019, Suppressing Gender and Age in Face Templates Using Incremental Variable "
                "Elimination; Melzi et al. 2023, Multi-IVE",
       .doc = "removes the features that tell most about an attribute, a few at a time",
       .medium = "template",
       .learns = true,
       .comparator = "cosine",
       .claim = "gender and age are hard to estimate from what is left, while recognition works",
       .broken_by = "estimators trained on the reduced templates, because other features carry the attribute too",
       .parameters =
           {{"trees", ParameterType::integer, "30", "trees of the forest that ranks features", 1, 100000},
            {"eliminate", ParameterType::integer, "5", "features eliminated in a step", 1, 1 << 20},
            {"steps", ParameterType::integer, "20", "steps, each with new forests", 1, 1 << 20},
            {.name = "rule",
             .type = ParameterType::choice,
             .default_value = "sequential",
             .doc = "several attributes: in turn within a step, as one joint label, or by the sum of importances",
             .choices = {"sequential", "joint", "sum"}},
            {.name = "domain",
             .type = ParameterType::choice,
             .default_value = "features",
             .doc = "what is eliminated: features, or principal components (set to zero, then back to features)",
             .choices = {"features", "pca"}},
            {"keep", ParameterType::integer, "0", "first principal components that are never eliminated", 0, 1 << 20}}},
      [](const Parameters& parameters) { return std::make_unique<Ive>(parameters); }};
}

}  // namespace bauta
