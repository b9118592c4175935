#include "image_stages.hpp"

#include <algorithm>
#include <cmath>

#include "bauta/core/error.hpp"

namespace bauta::training {

Convolution::Convolution(WeightBlock& block, std::size_t inputs, std::size_t outputs, double scale, Stream& stream)
    : block_(&block), inputs_(inputs), outputs_(outputs) {
  const double limit = scale * std::sqrt(6.0 / static_cast<double>(inputs * 9));
  std::vector<float> initial(outputs * inputs * 9);
  for (float& value : initial) value = static_cast<float>((2 * stream.uniform() - 1) * limit);
  const auto in = static_cast<std::int64_t>(inputs), out = static_cast<std::int64_t>(outputs);
  weights_ = block.add({out, in, 3, 3}, std::move(initial));
  bias_ = block.add({out}, std::vector<float>(outputs, 0.0F));
}

ConvolutionLayer Convolution::plain() const {
  const std::vector<double> weights = to_doubles((*block_)[weights_]), bias = to_doubles((*block_)[bias_]);
  ConvolutionLayer layer;
  layer.weights = Matrix<float>(outputs_, inputs_ * 9);
  for (std::size_t i = 0; i < weights.size(); ++i) layer.weights.data()[i] = static_cast<float>(weights[i]);
  for (const double value : bias) layer.bias.push_back(static_cast<float>(value));
  return layer;
}

ImageStages::ImageStages(WeightBlock& block, const ImageNetworkOptions& options, Stream& stream) : options_(options) {
  BAUTA_ASSERT(options.stages > 0 && options.size % (std::size_t{1} << (options.stages - 1)) == 0);
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < options.stages; ++i) {
    widths.push_back(options.width * std::min(std::size_t{1} << i, options.widest));
  }
  for (std::size_t i = 0; i < widths.size(); ++i) {
    down_.emplace_back(block, i == 0 ? options.channels + options.planes : widths[i - 1], widths[i], 1, stream);
  }
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
    up_.emplace_back(block, widths[i + 1] + widths[i], widths[i], 1, stream);
  }
  last_.emplace_back(block, widths[0], options.channels, 0.1, stream);  // it starts near the image itself
  if (options.code == 0) return;
  const std::size_t edge = options.size >> (options.stages - 1);
  const auto told = [&](std::size_t numbers, Initial initial) {
    return DenseStack(block, {options.code, numbers}, Activation::identity, Activation::identity, initial, stream);
  };
  code_.push_back(told(widths.back() * edge * edge, Initial::fan_in));
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
    style_.push_back(told(2 * widths[i], Initial::small));  // factors start near 1
    fine_.emplace_back(block, widths[i], widths[i], 1, stream);
  }
}

at::Tensor ImageStages::forward(const at::Tensor& planes, const at::Tensor& code) const {
  const bool generates = !fine_.empty();
  const auto rectified = [&](const at::Tensor& stage) {
    return generates ? at::leaky_relu(stage, ImageNetwork::leak) : at::relu(stage);
  };
  std::vector<at::Tensor> stages;
  for (const Convolution& layer : down_) {
    at::Tensor seen = layer(stages.empty() ? planes : at::avg_pool2d(stages.back(), 2));
    if (stages.size() + 1 == down_.size() && !code_.empty()) seen = seen + code_[0].forward(code).view_as(seen);
    stages.push_back(rectified(seen));
  }
  at::Tensor way = stages.back();
  for (std::size_t i = up_.size(); i-- > 0;) {
    const at::Tensor doubled = at::upsample_nearest2d(way, stages[i].sizes().slice(2));
    way = up_[i](at::cat({doubled, stages[i]}, 1));
    if (generates) {
      const std::vector<at::Tensor> style = style_[i].forward(code).unsqueeze(2).unsqueeze(3).chunk(2, 1);
      way = fine_[i](rectified(way * (1 + style[0]) + style[1]));
    }
    way = rectified(way);
  }
  return planes.narrow(1, 0, static_cast<std::int64_t>(options_.channels)) + last_[0](way);
}

ImageNetwork ImageStages::plain() const {
  ImageNetwork network;
  network.size = options_.size;
  for (const Convolution& layer : down_) network.down.push_back(layer.plain());
  for (const Convolution& layer : up_) network.up.push_back(layer.plain());
  network.last = last_[0].plain();
  if (!code_.empty()) network.code = code_[0].plain(0);
  for (const DenseStack& layer : style_) network.style.push_back(layer.plain(0));
  for (const Convolution& layer : fine_) network.fine.push_back(layer.plain());
  return network;
}

at::Tensor planes_tensor(MatrixView<const float> rows, const ImageNetworkOptions& options, at::Device device) {
  BAUTA_ASSERT(rows.cols == options.channels * options.size * options.size);
  const auto size = static_cast<std::int64_t>(options.size);
  return rows_tensor(rows, device).view({-1, static_cast<std::int64_t>(options.channels), size, size});
}

}  // namespace bauta::training
