#include "critic.hpp"

#include <algorithm>

#include <torch/csrc/autograd/autograd.h>

namespace bauta::training {

Critic::Critic(WeightBlock& block, const ImageNetworkOptions& generator, std::size_t planes, Stream& stream) {
  std::size_t channels = generator.channels + planes;
  const auto width = [&](std::size_t stage) {
    return generator.width * std::min(std::size_t{1} << stage, generator.widest);
  };
  for (std::size_t i = 0; i < generator.stages; ++i) {
    near_.emplace_back(block, channels, width(i), 1, stream);
    wide_.emplace_back(block, width(i), width(i + 1), 1, stream);
    channels = width(i + 1);
  }
  const std::size_t edge = generator.size >> (generator.stages - 1);
  last_.emplace_back(block, std::vector<std::size_t>{channels * edge * edge, 1}, Activation::identity,
                     Activation::identity, Initial::fan_in, stream);
}

at::Tensor Critic::judge(const at::Tensor& images, bool frozen) const {
  constexpr double slope = 0.2;
  at::Tensor way = images;
  for (std::size_t i = 0; i < near_.size(); ++i) {
    if (i > 0) way = at::avg_pool2d(way, 2);
    way = at::leaky_relu(wide_[i](at::leaky_relu(near_[i](way, frozen), slope), frozen), slope);
  }
  return last_[0].forward(way.flatten(1), frozen);
}

at::Tensor Critic::steepness(const at::Tensor& images) const {
  const at::Tensor shown = images.detach().requires_grad_(true);
  const at::Tensor judged = judge(shown, false).sum();
  const at::Tensor gradient = torch::autograd::grad({judged}, {shown}, {}, /*retain_graph=*/true,
                                                    /*create_graph=*/true)[0];
  return gradient.pow(2).sum() / images.size(0);
}

Variation::Variation(const at::Tensor& images, std::size_t colours, Stream& stream)
    : colours_(static_cast<std::int64_t>(colours)) {
  const at::Tensor draws = at::empty({images.size(0), 7}, at::kFloat);
  for (std::int64_t i = 0; i < draws.numel(); ++i) draws.data_ptr<float>()[i] = static_cast<float>(stream.uniform());
  draws_ = draws.to(images.device());
}

at::Tensor Variation::operator()(const at::Tensor& images) const {
  const std::int64_t size = images.size(2);
  at::Tensor colours = images.narrow(1, 0, colours_);
  colours = colours + (draw(0) - 0.5);
  const at::Tensor grey = colours.mean({1}, true);
  colours = (colours - grey) * (2 * draw(1)) + grey;
  const at::Tensor middle = colours.mean({1, 2, 3}, true);
  colours = (colours - middle) * (draw(2) + 0.5) + middle;
  const at::Tensor all = at::cat({colours, images.narrow(1, colours_, images.size(1) - colours_)}, 1);

  // Whole pixels, an eighth of the edge at most; what comes in is zero.
  const double most = static_cast<double>(size) / 8;
  const at::Tensor places = at::arange(size, images.options());
  const auto moved = [&](std::int64_t column) {
    const at::Tensor shift = ((2 * draw(column) - 1) * most).round().view({-1, 1});
    return (places + shift + 0.5) * (2.0 / static_cast<double>(size)) - 1;
  };
  const std::vector<std::int64_t> shape = {images.size(0), size, size};
  const at::Tensor grid = at::stack({moved(3).unsqueeze(1).expand(shape), moved(4).unsqueeze(2).expand(shape)}, 3);
  constexpr std::int64_t nearest = 1, zeros = 0;
  const at::Tensor seen = at::grid_sampler_2d(all, grid, nearest, zeros, /*align_corners=*/false);

  // The square has half the edge; its middle lies anywhere.
  const auto near = [&](std::int64_t column) {
    return (places - draw(column).view({-1, 1}) * static_cast<double>(size)).abs() < static_cast<double>(size) / 4;
  };
  const at::Tensor cut = near(5).unsqueeze(1).logical_and(near(6).unsqueeze(2)).unsqueeze(1);
  return seen * cut.logical_not();
}

}  // namespace bauta::training
