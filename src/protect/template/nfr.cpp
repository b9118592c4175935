// NFR, negative face recognition (Terhorst et al. 2020): an expanded template in quantile bins, of which only a value
// that is *not* the right one is stored, feature by feature. A presented sample is compared in its positive form.
#include <algorithm>

#include <fmt/format.h>

#include "bauta/core/parallel.hpp"
#include "bauta/core/progress.hpp"
#include "network_protection.hpp"

namespace bauta {
namespace {

constexpr std::size_t features_at_once = 256;                 // bounds the memory of fitting
constexpr float no_edge = std::numeric_limits<float>::max();  // takes the place of edges that were dropped
// Of equal rows, matrix products may differ in the last bits, by where in a block they stand: a bin that is no wider
// has no width. Features lie within [-1, 1].
constexpr double rounding = 4 * double{std::numeric_limits<float>::epsilon()};

/// The inner edges of k quantile bins of `sorted`, then no_edge for every bin of zero width. Standardising a feature
/// first would move neither its order nor its bins, so the edges stay in the feature's own units.
void quantile_edges(const std::vector<float>& sorted, std::size_t bins, std::span<float> edges) {
  std::vector<double> kept = {sorted.front()};
  for (std::size_t j = 1; j <= bins; ++j) {
    const double position = static_cast<double>(sorted.size() - 1) * static_cast<double>(j) / static_cast<double>(bins);
    const auto below = static_cast<std::size_t>(position);
    const double next = sorted[std::min(below + 1, sorted.size() - 1)];
    const double quantile = sorted[below] + (position - static_cast<double>(below)) * (next - sorted[below]);
    if (quantile - kept.back() > rounding) kept.push_back(quantile);
  }
  std::fill(edges.begin(), edges.end(), no_edge);
  for (std::size_t j = 1; j + 1 < kept.size(); ++j) edges[j - 1] = static_cast<float>(kept[j]);
}

class Nfr : public NetworkProtection {
 public:
  explicit Nfr(const Parameters& parameters)
      : NetworkProtection("nfr", parameters, 0), bins_(static_cast<std::size_t>(parameters.integer("bins"))) {}

  [[nodiscard]] KnownMask known_mask(const ImageShape&) const override { return {.values = bins_}; }

  [[nodiscard]] FittedState state() const override {
    FittedState state = NetworkProtection::state();
    Matrix<float> edges(edges_.rows(), edges_.cols());
    std::copy_n(edges_.data(), edges_.size(), edges.data());
    state.emplace("edges", std::move(edges));
    return state;
  }

  void restore(const FittedState& state, const std::string& where) override {
    NetworkProtection::restore(state, where);
    const Matrix<float>& edges = array_of(state, "edges", where);
    if (edges.rows() != network().outputs() || edges.cols() + 1 != bins_) {
      throw_input(where,
                  fmt::format("holds {} x {} bin edges for {} features of {} bins", edges.rows(), edges.cols(),
                              network().outputs(), bins_),
                  "fit the protection again");
    }
    edges_ = Matrix<float>(edges.rows(), edges.cols());
    std::copy_n(edges.data(), edges.size(), edges_.data());
  }

  void check(const Templates& input, const std::string& where, const ProtectContext& context) const override {
    NetworkProtection::check(input, where, context);
    if (bins_ == 2) warn("nfr: with two bins the value that is not the right one tells the right one");
  }

  [[nodiscard]] Templates protect(const Templates& block, std::size_t first,
                                  const ProtectContext& context) const override {
    Matrix<std::uint8_t> codes = positive_codes(block, first);
    for (std::size_t i = 0; i < codes.rows(); ++i) {
      Stream stream = context.randomness.stream("nfr", first + i);
      for (std::uint8_t& code : codes.row(i)) {
        code = static_cast<std::uint8_t>((code + 1 + stream.below(bins_ - 1)) % bins_);
      }
    }
    return Templates(std::move(codes));
  }

  [[nodiscard]] bool probes_differ() const override { return true; }

  [[nodiscard]] Templates protect_probes(const Templates& block, std::size_t first,
                                         const ProtectContext&) const override {
    return Templates(positive_codes(block, first));
  }

 protected:
  [[nodiscard]] TrainedNetwork train(const TrainingRows& rows, const TrainingOptions& training) const override {
    ExpansionOptions options;
    options.training = training;
    options.features = count("expansion");
    options.dropout = parameters().real("dropout");
    options.loss =
        parameters().text("loss") == "bce" ? ExpansionOptions::Loss::binary : ExpansionOptions::Loss::categorical;
    return trainer().train_expansion(rows.set(), options);
  }

  [[nodiscard]] std::vector<Activation> activations() const override {
    return {Activation::relu, Activation::relu, Activation::tanh};
  }

  void fit_outputs(const TrainingRows& rows, const ProtectContext& context) override {
    if (context.held_out.empty()) return fit_edges(rows.rows.view());
    // Rows that were set apart from outside stay apart.
    const std::vector<std::int64_t> own = rows.set().rows(false);
    Matrix<float> learned(own.size(), rows.rows.cols());
    for (std::size_t i = 0; i < own.size(); ++i) {
      std::ranges::copy(rows.rows.row(static_cast<std::size_t>(own[i])), learned.row(i).begin());
    }
    fit_edges(learned.view());
  }

 private:
  void fit_edges(MatrixView<const float> rows) {
    edges_ = Matrix<float>(network().outputs(), bins_ - 1);
    parallel_for((edges_.rows() + features_at_once - 1) / features_at_once, [&](std::size_t part, int) {
      const std::size_t first = part * features_at_once;
      const std::size_t count = std::min(features_at_once, edges_.rows() - first);
      Matrix<float> expanded(rows.rows, count);
      slice_outputs(network(), first, count).forward(rows, 0, expanded.view());
      std::vector<float> feature(rows.rows);
      for (std::size_t j = 0; j < count; ++j) {
        for (std::size_t i = 0; i < rows.rows; ++i) feature[i] = expanded(i, j);
        std::sort(feature.begin(), feature.end());
        quantile_edges(feature, bins_, edges_.row(first + j));
      }
    });
  }

  /// The number of edges at or below the feature: values outside the training data fall into the outer bins.
  [[nodiscard]] Matrix<std::uint8_t> positive_codes(const Templates& block, std::size_t first) const {
    const Templates expanded = outputs(block, first);
    Matrix<std::uint8_t> codes(expanded.rows(), expanded.cols());
    for (std::size_t i = 0; i < codes.rows(); ++i) {
      for (std::size_t j = 0; j < codes.cols(); ++j) {
        const std::span<const float> edges = edges_.row(j);
        const float value = expanded.floats()(i, j);
        codes(i, j) = static_cast<std::uint8_t>(std::upper_bound(edges.begin(), edges.end(), value) - edges.begin());
      }
    }
    return codes;
  }

  std::size_t bins_;
  Matrix<float> edges_;  // features x (bins - 1), ascending
};

}  // namespace

Entry<Protection> nfr_protection() {
  return {
      with_training(
          {.name = "nfr",
           .paper = "Terhorst et al. 2020, Unsupervised Enhancement of Soft-biometric Privacy with Negative Face "
                    "Recognition",
           .doc = "expanded features in bins, stored as a random wrong value each",
           .medium = "template",
           .learns = true,
           .comparator = "nfr:bins={bins}",
           .claim =
               "attributes that nobody named in advance are hidden, because a stored template holds only complementary "
               "information",
           .broken_by =
               "several enrolments of one sample (the value that never appears is the right one), and the similarity "
               "attack with its own comparator",
           .parameters =
               {{"expansion", ParameterType::integer, "4096", "features of the expanded template", 1, 1 << 16},
                {"bins", ParameterType::integer, "4",
                 "values of a feature; with 2 the stored one gives away the right one", 2, 256},
                {.name = "loss",
                 .type = ParameterType::choice,
                 .default_value = "bce",
                 .doc = "of the expansion network: per identity over the softmax (as published), or of the identity",
                 .choices = {"bce", "ce"}},
                {"dropout", ParameterType::real, "0.5", "share of hidden features left out in training", 0, 0.95}},
           .does = Operation::stores_wrong_values},
          ExpansionOptions().training),
      [](const Parameters& parameters) { return std::make_unique<Nfr>(parameters); }};
}

}  // namespace bauta
