#include "conv_stack.hpp"

#include <cmath>
#include <cstring>

#include "bauta/core/error.hpp"

namespace bauta::training {
namespace {

constexpr double momentum = 0.1;
constexpr double epsilon = 1e-5;

}  // namespace

ConvStack::ConvStack(WeightBlock& block, const ConvOptions& options, std::size_t outputs, Stream& stream)
    : block_(&block), options_(options) {
  std::size_t channels = options.input.channels;
  for (const std::size_t filters : options.filters) {
    const std::size_t inputs = channels * 9;
    // Normal with variance 2 / inputs, which keeps the size of what ReLU passes on (He et al. 2015).
    std::vector<float> weights(filters * inputs);
    stream.normals(std::span<float>(weights));
    for (float& weight : weights) weight *= static_cast<float>(std::sqrt(2.0 / static_cast<double>(inputs)));
    Block one{};
    one.filters =
        block.add({static_cast<std::int64_t>(filters), static_cast<std::int64_t>(channels), 3, 3}, std::move(weights));
    one.scale = block.add({static_cast<std::int64_t>(filters)}, std::vector<float>(filters, 1.0F));
    one.shift = block.add({static_cast<std::int64_t>(filters)}, std::vector<float>(filters, 0.0F));
    blocks_.push_back(one);
    channels = filters;
  }
  const std::size_t left = pixels_left(options.input, options.filters.size());
  BAUTA_ASSERT(left > 0);
  std::vector<std::size_t> sizes = {channels * left};
  sizes.insert(sizes.end(), options.hidden.begin(), options.hidden.end());
  sizes.push_back(outputs);
  head_.emplace_back(block, sizes, Activation::relu, Activation::identity, Initial::fan_in, stream);
}

void ConvStack::place(at::Device device) {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const auto filters = static_cast<std::int64_t>(options_.filters[i]);
    blocks_[i].mean = at::zeros({filters}, at::TensorOptions(device).dtype(at::kFloat));
    blocks_[i].variance = at::ones({filters}, at::TensorOptions(device).dtype(at::kFloat));
  }
}

at::Tensor ConvStack::forward(at::Tensor images, Stream* thinned) const {
  for (const Block& one : blocks_) {
    images = at::conv2d(images, (*block_)[one.filters], {}, 1, 1);
    images = at::batch_norm(images, (*block_)[one.scale], (*block_)[one.shift], one.mean, one.variance,
                            thinned != nullptr, momentum, epsilon, false);
    // The larger of what ReLU passes on is what it passes on of the larger.
    images = at::relu(at::max_pool2d(images, {2, 2}));
  }
  at::Tensor rows = images.flatten(1);
  if (thinned != nullptr) rows = thin_out(rows, options_.dropout, *thinned);
  return head_.front().forward(rows);
}

ConvNetwork ConvStack::plain() const {
  ConvNetwork network;
  network.input = options_.input;
  for (const Block& one : blocks_) {
    const at::Tensor filters = (*block_)[one.filters].detach().to(at::kCPU).contiguous();
    const std::vector<double> scale = to_doubles((*block_)[one.scale]), shift = to_doubles((*block_)[one.shift]);
    const std::vector<double> mean = to_doubles(one.mean), variance = to_doubles(one.variance);
    ConvolutionLayer layer;
    layer.weights = Matrix<float>(static_cast<std::size_t>(filters.size(0)),
                                  static_cast<std::size_t>(filters.numel() / filters.size(0)));
    std::memcpy(layer.weights.data(), filters.data_ptr<float>(), layer.weights.size() * sizeof(float));
    for (std::size_t f = 0; f < layer.outputs(); ++f) {
      const double factor = scale[f] / std::sqrt(variance[f] + epsilon);
      for (float& weight : layer.weights.row(f)) weight = static_cast<float>(weight * factor);
      layer.bias.push_back(static_cast<float>(shift[f] - mean[f] * factor));
    }
    network.layers.push_back(std::move(layer));
  }
  network.head = head_.front().plain();
  return network;
}

at::Tensor images_tensor(MatrixView<const float> rows, const ImageShape& shape, at::Device device) {
  BAUTA_ASSERT(rows.cols == shape.size());
  return rows_tensor(rows, device)
      .view({static_cast<std::int64_t>(rows.rows), static_cast<std::int64_t>(shape.height),
             static_cast<std::int64_t>(shape.width), static_cast<std::int64_t>(shape.channels)})
      .permute({0, 3, 1, 2})
      .contiguous();
}

at::Tensor mirrored(const at::Tensor& images, Stream& stream) {
  const at::Tensor turned = images.flip({3});
  const at::Tensor which = at::empty({images.size(0), 1, 1, 1}, at::kBool);
  for (std::int64_t i = 0; i < images.size(0); ++i) which.data_ptr<bool>()[i] = (stream.next32() & 1U) != 0;
  return at::where(which.to(images.device()), turned, images);
}

}  // namespace bauta::training
