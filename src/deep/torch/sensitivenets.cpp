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

/// The projection and the detectors that it plays against.
class Game {
 public:
  Game(const TrainingSet& set, const std::vector<AttributeLabels>& attributes, const SensitiveNetsOptions& options)
      : options_(options),
        training_(options.training),
        device_(device_of(training_)),
        attributes_(attributes),
        held_(set.rows(true)),
        sampler_(set.subjects, set.rows(false), balanced(attributes, options)),
        inputs_(rows_tensor(set.inputs, device_)),
        learnt_rows_(index_tensor(set.rows(false), device_)),
        held_rows_(index_tensor(held_, device_)) {
    if (!held_.empty()) {
      Stream stream(training_.seed, "sensitivenets.judges");
      TripletSampler held_sampler(set.subjects, held_, {}, "validation");
      judges_ = held_sampler.draw(held_sampler.anchors(), stream);
    }
    const std::size_t width = options.width == 0 ? set.inputs.cols : options.width;
    std::vector<std::size_t> sizes(options.layers + 1, width);
    sizes.front() = set.inputs.cols;
    Stream initial(training_.seed, "sensitivenets.weights");
    projection_ =
        std::make_unique<DenseStack>(block_, sizes, Activation::relu, Activation::identity, Initial::glorot, initial);
    block_.place(device_);
    optimiser_ = std::make_unique<Adam>(block_, training_.rate);
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      detectors_.push_back(make_detector(attributes[i], i, set, width, training_, device_));
    }
  }

  TrainedNetwork play() {
    TrainingReport report = run_epochs(training_, {block_.values()}, [&](std::size_t number) { return epoch(number); });
    Network network = projection_->plain();
    network.unit_length = true;
    return {std::move(network), std::move(report)};
  }

 private:
  static std::vector<std::span<const std::int32_t>> balanced(const std::vector<AttributeLabels>& attributes,
                                                             const SensitiveNetsOptions& options) {
    std::vector<std::span<const std::int32_t>> codes;
    for (const AttributeLabels& attribute : attributes) {
      if (options.balanced_anchors) codes.push_back(attribute.codes);
    }
    return codes;
  }

  EpochResult epoch(std::size_t number) {
    const std::size_t warm_up = options_.warm_up == 0 ? training_.epochs / 25 : options_.warm_up;
    Stream order(training_.seed, "sensitivenets.triplets", number);
    const Triplets triplets = sampler_.draw(sampler_.anchors(), order);
    MeanLoss mean(device_);
    for (const auto& [first, count] : batch_bounds(triplets.anchors.size(), training_.batch)) {
      const at::Tensor rows = index_tensor(stacked(triplets, first, count), device_);
      const at::Tensor projected = project(rows);
      teach_detectors(projected, rows);
      at::Tensor loss = stacked_triplet_loss(projected, options_.margin);
      if (number > warm_up) loss = loss + options_.weight * sensitive(projected);
      block_.forget_gradients();
      loss.backward();
      optimiser_->step();
      mean.add(loss, count);
    }
    // An epoch before the sensitive part counts hides nothing, however well it keeps identities apart.
    return {mean.value(), judge(), number > warm_up};
  }

  [[nodiscard]] at::Tensor project(const at::Tensor& rows) const {
    return to_unit_length(projection_->forward(inputs_.index_select(0, rows)));
  }
  [[nodiscard]] at::Tensor project_all(const at::Tensor& rows) const {
    std::vector<at::Tensor> parts;
    for (const auto& [first, count] : batch_bounds(static_cast<std::size_t>(rows.numel()), 1024)) {
      parts.push_back(project(rows.narrow(0, first, count)));
    }
    return at::cat(parts);
  }
  /// Delta_A + Delta_P + Delta_N of every attribute.
  [[nodiscard]] at::Tensor sensitive(const at::Tensor& projected) const {
    at::Tensor sum = at::zeros({}, projected.options());
    for (const auto& detector : detectors_) {
      sum = sum + 3 * sensitive_loss(projected, *detector->stack, detector->target);
    }
    return sum;
  }
  void teach_detectors(const at::Tensor& projected, const at::Tensor& rows) {
    for (const auto& detector : detectors_) {
      detector->block.forget_gradients();
      detector_loss(projected, *detector->stack, detector->codes.index_select(0, rows)).backward();
      detector->optimiser->step();
    }
  }

  /// Not the loss of the game: where nothing is left to see, the detector answers with the frequencies of the classes,
  /// and the sensitive part is larger than where it still sees something. What counts is what a fresh attacker can
  /// read.
  [[nodiscard]] double judge() const {
    if (held_.empty()) return std::numeric_limits<double>::quiet_NaN();
    const c10::NoGradGuard no_gradients;
    MeanLoss mean(device_);
    for (const auto& [first, count] : batch_bounds(judges_.anchors.size(), training_.batch)) {
      mean.add(stacked_triplet_loss(project(index_tensor(stacked(judges_, first, count), device_)), options_.margin),
               count);
    }
    double loss = mean.value();
    if (detectors_.empty()) return loss;
    const at::Tensor learnt = project_all(learnt_rows_);
    const at::Tensor tried = project_all(held_rows_);
    for (std::size_t i = 0; i < detectors_.size(); ++i) {
      const at::Tensor& codes = detectors_[i]->codes;
      loss += options_.weight * linear_leak(learnt, codes.index_select(0, learnt_rows_), tried,
                                            codes.index_select(0, held_rows_),
                                            static_cast<std::int64_t>(attributes_[i].classes));
    }
    return loss;
  }

  const SensitiveNetsOptions& options_;
  const TrainingOptions& training_;
  at::Device device_;
  const std::vector<AttributeLabels>& attributes_;
  std::vector<std::int64_t> held_;
  TripletSampler sampler_;
  Triplets judges_;  ///< of held samples
  at::Tensor inputs_;
  at::Tensor learnt_rows_;
  at::Tensor held_rows_;
  WeightBlock block_;
  std::unique_ptr<DenseStack> projection_;
  std::unique_ptr<Adam> optimiser_;
  std::vector<std::unique_ptr<Detector>> detectors_;
};

}  // namespace

TrainedNetwork train_sensitivenets(const TrainingSet& set, const std::vector<AttributeLabels>& attributes,
                                   const SensitiveNetsOptions& options) {
  set.check();
  return Game(set, attributes, options).play();
}

}  // namespace bauta::training
