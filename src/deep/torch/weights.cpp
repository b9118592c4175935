#include "weights.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace bauta::training {
namespace {

// On the CPU an optimiser works through pieces that stay in the cache; elsewhere every operation is one launch.
constexpr std::int64_t piece = 1 << 14;

template <class Step>
void by_pieces(const at::Tensor& values, Step&& step) {
  const std::int64_t size = values.numel();
  const std::int64_t length = values.is_cpu() ? piece : std::max<std::int64_t>(size, 1);
  for (std::int64_t first = 0; first < size; first += length) {
    const std::int64_t count = std::min(length, size - first);
    step([&](const at::Tensor& tensor) { return tensor.narrow(0, first, count); });
  }
}

float bound(Initial initial, std::size_t inputs, std::size_t outputs) {
  switch (initial) {
    case Initial::glorot:
      return static_cast<float>(std::sqrt(6.0 / static_cast<double>(inputs + outputs)));
    case Initial::fan_in:
      return static_cast<float>(std::sqrt(3.0 / static_cast<double>(inputs)));
    case Initial::small:
      return 0.05F;
  }
  BAUTA_ASSERT(false);
}

std::vector<float> draw(std::size_t count, float limit, Stream& stream) {
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(2 * stream.uniform() - 1) * limit;
  return values;
}

}  // namespace

std::size_t WeightBlock::add(std::vector<std::int64_t> shape, std::vector<float> initial) {
  shapes_.push_back(std::move(shape));
  initial_.insert(initial_.end(), initial.begin(), initial.end());
  return shapes_.size() - 1;
}

void WeightBlock::place(at::Device device, at::ScalarType type) {
  const auto size = static_cast<std::int64_t>(initial_.size());
  values_ = at::from_blob(initial_.data(), {size}, at::kFloat).clone().to(at::TensorOptions(device).dtype(type));
  gradients_ = at::zeros_like(values_);
  std::int64_t first = 0;
  for (const auto& shape : shapes_) {
    std::int64_t count = 1;
    for (const std::int64_t extent : shape) count *= extent;
    at::Tensor leaf = values_.narrow(0, first, count).view(shape).detach();
    leaf.set_requires_grad(true);
    leaf.mutable_grad() = gradients_.narrow(0, first, count).view(shape);  // gradients are added up in place
    leaves_.push_back(leaf);
    first += count;
  }
  BAUTA_ASSERT(first == size);
}

DenseStack::DenseStack(WeightBlock& block, const std::vector<std::size_t>& sizes, Activation between, Activation last,
                       Initial initial, Stream& stream)
    : block_(&block) {
  BAUTA_ASSERT(sizes.size() >= 2);
  for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
    const std::size_t inputs = sizes[i];
    const std::size_t outputs = sizes[i + 1];
    const float limit = bound(initial, inputs, outputs);
    Leaves leaves{};
    leaves.weights = block.add({static_cast<std::int64_t>(outputs), static_cast<std::int64_t>(inputs)},
                               draw(outputs * inputs, limit, stream));
    leaves.bias =
        block.add({static_cast<std::int64_t>(outputs)}, draw(outputs, initial == Initial::glorot ? limit : 0, stream));
    leaves.activation = i + 2 < sizes.size() ? between : last;
    layers_.push_back(leaves);
  }
}

at::Tensor DenseStack::apply(std::size_t layer, const at::Tensor& rows, bool frozen) const {
  const at::Tensor& weights = (*block_)[layers_[layer].weights];
  const at::Tensor& bias = (*block_)[layers_[layer].bias];
  const at::Tensor sums = frozen ? at::linear(rows, weights.detach(), bias.detach()) : at::linear(rows, weights, bias);
  switch (layers_[layer].activation) {
    case Activation::identity:
      return sums;
    case Activation::relu:
      return at::relu(sums);
    case Activation::tanh:
      return at::tanh(sums);
  }
  BAUTA_ASSERT(false);
}

at::Tensor DenseStack::forward(at::Tensor rows, bool frozen) const {
  for (std::size_t i = 0; i < layers_.size(); ++i) rows = apply(i, rows, frozen);
  return rows;
}

DenseLayer DenseStack::plain(std::size_t layer) const {
  const at::Tensor weights = (*block_)[layers_[layer].weights].detach().to(at::kCPU).contiguous();
  const at::Tensor bias = (*block_)[layers_[layer].bias].detach().to(at::kCPU).contiguous();
  DenseLayer result;
  result.weights = Matrix<float>(static_cast<std::size_t>(weights.size(0)), static_cast<std::size_t>(weights.size(1)));
  std::memcpy(result.weights.data(), weights.data_ptr<float>(), result.weights.size() * sizeof(float));
  result.bias.assign(bias.data_ptr<float>(), bias.data_ptr<float>() + bias.numel());
  result.activation = layers_[layer].activation;
  return result;
}

Network DenseStack::plain() const {
  Network network;
  for (std::size_t i = 0; i < layers_.size(); ++i) network.layers.push_back(plain(i));
  return network;
}

Adam::Adam(WeightBlock& block, double rate, double beta1, double beta2)
    : block_(&block),
      rate_(rate),
      beta1_(beta1),
      beta2_(beta2),
      mean_(at::zeros_like(block.values())),
      square_(at::zeros_like(block.values())) {}

void Adam::step() {
  const c10::NoGradGuard no_gradients;
  power1_ *= beta1_;
  power2_ *= beta2_;
  by_pieces(block_->values(), [&](auto&& part) {
    const at::Tensor gradient = part(block_->gradients());
    const at::Tensor mean = part(mean_).mul_(beta1_).add_(gradient, 1 - beta1_);
    const at::Tensor square = part(square_).mul_(beta2_).addcmul_(gradient, gradient, 1 - beta2_);
    const at::Tensor root = square.sqrt().mul_(1 / std::sqrt(1 - power2_)).add_(1e-8);
    part(block_->values()).addcdiv_(mean, root, -rate_ / (1 - power1_));
  });
}

Adadelta::Adadelta(WeightBlock& block, double rate)
    : block_(&block), rate_(rate), square_(at::zeros_like(block.values())), moved_(at::zeros_like(block.values())) {}

void Adadelta::step() {
  constexpr double rho = 0.95;
  constexpr double epsilon = 1e-7;
  const c10::NoGradGuard no_gradients;
  by_pieces(block_->values(), [&](auto&& part) {
    const at::Tensor gradient = part(block_->gradients());
    const at::Tensor square = part(square_).mul_(rho).addcmul_(gradient, gradient, 1 - rho);
    const at::Tensor moved = part(moved_);
    const at::Tensor step = moved.add(epsilon).div_(square.add(epsilon)).sqrt_().mul_(gradient);
    part(block_->values()).add_(step, -rate_);
    moved.mul_(rho).addcmul_(step, step, 1 - rho);
  });
}

at::Tensor rows_tensor(MatrixView<const float> rows, at::Device device) {
  at::Tensor tensor =
      at::empty({static_cast<std::int64_t>(rows.rows), static_cast<std::int64_t>(rows.cols)}, at::kFloat);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    std::copy(rows.row(i).begin(), rows.row(i).end(), tensor.data_ptr<float>() + i * rows.cols);
  }
  return tensor.to(device);
}

at::Tensor index_tensor(const std::vector<std::int64_t>& indices, at::Device device) {
  at::Tensor tensor = at::empty({static_cast<std::int64_t>(indices.size())}, at::kLong);
  std::copy(indices.begin(), indices.end(), tensor.data_ptr<std::int64_t>());
  return tensor.to(device);
}

std::vector<double> to_doubles(const at::Tensor& tensor) {
  const at::Tensor plain = tensor.detach().to(at::kCPU).to(at::kDouble).contiguous();
  return {plain.data_ptr<double>(), plain.data_ptr<double>() + plain.numel()};
}

at::Tensor thin_out(const at::Tensor& rows, double probability, Stream& stream) {
  if (probability == 0) return rows;
  const auto limit = static_cast<std::uint32_t>(std::lround(probability * 65536));
  const auto kept = static_cast<float>(65536.0 / (65536.0 - limit));
  const at::Tensor mask = at::empty(rows.sizes(), at::kFloat);
  float* values = mask.data_ptr<float>();
  const std::int64_t count = mask.numel();
  for (std::int64_t i = 0; i < count; i += 2) {
    const std::uint32_t word = stream.next32();
    values[i] = (word & 0xffff) < limit ? 0 : kept;
    if (i + 1 < count) values[i + 1] = (word >> 16) < limit ? 0 : kept;
  }
  return rows * mask.to(rows.device());
}

}  // namespace bauta::training
