// Weights of networks in training, and the optimisers that move them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include "bauta/core/matrix.hpp"
#include "bauta/core/random.hpp"
#include "bauta/deep/network.hpp"

namespace bauta::training {

/// All weights that one optimiser moves, in one flat tensor; layers are views into it. An optimiser step and a snapshot
/// are then a few operations, however many layers there are.
class WeightBlock {
 public:
  /// Returns the number of the new leaf, which exists from place() on.
  std::size_t add(std::vector<std::int64_t> shape, std::vector<float> initial);
  void place(at::Device device, at::ScalarType type = at::kFloat);

  [[nodiscard]] const at::Tensor& operator[](std::size_t leaf) const { return leaves_[leaf]; }
  [[nodiscard]] const at::Tensor& values() const { return values_; }
  [[nodiscard]] const at::Tensor& gradients() const { return gradients_; }
  void forget_gradients() { gradients_.zero_(); }

 private:
  std::vector<std::vector<std::int64_t>> shapes_;
  std::vector<float> initial_;
  at::Tensor values_;
  at::Tensor gradients_;
  std::vector<at::Tensor> leaves_;
};

/// Uniform first weights; biases are zero except with glorot, which draws them too.
enum class Initial {
  glorot,  ///< +- sqrt(6 / (inputs + outputs)), as in scikit-learn
  fan_in,  ///< +- sqrt(3 / inputs)
  small,   ///< +- 0.05, Keras' random_uniform
};

class DenseStack {
 public:
  /// sizes = {inputs, hidden ..., outputs}. `block` must outlive the stack.
  DenseStack(WeightBlock& block, const std::vector<std::size_t>& sizes, Activation between, Activation last,
             Initial initial, Stream& stream);

  [[nodiscard]] std::size_t size() const { return layers_.size(); }
  /// `frozen`: gradients flow to the rows, not to the weights.
  [[nodiscard]] at::Tensor forward(at::Tensor rows, bool frozen = false) const;
  [[nodiscard]] at::Tensor apply(std::size_t layer, const at::Tensor& rows, bool frozen = false) const;
  [[nodiscard]] const at::Tensor& weights(std::size_t layer) const { return (*block_)[layers_[layer].weights]; }
  [[nodiscard]] DenseLayer plain(std::size_t layer) const;
  [[nodiscard]] Network plain() const;

 private:
  struct Leaves {
    std::size_t weights;
    std::size_t bias;
    Activation activation;
  };
  WeightBlock* block_;
  std::vector<Leaves> layers_;
};

class Adam {
 public:
  explicit Adam(WeightBlock& block, double rate, double beta1 = 0.9, double beta2 = 0.999);
  void step();
  void scale_rate(double factor) { rate_ *= factor; }

 private:
  WeightBlock* block_;
  double rate_;
  double beta1_;
  double beta2_;
  double power1_ = 1;
  double power2_ = 1;
  at::Tensor mean_;
  at::Tensor square_;
};

/// As Keras has it: rho 0.95, epsilon 1e-7.
class Adadelta {
 public:
  explicit Adadelta(WeightBlock& block, double rate);
  void step();

 private:
  WeightBlock* block_;
  double rate_;
  at::Tensor square_;
  at::Tensor moved_;
};

at::Tensor rows_tensor(MatrixView<const float> rows, at::Device device);
at::Tensor index_tensor(const std::vector<std::int64_t>& indices, at::Device device);
std::vector<double> to_doubles(const at::Tensor& tensor);

/// Sets each element to zero with the given probability (in steps of 2^-16) and scales up the others. Masks come from
/// our own stream, so they are the same for every version of LibTorch.
at::Tensor thin_out(const at::Tensor& rows, double probability, Stream& stream);

}  // namespace bauta::training
