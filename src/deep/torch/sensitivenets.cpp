// Projection of SensitiveNets (Morales et al. 2020).
#include <memory>

#include "bauta/core/error.hpp"
#include "bauta/deep/sampling.hpp"
#include "epochs.hpp"
#include "families.hpp"
#include "linear_leak.hpp"
#include "losses.hpp"
#include "weights.hpp"

namespace bauta::training {
namespace {

/// One attribute: its labels, the class that everybody is drawn to, and the detector in the loop.
struct Detector {
  at::Tensor codes;
  std::int64_t target = 0;
  WeightBlock block;
  std::unique_ptr<DenseStack> stack;
  std::unique_ptr<Adam> optimiser;
};

std::unique_ptr<Detector> make_detector(const AttributeLabels& attribute, std::size_t number, const TrainingSet& set,
                                        std::size_t width, const TrainingOptions& training, at::Device device) {
  auto detector = std::make_unique<Detector>();
  std::vector<std::size_t> counts(attribute.classes, 0);
  for (const std::int64_t row : set.rows(false, attribute)) {
    ++counts[static_cast<std::size_t>(attribute.codes[static_cast<std::size_t>(row)])];
  }
  detector->target = std::max_element(counts.begin(), counts.end()) - counts.begin();
  detector->codes = index_tensor({attribute.codes.begin(), attribute.codes.end()}, device);
  Stream stream(training.seed, "sensitivenets.detector", number);
  detector->stack =
      std::make_unique<DenseStack>(detector->block, std::vector<std::size_t>{width, width, width, attribute.classes},
                                   Activation::relu, Activation::identity, Initial::glorot, stream);
  detector->block.place(device);
  detector->optimiser = std::make_unique<Adam>(detector->block, training.rate);
  return detector;
}

/// Rows of anchors, positives and negatives one after the other.
std::vector<std::int64_t> stacked(const Triplets& triplets, std::int64_t first, std::int64_t count) {
  std::vector<std::int64_t> rows;
  for (const auto* side : {&triplets.anchors, &triplets.positives, &triplets.negatives}) {
    rows.insert(rows.end(), side->begin() + first, side->begin() + first + count);
  }
  return rows;
}

at::Tensor stacked_triplet_loss(const at::Tensor& projected, double margin) {
  const std::int64_t count = projected.size(0) / 3;
  return triplet_loss(projected.narrow(0, 0, count), projected.narrow(0, count, count),
                      projected.narrow(0, 2 * count, count), margin);
}

}  // namespace

TrainedNetwork train_sensitivenets(const TrainingSet& set, const std::vector<AttributeLabels>& attributes,
                                   const SensitiveNetsOptions& options) {
  set.check();
  const TrainingOptions& training = options.training;
  const at::Device device = device_of(training);
  const std::size_t width = options.width == 0 ? set.inputs.cols : options.width;
  const std::size_t warm_up = options.warm_up == 0 ? training.epochs / 25 : options.warm_up;
  const std::vector<std::int64_t> held = set.rows(true);

  std::vector<std::span<const std::int32_t>> balanced;
  for (const AttributeLabels& attribute : attributes) {
    if (options.balanced_anchors) balanced.push_back(attribute.codes);
  }
  TripletSampler sampler(set.subjects, set.rows(false), balanced);
  Triplets judges;
  if (!held.empty()) {
    Stream stream(training.seed, "sensitivenets.judges");
    TripletSampler held_sampler(set.subjects, held, {}, "validation");
    judges = held_sampler.draw(held_sampler.anchors(), stream);
  }

  const at::Tensor inputs = rows_tensor(set.inputs, device);
  const at::Tensor learnt_rows = index_tensor(set.rows(false), device);
  const at::Tensor held_rows = index_tensor(held, device);
  WeightBlock block;
  Stream initial(training.seed, "sensitivenets.weights");
  std::vector<std::size_t> sizes(options.layers + 1, width);
  sizes.front() = set.inputs.cols;
  const DenseStack projection(block, sizes, Activation::relu, Activation::identity, Initial::glorot, initial);
  block.place(device);
  Adam optimiser(block, training.rate);
  std::vector<std::unique_ptr<Detector>> detectors;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    detectors.push_back(make_detector(attributes[i], i, set, width, training, device));
  }

  const auto project = [&](const at::Tensor& rows) {
    return to_unit_length(projection.forward(inputs.index_select(0, rows)));
  };
  // Delta_A + Delta_P + Delta_N of every attribute.
  const auto sensitive = [&](const at::Tensor& projected) {
    at::Tensor sum = at::zeros({}, projected.options());
    for (const auto& detector : detectors) {
      sum = sum + 3 * sensitive_loss(projected, *detector->stack, detector->target);
    }
    return sum;
  };
  const auto teach_detectors = [&](const at::Tensor& projected, const at::Tensor& rows) {
    for (const auto& detector : detectors) {
      detector->block.forget_gradients();
      detector_loss(projected, *detector->stack, detector->codes.index_select(0, rows)).backward();
      detector->optimiser->step();
    }
  };
  const auto project_all = [&](const at::Tensor& rows) {
    std::vector<at::Tensor> parts;
    for (const auto& [first, count] : batch_bounds(static_cast<std::size_t>(rows.numel()), 1024)) {
      parts.push_back(project(rows.narrow(0, first, count)));
    }
    return at::cat(parts);
  };
  // Not the loss of the game: where nothing is left to see, the detector answers with the frequencies of the classes,
  // and the sensitive part is larger than where it still sees something. What counts is what a fresh attacker can read.
  const auto judge = [&] {
    if (held.empty()) return std::numeric_limits<double>::quiet_NaN();
    const c10::NoGradGuard no_gradients;
    MeanLoss mean(device);
    for (const auto& [first, count] : batch_bounds(judges.anchors.size(), training.batch)) {
      mean.add(stacked_triplet_loss(project(index_tensor(stacked(judges, first, count), device)), options.margin),
               count);
    }
    double loss = mean.value();
    if (detectors.empty()) return loss;
    const at::Tensor learnt = project_all(learnt_rows);
    const at::Tensor tried = project_all(held_rows);
    for (std::size_t i = 0; i < detectors.size(); ++i) {
      const at::Tensor& codes = detectors[i]->codes;
      loss += options.weight * linear_leak(learnt, codes.index_select(0, learnt_rows), tried,
                                           codes.index_select(0, held_rows),
                                           static_cast<std::int64_t>(attributes[i].classes));
    }
    return loss;
  };

  TrainingReport report = run_epochs(training, {block.values()}, [&](std::size_t epoch) {
    Stream order(training.seed, "sensitivenets.triplets", epoch);
    const Triplets triplets = sampler.draw(sampler.anchors(), order);
    MeanLoss mean(device);
    for (const auto& [first, count] : batch_bounds(triplets.anchors.size(), training.batch)) {
      const at::Tensor rows = index_tensor(stacked(triplets, first, count), device);
      const at::Tensor projected = project(rows);
      teach_detectors(projected, rows);
      at::Tensor loss = stacked_triplet_loss(projected, options.margin);
      if (epoch > warm_up) loss = loss + options.weight * sensitive(projected);
      block.forget_gradients();
      loss.backward();
      optimiser.step();
      mean.add(loss, count);
    }
    // An epoch before the sensitive part counts hides nothing, however well it keeps identities apart.
    return EpochResult{mean.value(), judge(), epoch > warm_up};
  });
  Network network = projection.plain();
  network.unit_length = true;
  return {std::move(network), std::move(report)};
}

}  // namespace bauta::training
