#include "bauta/deep/network.hpp"

#include <gtest/gtest.h>

#include "bauta/core/row_tiles.hpp"
#include "population.hpp"

namespace bauta {
namespace {

DenseLayer layer(std::size_t inputs, const std::vector<float>& weights, std::vector<float> bias,
                 Activation activation) {
  DenseLayer result;
  result.weights = Matrix<float>(bias.size(), inputs);
  std::copy(weights.begin(), weights.end(), result.weights.data());
  result.bias = std::move(bias);
  result.activation = activation;
  return result;
}

Network random_network(const std::vector<std::size_t>& sizes, Activation last) {
  Network network;
  Stream stream(3, "test.network");
  for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
    std::vector<float> weights(sizes[i] * sizes[i + 1]);
    std::vector<float> bias(sizes[i + 1]);
    for (float& value : weights) value = static_cast<float>(stream.normal() / std::sqrt(double(sizes[i])));
    for (float& value : bias) value = static_cast<float>(stream.normal());
    network.layers.push_back(layer(sizes[i], weights, bias, i + 2 < sizes.size() ? Activation::relu : last));
  }
  return network;
}

TEST(Network, TwoLayersByHand) {
  Network network;
  network.layers.push_back(layer(2, {1, 2, -1, 1}, {0.5F, -1}, Activation::relu));
  network.layers.push_back(layer(2, {2, 3}, {-1}, Activation::tanh));
  Matrix<float> input(2, 2);
  input(0, 0) = 1;
  input(0, 1) = -0.5F;  // sums 0.5, -2.5 -> 0.5, 0 -> 2 * 0.5 - 1 = 0
  input(1, 0) = 0;
  input(1, 1) = 1;  // sums 2.5, 0 -> 2.5, 0 -> 4
  const Matrix<float> output = outputs_of(network, input.view());
  EXPECT_FLOAT_EQ(output(0, 0), 0);
  EXPECT_FLOAT_EQ(output(1, 0), std::tanh(4.0F));
}

TEST(Network, UnitLengthOutputsAndZeroStaysZero) {
  Network network;
  network.layers.push_back(layer(2, {3, 0, 0, 4}, {0, 0}, Activation::identity));
  network.unit_length = true;
  Matrix<float> input(2, 2, 1.0F);
  input(1, 0) = input(1, 1) = 0;
  const Matrix<float> output = outputs_of(network, input.view());
  EXPECT_FLOAT_EQ(output(0, 0), 0.6F);
  EXPECT_FLOAT_EQ(output(0, 1), 0.8F);
  EXPECT_EQ(output(1, 0), 0);
  EXPECT_EQ(output(1, 1), 0);
}

TEST(Network, BitsDoNotDependOnBlocks) {
  const Network network = random_network({37, 61, 29}, Activation::tanh);
  const Population people(100, 7, 37);
  const Matrix<float> whole = outputs_of(network, people.rows.view());
  for (const std::size_t block : {1UL, 5UL, 255UL, 256UL, 300UL}) {
    for (std::size_t first = 0; first < people.rows.rows(); first += block) {
      const std::size_t count = std::min(block, people.rows.rows() - first);
      Matrix<float> part(count, 29);
      network.forward(people.rows.view().slice(first, count), first, part.view());
      ASSERT_EQ(std::memcmp(part.data(), whole.row(first).data(), part.size() * sizeof(float)), 0) << block;
    }
  }
}

TEST(Network, ASliceOfTheOutputsIsPartOfTheWhole) {
  const Network network = random_network({8, 11, 9}, Activation::tanh);
  const Population people(4, 2, 8);
  const Matrix<float> whole = outputs_of(network, people.rows.view());
  const Matrix<float> part = outputs_of(slice_outputs(network, 3, 4), people.rows.view());
  ASSERT_EQ(part.cols(), 4U);
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(part(i, j), whole(i, j + 3), 1e-6);
  }
}

TEST(Network, ANormalisationFoldedIntoALayerGivesTheSameOutputs) {
  const Network network = random_network({8, 3}, Activation::identity);
  Network folded = random_network({8, 3}, Activation::identity);
  const std::vector<double> scale = {1, 2, 0.5, -1, 0, 3, 1, 1};
  const std::vector<double> shift = {0, 1, -1, 2, 5, 0, 0.25, 0};
  fold_into(folded.layers.front(), scale, shift);
  const Population people(4, 2, 8);
  Matrix<float> normalised(8, 8);
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t j = 0; j < 8; ++j) {
      normalised(i, j) = static_cast<float>(people.rows(i, j) * scale[j] + shift[j]);
    }
  }
  const Matrix<float> expected = outputs_of(network, normalised.view());
  const Matrix<float> output = outputs_of(folded, people.rows.view());
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(output(i, j), expected(i, j), 1e-5);
  }
}

}  // namespace
}  // namespace bauta
