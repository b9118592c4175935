// Networks from images to images, trained on pairs.
#include "bauta/core/error.hpp"
#include "epochs.hpp"
#include "image_networks.hpp"
#include "image_stages.hpp"

namespace bauta::training {
TrainedImageNetwork train_image_network(const TrainingSet& set, MatrixView<const float> targets,
                                        const ImageNetworkOptions& options) {
  set.check();
  const TrainingOptions& training = options.training;
  BAUTA_ASSERT(targets.rows == set.inputs.rows && options.planes == 0 && options.code == 0);
  std::vector<std::int64_t> rows = set.rows(false);
  const std::vector<std::int64_t> held = set.rows(true);
  if (rows.empty()) throw_input("training data", "there is no pair of images to learn from");
  const at::Device device = device_of(training);
  const at::Tensor inputs = planes_tensor(set.inputs, options, device);
  const at::Tensor wanted = planes_tensor(targets, options, device);
  WeightBlock block;
  Stream initial(training.seed, "image-network.weights");
  const ImageStages stages(block, options, initial);
  block.place(device);
  Adam optimiser(block, training.rate);

  const auto loss_of = [&](const at::Tensor& batch) {
    return (stages.forward(inputs.index_select(0, batch)) - wanted.index_select(0, batch)).pow(2).mean();
  };
  const auto judge = [&] {
    if (held.empty()) return std::numeric_limits<double>::quiet_NaN();
    const c10::NoGradGuard no_gradients;
    const at::Tensor all = index_tensor(held, device);
    MeanLoss mean(device);
    for (const auto& [first, count] : batch_bounds(held.size(), training.batch)) {
      mean.add(loss_of(all.narrow(0, first, count)), count);
    }
    return mean.value();
  };
  TrainingReport report =
      run_epochs(training, {block.values()},
                 [&](std::size_t epoch) {
                   Stream order(training.seed, "image-network.order", epoch);
                   order.shuffle(std::span(rows));
                   const at::Tensor shuffled = index_tensor(rows, device);
                   MeanLoss mean(device);
                   for (const auto& [first, count] : batch_bounds(rows.size(), std::min(training.batch, rows.size()))) {
                     const at::Tensor loss = loss_of(shuffled.narrow(0, first, count));
                     block.forget_gradients();
                     loss.backward();
                     optimiser.step();
                     mean.add(loss, count);
                   }
                   return EpochResult{mean.value(), judge()};
                 },
                 {.on_training = true});
  return {stages.plain(), std::move(report)};
}

}  // namespace bauta::training
