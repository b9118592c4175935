// Networks from images to images, trained on pairs.
#include <cmath>

#include "bauta/core/error.hpp"
#include "epochs.hpp"
#include "families.hpp"
#include "weights.hpp"

namespace bauta::training {
namespace {

/// Convolutions of 3 x 3 in a block of weights.
class Convolution {
 public:
  /// Uniform first weights of variance 2 / inputs (He et al. 2015), times `scale`.
  Convolution(WeightBlock& block, std::size_t inputs, std::size_t outputs, double scale, Stream& stream)
      : block_(&block), inputs_(inputs), outputs_(outputs) {
    const double limit = scale * std::sqrt(6.0 / static_cast<double>(inputs * 9));
    std::vector<float> initial(outputs * inputs * 9);
    for (float& value : initial) value = static_cast<float>((2 * stream.uniform() - 1) * limit);
    const auto in = static_cast<std::int64_t>(inputs), out = static_cast<std::int64_t>(outputs);
    weights_ = block.add({out, in, 3, 3}, std::move(initial));
    bias_ = block.add({out}, std::vector<float>(outputs, 0.0F));
  }

  [[nodiscard]] at::Tensor operator()(const at::Tensor& images) const {
    return at::conv2d(images, (*block_)[weights_], (*block_)[bias_], 1, 1);
  }

  [[nodiscard]] ConvolutionLayer plain() const {
    const std::vector<double> weights = to_doubles((*block_)[weights_]), bias = to_doubles((*block_)[bias_]);
    ConvolutionLayer layer;
    layer.weights = Matrix<float>(outputs_, inputs_ * 9);
    for (std::size_t i = 0; i < weights.size(); ++i) layer.weights.data()[i] = static_cast<float>(weights[i]);
    for (const double value : bias) layer.bias.push_back(static_cast<float>(value));
    return layer;
  }

 private:
  WeightBlock* block_;
  std::size_t inputs_, outputs_;
  std::size_t weights_ = 0, bias_ = 0;
};

class Stages {
 public:
  Stages(WeightBlock& block, const ImageNetworkOptions& options, Stream& stream) {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < options.stages; ++i)
      widths.push_back(options.width * std::min<std::size_t>(1U << i, 4));
    for (std::size_t i = 0; i < widths.size(); ++i) {
      down_.emplace_back(block, i == 0 ? options.channels : widths[i - 1], widths[i], 1, stream);
    }
    for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
      up_.emplace_back(block, widths[i + 1] + widths[i], widths[i], 1, stream);
    }
    last_.emplace_back(block, widths[0], options.channels, 0.1, stream);  // it starts near the image itself
  }

  [[nodiscard]] at::Tensor forward(const at::Tensor& images) const {
    std::vector<at::Tensor> stages;
    for (const Convolution& layer : down_) {
      stages.push_back(at::relu(layer(stages.empty() ? images : at::avg_pool2d(stages.back(), 2))));
    }
    at::Tensor way = stages.back();
    for (std::size_t i = up_.size(); i-- > 0;) {
      const at::Tensor doubled = at::upsample_nearest2d(way, stages[i].sizes().slice(2));
      way = at::relu(up_[i](at::cat({doubled, stages[i]}, 1)));
    }
    return images + last_[0](way);
  }

  [[nodiscard]] ImageNetwork plain(std::size_t size) const {
    ImageNetwork network;
    network.size = size;
    for (const Convolution& layer : down_) network.down.push_back(layer.plain());
    for (const Convolution& layer : up_) network.up.push_back(layer.plain());
    network.last = last_[0].plain();
    return network;
  }

 private:
  std::vector<Convolution> down_, up_, last_;
};

}  // namespace

TrainedImageNetwork train_image_network(const TrainingSet& set, MatrixView<const float> targets,
                                        const ImageNetworkOptions& options) {
  set.check();
  const TrainingOptions& training = options.training;
  const auto channels = static_cast<std::int64_t>(options.channels), size = static_cast<std::int64_t>(options.size);
  BAUTA_ASSERT(targets.rows == set.inputs.rows && targets.cols == set.inputs.cols);
  BAUTA_ASSERT(set.inputs.cols == options.channels * options.size * options.size && options.stages > 0);
  BAUTA_ASSERT(options.size % (std::size_t{1} << (options.stages - 1)) == 0);
  std::vector<std::int64_t> rows = set.rows(false);
  const std::vector<std::int64_t> held = set.rows(true);
  if (rows.empty()) throw_input("training data", "there is no pair of images to learn from");
  const at::Device device = device_of(training);
  const at::Tensor inputs = rows_tensor(set.inputs, device).view({-1, channels, size, size});
  const at::Tensor wanted = rows_tensor(targets, device).view({-1, channels, size, size});
  WeightBlock block;
  Stream initial(training.seed, "image-network.weights");
  const Stages stages(block, options, initial);
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
  return {stages.plain(options.size), std::move(report)};
}

}  // namespace bauta::training
