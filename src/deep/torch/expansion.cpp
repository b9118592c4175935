// Expansion network of NFR (Terhorst et al. 2020).
#include <cmath>
#include <numeric>

#include "bauta/core/error.hpp"
#include "bauta/deep/sampling.hpp"
#include "epochs.hpp"
#include "families.hpp"
#include "losses.hpp"
#include "weights.hpp"

namespace bauta::training {
namespace {

constexpr double judging_margin = 0.2;

/// Normalisation over the batch with Keras' constants.
class BatchNormalisation {
 public:
  static constexpr double momentum = 0.01;  // of the newest batch
  static constexpr double epsilon = 1e-3;

  BatchNormalisation(WeightBlock& block, std::size_t features)
      : block_(&block),
        features_(static_cast<std::int64_t>(features)),
        scale_(block.add({features_}, std::vector<float>(features, 1))),
        shift_(block.add({features_}, std::vector<float>(features, 0))) {}

  void place(at::Device device) {
    mean_ = at::zeros({features_}, at::TensorOptions(device).dtype(at::kFloat));
    variance_ = at::ones_like(mean_);
  }

  [[nodiscard]] at::Tensor apply(const at::Tensor& rows, bool learning) const {
    return at::batch_norm(rows, (*block_)[scale_], (*block_)[shift_], mean_, variance_, learning, momentum, epsilon,
                          false);
  }

  [[nodiscard]] std::vector<at::Tensor> state() const { return {mean_, variance_}; }

  /// The layer after it, taking what stood before it.
  void fold(DenseLayer& next) const {
    const std::vector<double> mean = to_doubles(mean_);
    const std::vector<double> variance = to_doubles(variance_);
    std::vector<double> scale = to_doubles((*block_)[scale_]);
    std::vector<double> shift = to_doubles((*block_)[shift_]);
    for (std::size_t j = 0; j < scale.size(); ++j) {
      scale[j] /= std::sqrt(variance[j] + epsilon);
      shift[j] -= mean[j] * scale[j];
    }
    fold_into(next, scale, shift);
  }

 private:
  WeightBlock* block_;
  std::int64_t features_;
  std::size_t scale_;
  std::size_t shift_;
  at::Tensor mean_;
  at::Tensor variance_;
};

struct ExpansionNetwork {
  WeightBlock block;
  std::vector<DenseStack> dense;  // one layer each: 256, 512, features, identities
  std::vector<BatchNormalisation> normalised;

  ExpansionNetwork(std::size_t inputs, std::size_t features, std::size_t identities, Stream& stream,
                   at::Device device) {
    const std::vector<std::size_t> sizes = {inputs, 256, 512, features, identities};
    const std::vector<Activation> activations = {Activation::relu, Activation::relu, Activation::tanh,
                                                 Activation::identity};
    for (std::size_t i = 0; i < 4; ++i) {
      dense.emplace_back(block, std::vector<std::size_t>{sizes[i], sizes[i + 1]}, activations[i], activations[i],
                         Initial::small, stream);
      if (i < 3) normalised.emplace_back(block, sizes[i + 1]);
    }
    block.place(device);
    for (auto& normalisation : normalised) normalisation.place(device);
  }

  [[nodiscard]] at::Tensor expand(at::Tensor rows) const {
    for (std::size_t i = 0; i < 2; ++i) rows = normalised[i].apply(dense[i].forward(rows), false);
    return dense[2].forward(rows);
  }

  [[nodiscard]] at::Tensor logits(at::Tensor rows, double dropout, Stream& stream) const {
    for (std::size_t i = 0; i < 3; ++i) {
      rows = thin_out(normalised[i].apply(dense[i].forward(rows), true), dropout, stream);
    }
    return dense[3].forward(rows);
  }

  [[nodiscard]] std::vector<at::Tensor> state() const {
    std::vector<at::Tensor> tensors = {block.values()};
    for (const auto& normalisation : normalised) {
      for (const at::Tensor& tensor : normalisation.state()) tensors.push_back(tensor);
    }
    return tensors;
  }

  [[nodiscard]] Network plain() const {
    Network network;
    for (std::size_t i = 0; i < 3; ++i) {
      network.layers.push_back(dense[i].plain(0));
      if (i > 0) normalised[i - 1].fold(network.layers.back());
    }
    return network;
  }
};

/// Class codes of the training rows: subjects numbered without gaps; -1 for the others.
std::vector<std::int64_t> identity_codes(const TrainingSet& set, const std::vector<std::int64_t>& rows,
                                         std::size_t& identities) {
  std::vector<std::int64_t> code_of(*std::max_element(set.subjects.begin(), set.subjects.end()) + std::size_t{1}, -1);
  std::vector<std::int64_t> codes(set.inputs.rows, -1);
  std::int64_t next = 0;
  for (const std::int64_t row : rows) {
    std::int64_t& code = code_of[static_cast<std::size_t>(set.subjects[static_cast<std::size_t>(row)])];
    if (code < 0) code = next++;
    codes[static_cast<std::size_t>(row)] = code;
  }
  identities = static_cast<std::size_t>(next);
  return codes;
}

}  // namespace

TrainedNetwork train_expansion(const TrainingSet& set, const ExpansionOptions& options) {
  set.check();
  const TrainingOptions& training = options.training;
  const at::Device device = device_of(training);
  std::vector<std::int64_t> rows = set.rows(false);
  const std::vector<std::int64_t> held = set.rows(true);
  std::size_t identities = 0;
  const at::Tensor codes = index_tensor(identity_codes(set, rows, identities), device);
  if (identities < 2 || rows.size() < 2) {
    throw_input("training data", "there are fewer than two identities to tell apart");
  }
  Triplets judges;
  if (!held.empty()) {
    Stream stream(training.seed, "expansion.judges");
    TripletSampler sampler(set.subjects, held, {}, "validation");
    judges = sampler.draw(sampler.anchors(), stream);
  }

  const at::Tensor inputs = rows_tensor(set.inputs, device);
  Stream initial(training.seed, "expansion.weights");
  ExpansionNetwork network(set.inputs.cols, options.features, identities, initial, device);
  Adadelta optimiser(network.block, training.rate);

  const auto judge = [&] {
    if (held.empty()) return std::numeric_limits<double>::quiet_NaN();
    const c10::NoGradGuard no_gradients;
    MeanLoss loss(device);
    for (const auto& [first, count] : batch_bounds(judges.anchors.size(), training.batch)) {
      const auto side = [&, first = first, count = count](const std::vector<std::int64_t>& of) {
        const std::vector<std::int64_t> part(of.begin() + first, of.begin() + first + count);
        return to_unit_length(network.expand(inputs.index_select(0, index_tensor(part, device))));
      };
      loss.add(triplet_loss(side(judges.anchors), side(judges.positives), side(judges.negatives), judging_margin),
               count);
    }
    return loss.value();
  };

  TrainingReport report = run_epochs(training, network.state(), [&](std::size_t epoch) {
    Stream order(training.seed, "expansion.order", epoch);
    Stream masks(training.seed, "expansion.dropout", epoch);
    order.shuffle(std::span(rows));
    const at::Tensor shuffled = index_tensor(rows, device);
    MeanLoss mean(device);
    for (const auto& [first, count] : batch_bounds(rows.size(), training.batch)) {
      const at::Tensor batch = shuffled.narrow(0, first, count);
      const at::Tensor logits = network.logits(inputs.index_select(0, batch), options.dropout, masks);
      const at::Tensor targets = codes.index_select(0, batch);
      const at::Tensor loss = options.loss == ExpansionOptions::Loss::binary ? softmax_binary_loss(logits, targets)
                                                                             : at::cross_entropy_loss(logits, targets);
      network.block.forget_gradients();
      loss.backward();
      optimiser.step();
      mean.add(loss, count);
    }
    return EpochResult{mean.value(), judge()};
  });
  return {network.plain(), std::move(report)};
}

}  // namespace bauta::training
