// Networks that tell images from painted ones.
#pragma once

#include <vector>

#include <ATen/ATen.h>

#include "image_stages.hpp"

namespace bauta::training {

/// Two convolutions in each stage and a leaky ReLU after each; stages are halved between (means of 2 x 2 pixels).
class Critic {
 public:
  /// Of images as the generator's, with `planes` beside them. `block` must outlive the critic.
  Critic(WeightBlock& block, const ImageNetworkOptions& generator, std::size_t planes, Stream& stream);

  /// A number per image, the larger the more it looks like an image. `frozen`: gradients flow to the images, not to the
  /// weights.
  [[nodiscard]] at::Tensor judge(const at::Tensor& images, bool frozen) const;
  /// Mean squared gradient of its judgement of these images (Mescheder et al. 2018); gradients flow to the weights.
  [[nodiscard]] at::Tensor steepness(const at::Tensor& images) const;

 private:
  std::vector<Convolution> near_, wide_;
  std::vector<DenseStack> last_;  // one
};

/// What is done to images before they are judged, so that a critic cannot know few of them by heart (Zhao et al. 2020,
/// DiffAugment): light, colours and contrast of the first channels, place, and a square cut out; other draws for each
/// image.
class Variation {
 public:
  Variation(const at::Tensor& images, std::size_t colours, Stream& stream);

  /// Gradients flow back. All channels move alike.
  [[nodiscard]] at::Tensor operator()(const at::Tensor& images) const;

 private:
  /// A number per image.
  [[nodiscard]] at::Tensor draw(std::int64_t column) const { return draws_.select(1, column).view({-1, 1, 1, 1}); }

  std::int64_t colours_;
  at::Tensor draws_;  ///< images x 7, from 0 to 1
};

}  // namespace bauta::training
