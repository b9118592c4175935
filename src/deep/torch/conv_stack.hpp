// Convolutional networks in training.
#pragma once

#include <vector>

#include <ATen/ATen.h>

#include "bauta/core/random.hpp"
#include "bauta/deep/image_trainer.hpp"
#include "weights.hpp"

namespace bauta::training {

class ConvStack {
 public:
  /// `block` must outlive the stack. The head ends with `outputs` without activation.
  ConvStack(WeightBlock& block, const ConvOptions& options, std::size_t outputs, Stream& stream);

  /// Once the block has its place.
  void place(at::Device device);
  /// `images` are batch x channels x height x width. In training, normalised over the batch, which is remembered for
  /// later; `thinned` draws what is left out.
  [[nodiscard]] at::Tensor forward(at::Tensor images, Stream* thinned) const;
  /// With the normalisations folded into the filters.
  [[nodiscard]] ConvNetwork plain() const;

 private:
  struct Block {
    std::size_t filters, scale, shift;
    at::Tensor mean, variance;
  };
  WeightBlock* block_;
  ConvOptions options_;
  std::vector<Block> blocks_;
  std::vector<DenseStack> head_;  // one
};

/// Rows of the set as images: batch x channels x height x width.
at::Tensor images_tensor(MatrixView<const float> rows, const ImageShape& shape, at::Device device);

/// Some images of a batch as in a mirror.
at::Tensor mirrored(const at::Tensor& images, Stream& stream);

}  // namespace bauta::training
