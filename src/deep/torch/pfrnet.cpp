// PFRNet (Bortolato et al. 2020), with the second moment of every class taken from that class.
#include <algorithm>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/deep/sampling.hpp"
#include "epochs.hpp"
#include "families.hpp"
#include "losses.hpp"
#include "weights.hpp"

namespace bauta::training {
namespace {

/// The rate falls to a tenth when the loss has not improved by a ten-thousandth for more than 5 epochs.
class Plateau {
 public:
  bool reached(double loss) {
    if (loss < best_ * (1 - 1e-4)) {
      best_ = loss;
      bad_ = 0;
      return false;
    }
    if (++bad_ <= 5) return false;
    bad_ = 0;
    return true;
  }

 private:
  double best_ = std::numeric_limits<double>::infinity();
  int bad_ = 0;
};

/// Rows of each class; every class must have one.
std::vector<std::vector<std::int64_t>> rows_by_class(const AttributeLabels& attribute,
                                                     const std::vector<std::int64_t>& rows, const char* part) {
  std::vector<std::vector<std::int64_t>> classes(attribute.classes);
  for (const std::int64_t row : rows) classes[static_cast<std::size_t>(attribute.codes[row])].push_back(row);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (classes[c].empty()) {
      throw_input("training data",
                  fmt::format("the {} part has no sample of class {} of {} of attribute '{}', and "
                              "moments of every class are needed",
                              part, c + 1, attribute.classes, attribute.name),
                  "train on several subjects of each class, or hold out none (validation=0)");
    }
  }
  return classes;
}

}  // namespace

TrainedPfrnet train_pfrnet(const TrainingSet& set, const AttributeLabels& attribute, const PfrnetOptions& options) {
  set.check();
  const TrainingOptions& training = options.training;
  if (training.batch < 64) {
    throw_usage("pfrnet:batch", fmt::format("moments of {} samples are too noisy", training.batch),
                "choose a batch of at least 64");
  }
  const at::Device device = device_of(training);
  const std::vector<std::int64_t> rows = set.rows(false, attribute);
  const std::vector<std::int64_t> held = set.rows(true, attribute);
  rows_by_class(attribute, rows, "training");
  std::vector<at::Tensor> held_classes;
  if (!held.empty()) {
    for (const auto& members : rows_by_class(attribute, held, "validation")) {
      held_classes.push_back(index_tensor(members, device));
    }
  }

  const std::size_t d = set.inputs.cols;
  const at::Tensor inputs = rows_tensor(set.inputs, device);
  WeightBlock block;
  Stream initial(training.seed, "pfrnet.weights");
  const auto stack = [&](const std::vector<std::size_t>& sizes) {
    return DenseStack(block, sizes, Activation::relu, Activation::identity, Initial::fan_in, initial);
  };
  const DenseStack independent = stack({d, 512, 512, 512, options.independent});
  const DenseStack dependent = stack({d, 256, 128, 64, options.dependent});
  const DenseStack decoder = stack({options.independent + options.dependent, 512, 512, 512, d});
  block.place(device);
  Adam optimiser(block, training.rate, 0.5, 0.999);

  // `classes_of` cuts codes into their classes.
  const auto loss_of = [&](const at::Tensor& templates, auto&& classes_of) {
    const at::Tensor kept = independent.forward(templates);
    const at::Tensor hidden = dependent.forward(templates);
    const at::Tensor rebuilt = decoder.forward(at::cat({kept, hidden}, 1));
    return (rebuilt - templates).pow(2).mean() + options.match * moment_difference(classes_of(kept)) +
           options.separate * moment_likeness(classes_of(hidden));
  };
  const auto judge = [&] {
    if (held.empty()) return std::numeric_limits<double>::quiet_NaN();
    const c10::NoGradGuard no_gradients;
    const at::Tensor templates = inputs.index_select(0, at::cat(held_classes));
    const at::Tensor loss = loss_of(templates, [&](const at::Tensor& codes) {
      std::vector<at::Tensor> classes;
      std::int64_t first = 0;
      for (const at::Tensor& members : held_classes) {
        classes.push_back(codes.narrow(0, first, members.numel()));
        first += members.numel();
      }
      return classes;
    });
    return loss.item<double>();
  };
  const auto interleaved = [&](const at::Tensor& codes) {
    const auto count = static_cast<std::int64_t>(attribute.classes);
    std::vector<at::Tensor> classes;
    for (std::int64_t c = 0; c < count; ++c) classes.push_back(codes.slice(0, c, codes.size(0), count));
    return classes;
  };

  Plateau plateau;
  TrainingReport report = run_epochs(training, {block.values()}, [&](std::size_t epoch) {
    Stream order(training.seed, "pfrnet.batches", epoch);
    MeanLoss mean(device);
    for (const auto& batch : stratified_batches(attribute.codes, attribute.classes, rows, training.batch, order)) {
      const at::Tensor loss = loss_of(inputs.index_select(0, index_tensor(batch, device)), interleaved);
      block.forget_gradients();
      loss.backward();
      optimiser.step();
      mean.add(loss, static_cast<std::int64_t>(batch.size()));
    }
    const EpochResult result{mean.value(), judge()};
    if (plateau.reached(held.empty() ? result.training : result.validation)) optimiser.scale_rate(0.1);
    return result;
  });
  return {independent.plain(), dependent.plain(), decoder.plain(), std::move(report)};
}

}  // namespace bauta::training
