#include "weights.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "bauta/deep/network.hpp"

namespace bauta::training {
namespace {

/// Two weights with gradients 0.5 and -2.
WeightBlock two_weights() {
  WeightBlock block;
  const std::size_t leaf = block.add({2}, {1, 1});
  block.place(at::kCPU);
  (block[leaf] * at::tensor({0.5F, -2.0F})).sum().backward();
  return block;
}

TEST(Weights, GradientsOfLeavesLieInTheBlock) {
  const WeightBlock block = two_weights();
  EXPECT_EQ(to_doubles(block.gradients()), (std::vector<double>{0.5, -2}));
}

// With bias-corrected moments of a single gradient, the first step is rate * g / |g|, and so is every further step
// under the same gradient.
TEST(Adam, MovesByTheRateUnderAConstantGradient) {
  WeightBlock block = two_weights();
  Adam adam(block, 0.01);
  for (int step = 1; step <= 3; ++step) {
    adam.step();
    EXPECT_NEAR(block.values()[0].item<double>(), 1 - 0.01 * step, 1e-6);
    EXPECT_NEAR(block.values()[1].item<double>(), 1 + 0.01 * step, 1e-6);
  }
}

// First step: rate * g * sqrt(eps / (0.05 g^2 + eps)); then the moved squares are 0.05 step^2.
TEST(Adadelta, TwoStepsByHand) {
  WeightBlock block = two_weights();
  Adadelta adadelta(block, 0.1);
  double value = 1;
  double square = 0;
  double moved = 0;
  for (int i = 0; i < 2; ++i) {
    adadelta.step();
    square = 0.95 * square + 0.05 * 0.25;
    const double step = 0.5 * std::sqrt((moved + 1e-7) / (square + 1e-7));
    moved = 0.95 * moved + 0.05 * step * step;
    value -= 0.1 * step;
    EXPECT_NEAR(block.values()[0].item<double>(), value, 1e-7);
  }
  EXPECT_LT(value, 0.9998);
}

TEST(DenseStack, PlainNetworkComputesWhatTorchComputes) {
  WeightBlock block;
  Stream stream(1, "test");
  const DenseStack stack(block, {40, 64, 32, 17}, Activation::relu, Activation::tanh, Initial::glorot, stream);
  block.place(at::kCPU);
  Matrix<float> rows(300, 40);
  for (float& value : std::span(rows.data(), rows.size())) value = static_cast<float>(stream.normal());
  const at::Tensor expected = stack.forward(rows_tensor(rows.view(), at::kCPU)).contiguous();
  const Network network = stack.plain();
  Matrix<float> outputs(300, 17);
  network.forward(rows.view(), 0, outputs.view());
  double span = 0;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    ASSERT_NEAR(outputs.data()[i], expected.data_ptr<float>()[i], 1e-5);
    span = std::max(span, std::abs(double{outputs.data()[i]}));
  }
  EXPECT_GT(span, 0.5);
}

TEST(DenseStack, InitialWeightsAreUniformWithinTheirBounds) {
  for (const auto& [initial, limit] :
       {std::pair{Initial::glorot, std::sqrt(6.0 / 300)}, std::pair{Initial::fan_in, std::sqrt(3.0 / 100)},
        std::pair{Initial::small, 0.05}}) {
    WeightBlock block;
    Stream stream(1, "test");
    const DenseStack stack(block, {100, 200}, Activation::relu, Activation::relu, initial, stream);
    block.place(at::kCPU);
    const std::vector<double> weights = to_doubles(stack.weights(0));
    double square = 0;
    for (const double weight : weights) {
      ASSERT_LE(std::abs(weight), limit);
      square += weight * weight;
    }
    // A uniform variable has variance limit^2 / 3; its square has the relative deviation sqrt(4/5).
    EXPECT_NEAR(square / 20000 / (limit * limit / 3), 1, 4 * std::sqrt(0.8 / 20000));
  }
}

TEST(ThinOut, KeepsTheShareAndTheMean) {
  const at::Tensor ones = at::ones({500, 201});
  for (const double probability : {0.25, 0.5}) {
    Stream stream(1, "test");
    const at::Tensor thinned = thin_out(ones, probability, stream);
    const double zeros = (thinned == 0).sum().item<double>() / 100500;
    EXPECT_NEAR(zeros, probability, 4 * std::sqrt(probability * (1 - probability) / 100500));
    EXPECT_NEAR(thinned.max().item<double>(), 1 / (1 - probability), 1e-6);
  }
  Stream unused(1, "test");
  EXPECT_TRUE(at::equal(thin_out(ones, 0, unused), ones));
}

}  // namespace
}  // namespace bauta::training
