// Small convolutional networks: those that name classes, and those that learn what another network says.
#include "image_networks.hpp"

#include <algorithm>

#include "bauta/core/error.hpp"
#include "conv_stack.hpp"
#include "epochs.hpp"
#include "losses.hpp"

namespace bauta::training {
namespace {

/// `loss_of` compares outputs with what belongs to the rows of a batch.
template <class Loss>
TrainingReport train(const ConvStack& stack, WeightBlock& block, const at::Tensor& images,
                     std::vector<std::int64_t> rows, const ConvOptions& options, Loss&& loss_of) {
  const TrainingOptions& training = options.training;
  if (rows.empty()) throw_input("training data", "there is no sample to learn from");
  Adam optimiser(block, training.rate);
  const std::size_t late = 2 * training.epochs / 3 + 1;
  return run_epochs(training, {block.values()}, [&](std::size_t epoch) {
    if (epoch == late && epoch > 1) optimiser.scale_rate(0.1);
    Stream order(training.seed, "conv.order", epoch);
    Stream mirror(training.seed, "conv.mirror", epoch);
    Stream thinned(training.seed, "conv.thinned", epoch);
    order.shuffle(std::span(rows));
    const at::Tensor shuffled = index_tensor(rows, images.device());
    MeanLoss mean(images.device());
    for (const auto& [first, count] : batch_bounds(rows.size(), std::min(training.batch, rows.size()))) {
      const at::Tensor batch = shuffled.narrow(0, first, count);
      at::Tensor shown = images.index_select(0, batch);
      if (options.mirror) shown = mirrored(shown, mirror);
      const at::Tensor loss = loss_of(stack.forward(shown, &thinned), batch);
      block.forget_gradients();
      loss.backward();
      optimiser.step();
      mean.add(loss, count);
    }
    return EpochResult{mean.value()};
  });
}

}  // namespace

TrainedConvNetwork train_image_classifier(const TrainingSet& set, const AttributeLabels& labels,
                                          const ConvOptions& options) {
  set.check();
  const at::Device device = device_of(options.training);
  const at::Tensor codes = index_tensor({labels.codes.begin(), labels.codes.end()}, device);
  const at::Tensor weights =
      options.class_weights.empty() ? at::Tensor() : at::tensor(options.class_weights, at::kFloat).to(device);
  WeightBlock block;
  Stream initial(options.training.seed, "conv.weights");
  ConvStack stack(block, options, labels.classes, initial);
  block.place(device);
  stack.place(device);
  TrainingReport report =
      train(stack, block, images_tensor(set.inputs, options.input, device), set.rows(false, labels), options,
            [&](const at::Tensor& logits, const at::Tensor& batch) {
              const at::Tensor wanted = codes.index_select(0, batch);
              if (!weights.defined()) return at::cross_entropy_loss(logits, wanted);
              return at::cross_entropy_loss(logits, wanted, weights, at::Reduction::Sum) / wanted.size(0);
            });
  return {stack.plain(), std::move(report)};
}

TrainedConvNetwork train_distilled(const TrainingSet& set, MatrixView<const float> taught,
                                   const DistillationOptions& options) {
  set.check();
  BAUTA_ASSERT(taught.rows == set.inputs.rows);
  // Cosines are at most 1, and would never let a softmax be sure.
  constexpr double sharpness = 16;
  const ConvOptions& own = options.network;
  const at::Device device = device_of(own.training);
  const at::Tensor targets = to_unit_length(rows_tensor(taught, device));
  const at::Tensor people = index_tensor({set.subjects.begin(), set.subjects.end()}, device);
  const auto count = static_cast<std::size_t>(*std::max_element(set.subjects.begin(), set.subjects.end())) + 1;
  WeightBlock block;
  Stream initial(own.training.seed, "conv.weights");
  ConvStack stack(block, own, taught.cols, initial);
  const DenseStack names(block, {taught.cols, count}, Activation::identity, Activation::identity, Initial::small,
                         initial);
  block.place(device);
  stack.place(device);
  TrainingReport report =
      train(stack, block, images_tensor(set.inputs, own.input, device), set.rows(false), own,
            [&](const at::Tensor& outputs, const at::Tensor& batch) {
              const at::Tensor said = to_unit_length(outputs);
              const at::Tensor apart = 1 - (said * targets.index_select(0, batch)).sum(1).mean();
              if (options.identity_weight == 0) return apart;
              return apart + options.identity_weight *
                                 at::cross_entropy_loss(names.forward(said * sharpness), people.index_select(0, batch));
            });
  TrainedConvNetwork trained{stack.plain(), std::move(report)};
  trained.network.head.unit_length = true;
  return trained;
}

}  // namespace bauta::training
