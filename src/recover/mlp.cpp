// Learned reversal by a multi-layer perceptron: what ridge regression learns from pairs, without being linear.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bauta/core/parallel.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/data/subject_codes.hpp"
#include "bauta/deep/sampling.hpp"
#include "bauta/deep/trainer.hpp"
#include "bauta/learn/preparation.hpp"
#include "bauta/recover/recovery.hpp"
#include "pairs.hpp"

namespace bauta {
namespace {

constexpr std::size_t most_inputs = std::size_t{1} << 28;  // numbers held in memory: 1 GiB of floats
constexpr std::size_t block_rows = 512;

class MlpRecovery : public Recovery {
 public:
  explicit MlpRecovery(const Parameters& parameters)
      : parameters_(parameters), hidden_(parse_widths("mlp:hidden", parameters.text("hidden"))) {}

  void fit(const Knowledge& knowledge) override {
    require_pairs("mlp", knowledge);
    const Dataset& clear = *knowledge.clear;
    shape_ = knowledge.protected_clear->templates.slice(0, 0);
    unit_ = wants_unit_length(parameters_, *knowledge.protected_clear);
    if (shape_.kind() == ElementKind::code8) levels_ = code_levels(knowledge.protected_clear->templates);
    const Matrix<float> inputs = learn_inputs(knowledge.protected_clear->templates, clear.origin);
    const Matrix<float> targets = learn_targets(clear.templates.floats());
    const std::vector<std::int32_t> subjects = subject_codes(clear);
    TrainingSet set{inputs.view(), subjects};
    const double share = parameters_.real("validation");
    if (share > 0) set.held_out = hold_out_subjects(subjects, share, Stream(knowledge.seed, "mlp.held-out"));
    TrainedNetwork trained = trainer().train_regressor(set, targets.view(), options(knowledge.seed));
    network_ = std::move(trained.network);
    epochs_ = trained.report.best_epoch;
  }

  [[nodiscard]] Recovered recover(const Dataset& target) const override {
    require_same_form(target, shape_);
    Matrix<float> result(target.size(), network_.outputs());
    parallel_for((target.size() + block_rows - 1) / block_rows, [&](std::size_t block, int) {
      const std::size_t first = block * block_rows;
      const std::size_t count = std::min(block_rows, target.size() - first);
      const MatrixView<float> part = result.view().slice(first, count);
      network_.forward(inputs_of(target.templates.slice(first, count)).view(), first, part);
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < part.cols; ++j) {
          part(i, j) = static_cast<float>(mean_[j] + deviation_ * part(i, j));
        }
      }
    });
    return {Templates(std::move(result)), {}, {{"mlp_epochs", std::to_string(epochs_)}}};
  }

 private:
  /// Floats at their training scale, bits as -1 and 1, codes one-hot.
  [[nodiscard]] Matrix<float> inputs_of(const Templates& templates) const {
    switch (templates.kind()) {
      case ElementKind::float32:
        return scaling_.apply((unit_ ? unit_rows(templates) : templates).floats());
      case ElementKind::code8:
        return one_hot_features(templates, levels_);
      case ElementKind::bits:
        break;
    }
    Matrix<float> signs = to_features(templates);
    for (float& value : std::span(signs.data(), signs.size())) value = 2 * value - 1;
    return signs;
  }

  Matrix<float> learn_inputs(const Templates& templates, const std::string& where) {
    const std::size_t width = templates.cols() * std::max<std::size_t>(1, levels_);
    if (width > most_inputs / templates.rows()) {
      throw_input(where, fmt::format("{} pairs of {} inputs each do not fit into memory", templates.rows(), width),
                  "give fewer pairs, e.g. with --clear-part");
    }
    if (templates.kind() == ElementKind::float32) {
      scaling_.fit((unit_ ? unit_rows(templates) : templates).floats());
    }
    return inputs_of(templates);
  }

  /// Less their mean, over one common deviation, so that features keep their weight in the error.
  Matrix<float> learn_targets(MatrixView<const float> clear) {
    mean_.assign(clear.cols, 0.0);
    for (std::size_t i = 0; i < clear.rows; ++i) {
      for (std::size_t j = 0; j < clear.cols; ++j) mean_[j] += clear(i, j) / static_cast<double>(clear.rows);
    }
    double square = 0;
    for (std::size_t i = 0; i < clear.rows; ++i) {
      for (std::size_t j = 0; j < clear.cols; ++j) square += (clear(i, j) - mean_[j]) * (clear(i, j) - mean_[j]);
    }
    deviation_ = std::sqrt(square / static_cast<double>(clear.rows * clear.cols));
    Matrix<float> targets(clear.rows, clear.cols);
    for (std::size_t i = 0; i < clear.rows; ++i) {
      for (std::size_t j = 0; j < clear.cols; ++j) {
        targets(i, j) = deviation_ > 0 ? static_cast<float>((clear(i, j) - mean_[j]) / deviation_) : 0;
      }
    }
    return targets;
  }

  [[nodiscard]] MlpOptions options(std::uint64_t seed) const {
    MlpOptions options;
    options.hidden = hidden_;
    options.training.epochs = static_cast<std::size_t>(parameters_.integer("epochs"));
    options.training.batch = static_cast<std::size_t>(parameters_.integer("batch"));
    options.training.rate = parameters_.real("rate");
    options.training.patience = static_cast<std::size_t>(parameters_.integer("patience"));
    options.training.seed = Stream(seed, "mlp.recovery").next64();
    options.training.device = device();
    const auto progress = std::make_shared<Progress>("train mlp", options.training.epochs, "epochs");
    options.training.progress = [progress](const EpochLoss&) { progress->add(1); };
    return options;
  }

  Parameters parameters_;
  std::vector<std::size_t> hidden_;
  Templates shape_;
  bool unit_ = false;
  std::size_t levels_ = 0;
  Preparation scaling_{"zscore"};
  std::vector<double> mean_;
  double deviation_ = 1;
  Network network_;
  std::size_t epochs_ = 0;
};

}  // namespace

Entry<Recovery> mlp_recovery() {
  return {{.name = "mlp",
           .paper = "",
           .doc = "any technique: a multi-layer perceptron from protected to clear templates, learned from pairs",
           .medium = "template",
           .learns = true,
           .parameters = {{"hidden", ParameterType::text, "512/512", "widths of the hidden layers"},
                          {"epochs", ParameterType::integer, "200", "passes over the pairs at most", 1, 100000},
                          {"batch", ParameterType::integer, "200", "pairs per step", 2, 1 << 20},
                          {"rate", ParameterType::real, "0.001", "learning rate", 0},
                          {"patience", ParameterType::integer, "10",
                           "epochs without a better validation loss before training stops; 0: never stops early", 0,
                           100000},
                          {"validation", ParameterType::real, "0.1",
                           "share of the pairs' subjects that only decides when to stop", 0, 0.9},
                          scale_parameter()}},
          [](const Parameters& parameters) { return std::make_unique<MlpRecovery>(parameters); }};
}

}  // namespace bauta
