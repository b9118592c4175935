// Multi-layer perceptrons with the defaults of scikit-learn.
#include <algorithm>

#include "bauta/core/error.hpp"
#include "epochs.hpp"
#include "families.hpp"
#include "losses.hpp"
#include "weights.hpp"

namespace bauta::training {
namespace {

struct Lesson {
  std::vector<std::int64_t> rows;
  std::vector<std::int64_t> held;
  at::Tensor targets;
  std::size_t outputs;
};

/// `loss_of` compares outputs with rows of the targets.
template <class Loss>
TrainedNetwork train_mlp(const TrainingSet& set, Lesson lesson, const MlpOptions& options, Loss&& loss_of) {
  std::vector<std::int64_t>& rows = lesson.rows;
  const at::Tensor& targets = lesson.targets;
  const TrainingOptions& training = options.training;
  const at::Device device = targets.device();
  if (rows.empty()) throw_input("training data", "there is no sample to learn from");
  std::vector<std::size_t> sizes = {set.inputs.cols};
  sizes.insert(sizes.end(), options.hidden.begin(), options.hidden.end());
  sizes.push_back(lesson.outputs);

  const at::Tensor inputs = rows_tensor(set.inputs, device);
  WeightBlock block;
  Stream initial(training.seed, "mlp.weights");
  const DenseStack stack(block, sizes, Activation::relu, Activation::identity, Initial::glorot, initial);
  block.place(device);
  Adam optimiser(block, training.rate);

  // The gradient of l2 / 2 |W|^2 / batch, which biases do not take part in.
  const auto shrink = [&](std::int64_t count) {
    const c10::NoGradGuard no_gradients;
    for (std::size_t i = 0; i < stack.size(); ++i) {
      stack.weights(i).mutable_grad().add_(stack.weights(i).detach(), options.l2 / static_cast<double>(count));
    }
  };
  const auto judge = [&] {
    if (lesson.held.empty()) return std::numeric_limits<double>::quiet_NaN();
    const c10::NoGradGuard no_gradients;
    const at::Tensor all = index_tensor(lesson.held, device);
    return loss_of(stack.forward(inputs.index_select(0, all)), targets.index_select(0, all)).template item<double>();
  };

  TrainingReport report = run_epochs(
      training, {block.values()},
      [&](std::size_t epoch) {
        Stream order(training.seed, "mlp.order", epoch);
        order.shuffle(std::span(rows));
        const at::Tensor shuffled = index_tensor(rows, device);
        MeanLoss mean(device);
        for (const auto& [first, count] : batch_bounds(rows.size(), std::min(training.batch, rows.size()))) {
          const at::Tensor batch = shuffled.narrow(0, first, count);
          const at::Tensor loss = loss_of(stack.forward(inputs.index_select(0, batch)), targets.index_select(0, batch));
          block.forget_gradients();
          loss.backward();
          shrink(count);
          optimiser.step();
          mean.add(loss, count);
        }
        return EpochResult{mean.value(), judge()};
      },
      {.tolerance = options.tolerance, .on_training = true});
  return {stack.plain(), std::move(report)};
}

}  // namespace

TrainedNetwork train_regressor(const TrainingSet& set, MatrixView<const float> targets, const MlpOptions& options) {
  set.check();
  BAUTA_ASSERT(targets.rows == set.inputs.rows);
  return train_mlp(
      set, {set.rows(false), set.rows(true), rows_tensor(targets, device_of(options.training)), targets.cols}, options,
      [](const at::Tensor& outputs, const at::Tensor& wanted) { return (outputs - wanted).pow(2).mean(); });
}

TrainedNetwork train_classifier(const TrainingSet& set, const AttributeLabels& labels, const MlpOptions& options) {
  set.check();
  const at::Tensor codes = index_tensor({labels.codes.begin(), labels.codes.end()}, device_of(options.training));
  BAUTA_ASSERT(options.class_weights.empty() || options.class_weights.size() == labels.classes);
  const at::Tensor weights =
      options.class_weights.empty() ? at::Tensor() : at::tensor(options.class_weights, at::kFloat).to(codes.device());
  return train_mlp(set, {set.rows(false, labels), set.rows(true, labels), codes, labels.classes}, options,
                   [&](const at::Tensor& logits, const at::Tensor& wanted) {
                     if (!weights.defined()) return at::cross_entropy_loss(logits, wanted);
                     return at::cross_entropy_loss(logits, wanted, weights, at::Reduction::Sum) / wanted.size(0);
                   });
}

}  // namespace bauta::training
