#include "bauta/deep/conv_network.hpp"

#include <numeric>

#include <gtest/gtest.h>

#include "bauta/core/random.hpp"

namespace bauta {
namespace {

DenseLayer identity(std::size_t size) {
  DenseLayer layer{Matrix<float>(size, size, 0.0F), std::vector<float>(size, 0.0F)};
  for (std::size_t i = 0; i < size; ++i) layer.weights(i, i) = 1;
  return layer;
}

/// One filter on a grey image, and what it leaves.
std::vector<float> filtered(const std::vector<float>& kernel, float bias, std::vector<float> image, std::size_t width) {
  ConvNetwork network;
  network.input = {width, image.size() / width, 1};
  ConvolutionLayer layer{Matrix<float>(1, 9), {bias}};
  std::ranges::copy(kernel, layer.weights.data());
  network.layers.push_back(std::move(layer));
  network.head.layers.push_back(identity(pixels_left(network.input, 1)));
  Matrix<float> result(1, network.outputs());
  network.forward({image.data(), 1, image.size(), image.size()}, 0, result.view());
  return {result.data(), result.data() + result.size()};
}

// By hand, on an image of 5 x 4 of which the last column is no part of any 2 x 2:
//    1  2  3  4  5
//    6  7  8  9 10
//   11 12 13 14 15
//   16 17 18 19 20
TEST(ConvNetwork, FiltersAndHalves) {
  std::vector<float> image(20);
  std::iota(image.begin(), image.end(), 1.0F);
  using Floats = std::vector<float>;
  EXPECT_EQ(filtered({0, 0, 0, 0, 1, 0, 0, 0, 0}, 0, image, 5), (Floats{7, 9, 17, 19}));
  // To the right of each pixel, then below it: beyond the edge there are zeros.
  EXPECT_EQ(filtered({0, 0, 0, 0, 0, 1, 0, 0, 0}, 0, image, 5), (Floats{8, 10, 18, 20}));
  EXPECT_EQ(filtered({0, 0, 0, 0, 0, 0, 0, 1, 0}, 0, image, 5), (Floats{12, 14, 17, 19}));
  // Above and to the left: the corner sees nothing, the largest is in the lower right of each square.
  EXPECT_EQ(filtered({1, 0, 0, 0, 0, 0, 0, 0, 0}, 0.5F, image, 5), (Floats{1.5F, 3.5F, 11.5F, 13.5F}));
  // All eight around it: 2 + 6 + 7 in the corner, and so on. A filter of several does not see over the edge.
  EXPECT_EQ(filtered({1, 1, 1, 1, 0, 1, 1, 1, 1}, 0, image, 5), (Floats{56, 72, 96, 112}));
  // What is negative is cut off.
  EXPECT_EQ(filtered({0, 0, 0, 0, -1, 0, 0, 0, 0}, 10, image, 5), (Floats{9, 7, 0, 0}));
}

TEST(ConvNetwork, ChannelsAreInterleavedAndRowsDoNotDependOnTheirPlace) {
  ConvNetwork network;
  network.input = {4, 4, 3};
  // The first filter sees green alone, the second adds red and blue.
  ConvolutionLayer layer{Matrix<float>(2, 27, 0.0F), {0, 0}};
  layer.weights(0, 9 + 4) = 1;
  layer.weights(1, 4) = layer.weights(1, 18 + 4) = 1;
  network.layers.push_back(std::move(layer));
  network.head.layers.push_back(identity(8));
  Matrix<float> rows(5, 48);
  Stream stream(1, "conv network test");
  for (std::size_t i = 0; i < rows.size(); ++i) rows.data()[i] = static_cast<float>(stream.uniform());
  Matrix<float> all(5, 8), one(1, 8);
  network.forward(rows.view(), 0, all.view());
  for (std::size_t i = 0; i < 5; ++i) {
    network.forward(rows.view().slice(i, 1), i, one.view());
    for (std::size_t k = 0; k < 8; ++k) EXPECT_EQ(one(0, k), all(i, k));
    const auto at = [&](std::size_t y, std::size_t x, std::size_t channel) {
      return rows(i, (y * 4 + x) * 3 + channel);
    };
    EXPECT_EQ(all(i, 0), std::max({at(0, 0, 1), at(0, 1, 1), at(1, 0, 1), at(1, 1, 1)}));
    EXPECT_FLOAT_EQ(all(i, 7), std::max({at(2, 2, 0) + at(2, 2, 2), at(2, 3, 0) + at(2, 3, 2),
                                         at(3, 2, 0) + at(3, 2, 2), at(3, 3, 0) + at(3, 3, 2)}));
  }
}

TEST(ConvNetwork, WhatHalvingLeaves) {
  EXPECT_EQ(pixels_left({48, 48, 1}, 3), 36U);
  EXPECT_EQ(pixels_left({5, 9, 3}, 2), 2U);
  EXPECT_EQ(pixels_left({7, 100, 1}, 3), 0U);
}

}  // namespace
}  // namespace bauta
