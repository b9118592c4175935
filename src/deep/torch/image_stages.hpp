// Networks from images to images in training.
#pragma once

#include <vector>

#include <ATen/ATen.h>

#include "bauta/core/random.hpp"
#include "bauta/deep/image_trainer.hpp"
#include "weights.hpp"

namespace bauta::training {

/// Convolutions of 3 x 3 in a block of weights.
class Convolution {
 public:
  /// Uniform first weights of variance 2 / inputs (He et al. 2015), times `scale`.
  Convolution(WeightBlock& block, std::size_t inputs, std::size_t outputs, double scale, Stream& stream);

  /// `frozen`: gradients flow to the images, not to the weights.
  [[nodiscard]] at::Tensor operator()(const at::Tensor& images, bool frozen = false) const {
    const at::Tensor &weights = (*block_)[weights_], &bias = (*block_)[bias_];
    return frozen ? at::conv2d(images, weights.detach(), bias.detach(), 1, 1) : at::conv2d(images, weights, bias, 1, 1);
  }
  [[nodiscard]] ConvolutionLayer plain() const;

 private:
  WeightBlock* block_;
  std::size_t inputs_, outputs_;
  std::size_t weights_ = 0, bias_ = 0;
};

/// See ImageNetwork.
class ImageStages {
 public:
  /// `block` must outlive the stages.
  ImageStages(WeightBlock& block, const ImageNetworkOptions& options, Stream& stream);

  /// `code` is a row per image; of networks that take none it is undefined.
  [[nodiscard]] at::Tensor forward(const at::Tensor& planes, const at::Tensor& code = {}) const;
  [[nodiscard]] ImageNetwork plain() const;

 private:
  ImageNetworkOptions options_;
  std::vector<Convolution> down_, up_, fine_, last_;
  std::vector<DenseStack> code_, style_;  // of generators
};

/// Asserts that the rows are images of the network, and gives them as such.
at::Tensor planes_tensor(MatrixView<const float> rows, const ImageNetworkOptions& options, at::Device device);

}  // namespace bauta::training
