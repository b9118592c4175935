// Generators that fill a region of images.
#include <cmath>
#include <optional>

#include "bauta/core/error.hpp"
#include "conv_stack.hpp"
#include "critic.hpp"
#include "epochs.hpp"
#include "face_net.hpp"
#include "image_networks.hpp"
#include "image_stages.hpp"

namespace bauta::training {
namespace {

constexpr std::int64_t encoder_cell = 4;  // pixels whose mean the encoder sees
constexpr std::size_t encoder_width = 128;
constexpr std::size_t steepness_every = 4;  // steps of the critic

struct Batch {
  at::Tensor images, planes;

  [[nodiscard]] Batch part(std::int64_t first, std::int64_t count) const {
    return {images.narrow(0, first, count), planes.narrow(0, first, count)};
  }
  [[nodiscard]] at::Tensor both() const { return at::cat({images, planes}, 1); }
};

struct Code {
  at::Tensor drawn;
  at::Tensor nats;  ///< by which it differs from a normal one, mean over images
};

class Generator {
 public:
  Generator(WeightBlock& block, const GeneratorOptions& options, std::span<const float> region, at::Device device,
            Stream& stream)
      : options_(options), stages_(block, options.network, stream) {
    const ImageNetworkOptions& network = options.network;
    BAUTA_ASSERT(region.size() == network.size * network.size && network.planes > 0 && network.code > 0);
    const auto size = static_cast<std::int64_t>(network.size);
    BAUTA_ASSERT(size % encoder_cell == 0);
    region_ = at::from_blob(const_cast<float*>(region.data()), {1, 1, size, size}).clone().to(device);
    const std::size_t cells = network.size / encoder_cell;
    encoder_.emplace_back(block,
                          std::vector<std::size_t>{network.channels * cells * cells, encoder_width, 2 * network.code},
                          Activation::relu, Activation::identity, Initial::fan_in, stream);
  }

  [[nodiscard]] at::Tensor normal_codes(std::int64_t count, Stream& noise) const {
    const at::Tensor drawn = at::empty({count, static_cast<std::int64_t>(options_.network.code)}, at::kFloat);
    noise.normals(std::span(drawn.data_ptr<float>(), static_cast<std::size_t>(drawn.numel())));
    return drawn.to(region_.device());
  }

  /// What the encoder says of the region.
  [[nodiscard]] Code encoded(const at::Tensor& images, Stream& noise) const {
    const std::vector<at::Tensor> said =
        encoder_[0].forward(at::avg_pool2d(images * region_, encoder_cell).flatten(1)).chunk(2, 1);
    const at::Tensor &mean = said[0], &logarithm = said[1];  // of the variance
    const at::Tensor nats = (mean.pow(2) + logarithm.exp() - 1 - logarithm).sum() / (2 * images.size(0));
    return {mean + (logarithm / 2).exp() * normal_codes(images.size(0), noise), nats};
  }

  /// All of what the network says, of which the region counts.
  [[nodiscard]] at::Tensor painted(const Batch& batch, const at::Tensor& code) const {
    const at::Tensor region = region_.expand({batch.images.size(0), 1, -1, -1});
    return stages_.forward(at::cat({batch.images * (1 - region_), region, batch.planes}, 1), code);
  }
  [[nodiscard]] at::Tensor in_place(const at::Tensor& painted, const at::Tensor& images) const {
    return at::where(region_ > 0, painted, images);
  }

  /// Of each image, in the region.
  [[nodiscard]] at::Tensor difference(const at::Tensor& one, const at::Tensor& other) const {
    return ((one - other) * region_).abs().sum({1, 2, 3}) / (region_.sum() * one.size(1));
  }
  [[nodiscard]] at::Tensor difference_outside(const at::Tensor& one, const at::Tensor& other) const {
    return ((one - other) * (1 - region_)).abs().mean();
  }

  [[nodiscard]] ImageNetwork plain() const { return stages_.plain(); }

 private:
  GeneratorOptions options_;
  ImageStages stages_;
  std::vector<DenseStack> encoder_;  // one
  at::Tensor region_;
};

/// Weights as means over the last steps: the more images were seen, the longer back.
class MeanWeights {
 public:
  explicit MeanWeights(WeightBlock& block) : block_(&block), mean_(block.values().detach().clone()) {}

  void add(std::int64_t images) {
    const c10::NoGradGuard no_gradients;
    seen_ += static_cast<double>(images);
    const double half_life = std::min(10000.0, seen_ / 20);
    mean_.lerp_(block_->values(), 1 - std::exp2(-static_cast<double>(images) / half_life));
  }

  /// Calls it while the network has the mean weights.
  template <class Work>
  auto with(Work&& work) const {
    const c10::NoGradGuard no_gradients;
    const at::Tensor values = block_->values(), own = values.clone();
    values.copy_(mean_);
    auto result = work();
    values.copy_(own);
    return result;
  }

 private:
  WeightBlock* block_;
  at::Tensor mean_;
  double seen_ = 0;
};

/// What a step costs: see GeneratorProgress.
struct Costs {
  at::Tensor wrong, critic, deceived, sameness;
};

/// Generator against critic.
class Game {
 public:
  Game(const GeneratorOptions& options, std::span<const float> region, at::Device device)
      : options_(options),
        weights_(options.network.training.seed, "generator.weights"),
        generator_(own_, options, region, device, weights_),
        critic_(others_, options.network, options.network.planes - 1, weights_) {
    own_.place(device);
    others_.place(device);
    mean_.emplace(own_);
    paints_.emplace(own_, options.network.training.rate, 0.5, 0.99);
    judges_.emplace(others_, options.network.training.rate, 0.5, 0.99);
    if (options.face_net == nullptr || options.identity == 0) return;
    faces_.emplace(*options.face_net, "face network");
    faces_->place(device);
  }

  void scale_rates(double factor) {
    paints_->scale_rate(factor);
    judges_->scale_rate(factor);
  }

  /// The mean difference with codes of the encoder, and what they cost.
  [[nodiscard]] at::Tensor known_loss(const Batch& batch, Stream& noise) const {
    const Code code = generator_.encoded(batch.images, noise);
    return generator_.difference(generator_.painted(batch, code.drawn), batch.images).mean() +
           options_.divergence * code.nats;
  }

  Costs step(const Batch& batch, Stream& noise) {
    // Some images with what they show, then others twice with drawn codes.
    const std::int64_t pairs = batch.images.size(0) / 4, known = batch.images.size(0) - 2 * pairs;
    const Batch first = batch.part(0, known), twice = batch.part(known, pairs);
    const Batch all = {at::cat({first.images, twice.images, twice.images}),
                       at::cat({first.planes, twice.planes, twice.planes})};
    const Code code = generator_.encoded(first.images, noise);
    const at::Tensor painted =
        generator_.painted(all, at::cat({code.drawn, generator_.normal_codes(2 * pairs, noise)}));
    const Batch made = {generator_.in_place(painted, all.images), all.planes};
    const at::Tensor none = at::zeros({}, painted.options());
    Costs costs{.wrong = generator_.difference(painted.narrow(0, 0, known), first.images).mean() +
                         options_.divergence * code.nats,
                .critic = none,
                .deceived = none,
                .sameness = none};
    at::Tensor loss = costs.wrong + generator_.difference_outside(painted, all.images);
    if (options_.adversarial > 0) {
      costs.critic = improve_critic(batch, made, noise);
      const Variation varied(made.images, options_.network.channels, noise);
      costs.deceived = at::softplus(-critic_.judge(varied(made.both()), true)).mean();
      loss = loss + options_.adversarial * costs.deceived;
    }
    if (pairs > 0) {
      costs.sameness =
          sameness(made.images.narrow(0, known, pairs), made.images.narrow(0, known + pairs, pairs), twice.images);
      loss = loss + costs.sameness;
    }
    own_.forget_gradients();
    loss.backward();
    paints_->step();
    mean_->add(batch.images.size(0));
    return costs;
  }

  [[nodiscard]] const MeanWeights& mean() const { return *mean_; }
  [[nodiscard]] ImageNetwork plain() const {
    return mean_->with([&] { return generator_.plain(); });
  }

 private:
  at::Tensor improve_critic(const Batch& real, const Batch& made, Stream& noise) {
    const auto varied = [&](const Batch& batch) {
      const c10::NoGradGuard no_gradients;
      return Variation(batch.images, options_.network.channels, noise)(batch.both());
    };
    const at::Tensor images = varied(real);
    const at::Tensor errs =
        at::softplus(-critic_.judge(images, false)).mean() + at::softplus(critic_.judge(varied(made), false)).mean();
    at::Tensor loss = errs;
    if (steps_++ % steepness_every == 0 && options_.steepness > 0) {
      loss = loss + options_.steepness * steepness_every / 2 * critic_.steepness(images);
    }
    others_.forget_gradients();
    loss.backward();
    judges_->step();
    return errs;
  }

  /// What it costs that two codes paint much the same, or the same person, or the person who was there.
  [[nodiscard]] at::Tensor sameness(const at::Tensor& one, const at::Tensor& other, const at::Tensor& before) const {
    at::Tensor cost = options_.diversity * at::relu(options_.apart - generator_.difference(one, other)).mean();
    if (!faces_) return cost;
    const std::vector<at::Tensor> seen =
        faces_->embed((at::cat({one, other, before}) + 1) * 127.5, options_.face_frame).chunk(3, 0);
    const auto near = [&](const at::Tensor& a, const at::Tensor& b) {
      return at::relu(options_.stranger - ((a - b).pow(2).sum(1) + 1e-8).sqrt()).mean();
    };
    return cost + options_.identity * (near(seen[0], seen[1]) + near(seen[0], seen[2]) + near(seen[1], seen[2])) / 3;
  }

  GeneratorOptions options_;
  Stream weights_;
  WeightBlock own_, others_;
  Generator generator_;
  Critic critic_;
  std::optional<MeanWeights> mean_;
  std::optional<Adam> paints_, judges_;
  std::optional<FaceRecognitionNet> faces_;
  std::size_t steps_ = 0;
};

}  // namespace

TrainedImageNetwork train_generator(const TrainingSet& set, std::span<const float> region,
                                    MatrixView<const float> planes, const GeneratorOptions& options) {
  set.check();
  const TrainingOptions& training = options.network.training;
  const auto size = static_cast<std::int64_t>(options.network.size);
  const auto beside = static_cast<std::int64_t>(options.network.planes) - 1;
  BAUTA_ASSERT(planes.rows == set.inputs.rows && planes.cols == static_cast<std::size_t>(beside * size * size));
  std::vector<std::int64_t> rows = set.rows(false);
  const std::vector<std::int64_t> held = set.rows(true);
  if (rows.empty()) throw_input("training data", "there is no image to learn from");
  const at::Device device = device_of(training);
  const Batch all{planes_tensor(set.inputs, options.network, device),
                  rows_tensor(planes, device).view({static_cast<std::int64_t>(planes.rows), beside, size, size})};
  if (device.is_cuda()) at::globalContext().setBenchmarkCuDNN(true);
  Game game(options, region, device);
  const auto taken = [&](const at::Tensor& which) {
    return Batch{all.images.index_select(0, which), all.planes.index_select(0, which)};
  };
  const auto judge = [&] {
    if (held.empty()) return std::numeric_limits<double>::quiet_NaN();
    const at::Tensor those = index_tensor(held, device);
    Stream noise(training.seed, "generator.judge");
    MeanLoss mean(device);
    for (const auto& [first, count] : batch_bounds(held.size(), training.batch)) {
      mean.add(game.known_loss(taken(those.narrow(0, first, count)), noise), count);
    }
    return mean.value();
  };
  TrainingReport so_far;
  const std::size_t late = 2 * training.epochs / 3 + 1;
  TrainingReport report = run_epochs(training, {}, [&](std::size_t epoch) {
    if (epoch == late && epoch > 1) game.scale_rates(0.1);
    Stream order(training.seed, "generator.order", epoch), mirror(training.seed, "generator.mirror", epoch);
    Stream noise(training.seed, "generator.noise", epoch);
    order.shuffle(std::span(rows));
    const at::Tensor shuffled = index_tensor(rows, device);
    MeanLoss wrong(device), critic(device), deceived(device), sameness(device);
    for (const auto& [first, count] : batch_bounds(rows.size(), std::min(training.batch, rows.size()))) {
      Batch batch = taken(shuffled.narrow(0, first, count));
      if (options.mirror) {
        const at::Tensor turned = mirrored(batch.both(), mirror);
        const std::int64_t channels = batch.images.size(1);
        batch = {turned.narrow(1, 0, channels), turned.narrow(1, channels, beside)};
      }
      const Costs costs = game.step(batch, noise);
      wrong.add(costs.wrong, count);
      critic.add(costs.critic, count);
      deceived.add(costs.deceived, count);
      sameness.add(costs.sameness, count);
    }
    EpochResult result{wrong.value(), game.mean().with(judge)};
    so_far.training_losses.push_back(result.training);
    if (!held.empty()) so_far.validation_losses.push_back(result.validation);
    if (options.goes_on) {
      const ImageNetwork network = game.plain();
      result.ends = !options.goes_on({&network, &so_far, critic.value(), deceived.value(), sameness.value()});
    }
    return result;
  });
  report.best_epoch = report.epochs();  // a critic's game has no best moment
  return {game.plain(), std::move(report)};
}

}  // namespace bauta::training
