// Generators that fill a region of images.
#include "bauta/core/error.hpp"
#include "conv_stack.hpp"
#include "epochs.hpp"
#include "image_networks.hpp"
#include "image_stages.hpp"

namespace bauta::training {
namespace {

constexpr std::int64_t encoder_cell = 4;  // pixels whose mean the encoder sees
constexpr std::size_t encoder_width = 128;

class Generator {
 public:
  Generator(WeightBlock& block, const GeneratorOptions& options, std::span<const float> region, at::Device device,
            Stream& stream)
      : options_(options), stages_(block, options.network, stream) {
    const ImageNetworkOptions& network = options.network;
    BAUTA_ASSERT(region.size() == network.size * network.size && network.planes == 1 && network.code > 0);
    const auto size = static_cast<std::int64_t>(network.size);
    BAUTA_ASSERT(size % encoder_cell == 0);
    region_ = at::from_blob(const_cast<float*>(region.data()), {1, 1, size, size}).clone().to(device);
    const std::size_t cells = network.size / encoder_cell;
    encoder_.emplace_back(block,
                          std::vector<std::size_t>{network.channels * cells * cells, encoder_width, 2 * network.code},
                          Activation::relu, Activation::identity, Initial::fan_in, stream);
  }

  /// Mean absolute difference in the region, and what the codes cost; `noise` draws them.
  [[nodiscard]] at::Tensor loss(const at::Tensor& images, Stream& noise) const {
    const auto length = static_cast<std::int64_t>(options_.network.code);
    const at::Tensor inside = images * region_;
    const at::Tensor said = encoder_[0].forward(at::avg_pool2d(inside, encoder_cell).flatten(1));
    const at::Tensor mean = said.narrow(1, 0, length), logarithm = said.narrow(1, length, length);  // of the variance
    const at::Tensor drawn = at::empty({images.size(0), length}, at::kFloat);
    noise.normals(std::span(drawn.data_ptr<float>(), static_cast<std::size_t>(drawn.numel())));
    const at::Tensor code = mean + (logarithm / 2).exp() * drawn.to(images.device());
    const at::Tensor shown = at::cat({images - inside, region_.expand({images.size(0), 1, -1, -1})}, 1);
    const at::Tensor wrong = ((stages_.forward(shown, code) - images) * region_).abs().sum() /
                             (region_.sum() * images.size(0) * images.size(1));
    const at::Tensor nats = (mean.pow(2) + logarithm.exp() - 1 - logarithm).sum() / (2 * images.size(0));
    return wrong + options_.divergence * nats;
  }

  [[nodiscard]] ImageNetwork plain() const { return stages_.plain(); }

 private:
  GeneratorOptions options_;
  ImageStages stages_;
  std::vector<DenseStack> encoder_;  // one
  at::Tensor region_;
};

}  // namespace

TrainedImageNetwork train_generator(const TrainingSet& set, std::span<const float> region,
                                    const GeneratorOptions& options) {
  set.check();
  const TrainingOptions& training = options.network.training;
  std::vector<std::int64_t> rows = set.rows(false);
  const std::vector<std::int64_t> held = set.rows(true);
  if (rows.empty()) throw_input("training data", "there is no image to learn from");
  const at::Device device = device_of(training);
  const at::Tensor images = planes_tensor(set.inputs, options.network, device);
  WeightBlock block;
  Stream initial(training.seed, "generator.weights");
  const Generator generator(block, options, region, device, initial);
  block.place(device);
  Adam optimiser(block, training.rate);
  const std::size_t late = 2 * training.epochs / 3 + 1;

  const auto judge = [&] {
    if (held.empty()) return std::numeric_limits<double>::quiet_NaN();
    const c10::NoGradGuard no_gradients;
    const at::Tensor all = index_tensor(held, device);
    Stream noise(training.seed, "generator.judge");
    MeanLoss mean(device);
    for (const auto& [first, count] : batch_bounds(held.size(), training.batch)) {
      mean.add(generator.loss(images.index_select(0, all.narrow(0, first, count)), noise), count);
    }
    return mean.value();
  };
  TrainingReport report = run_epochs(training, {block.values()}, [&](std::size_t epoch) {
    if (epoch == late && epoch > 1) optimiser.scale_rate(0.1);
    Stream order(training.seed, "generator.order", epoch), mirror(training.seed, "generator.mirror", epoch);
    Stream noise(training.seed, "generator.noise", epoch);
    order.shuffle(std::span(rows));
    const at::Tensor shuffled = index_tensor(rows, device);
    MeanLoss mean(device);
    for (const auto& [first, count] : batch_bounds(rows.size(), std::min(training.batch, rows.size()))) {
      at::Tensor batch = images.index_select(0, shuffled.narrow(0, first, count));
      if (options.mirror) batch = mirrored(batch, mirror);
      const at::Tensor loss = generator.loss(batch, noise);
      block.forget_gradients();
      loss.backward();
      optimiser.step();
      mean.add(loss, count);
    }
    return EpochResult{mean.value(), judge()};
  });
  return {generator.plain(), std::move(report)};
}

}  // namespace bauta::training
