#include "bauta/deep/image_network.hpp"

#include <numeric>

#include <gtest/gtest.h>

#include "bauta/core/random.hpp"

namespace bauta {
namespace {

/// From one channel to one, with one weight: neighbour 0 is above to the left, 4 the pixel itself.
ConvolutionLayer only(std::size_t neighbour, float weight, float bias = 0) {
  ConvolutionLayer layer{Matrix<float>(1, 9, 0.0F), {bias}};
  layer.weights(0, neighbour) = weight;
  return layer;
}

ImageNetwork one_stage(ConvolutionLayer first, ConvolutionLayer last, std::size_t size) {
  ImageNetwork network;
  network.size = size;
  network.down.push_back(std::move(first));
  network.last = std::move(last);
  return network;
}

std::vector<float> through(const ImageNetwork& network, const std::vector<float>& image) {
  std::vector<float> result(image.size());
  network.forward(image, result);
  return result;
}

// By hand: what stands there, plus 3 times the pixel above to the left (nothing beyond the border) plus 1 where that is
// above 0, minus 2.
TEST(ImageNetwork, SeesNeighboursAndNothingBeyondTheBorder) {
  const ImageNetwork network = one_stage(only(0, 3, 1), only(4, 1, -2), 3);
  EXPECT_EQ(through(network, {1, 2, 3, 4, 5, 6, -7, 8, 9}),
            std::vector<float>({1 + 1 - 2, 2 + 1 - 2, 3 + 1 - 2, 4 + 1 - 2, 5 + 4 - 2, 6 + 7 - 2, -7 + 1 - 2,
                                8 + 13 - 2, 9 + 16 - 2}));
  const ImageNetwork below = one_stage(only(8, 1), only(4, 1), 2);
  EXPECT_EQ(through(below, {1, 2, 3, 4}), std::vector<float>({1 + 4, 2, 3, 4}));
  const ImageNetwork negative = one_stage(only(4, -1), only(4, 1), 2);
  EXPECT_EQ(through(negative, {1, 2, 3, -4}), std::vector<float>({1, 2, 3, -4 + 4}));
}

// Down: means of 2 x 2 pixels; up: each of them four times, after which comes what the first stage gave.
TEST(ImageNetwork, HalvesAndDoubles) {
  ImageNetwork network = one_stage(only(4, 1), only(4, 1), 2);
  network.down.push_back(only(4, 1));
  ConvolutionLayer up{Matrix<float>(1, 18, 0.0F), {0}};
  up.weights(0, 4) = 10;       // the mean
  up.weights(0, 9 + 4) = 100;  // the pixel
  network.up.push_back(std::move(up));
  EXPECT_EQ(through(network, {1, 2, 3, 6}),
            std::vector<float>({1 + 30 + 100, 2 + 30 + 200, 3 + 30 + 300, 6 + 30 + 600}));
}

TEST(ImageNetwork, ChannelsAreAddedUp) {
  ImageNetwork network;
  network.size = 1;
  network.down.push_back({Matrix<float>(2, 27, 0.0F), {0, 0}});
  for (std::size_t c = 0; c < 3; ++c) {
    network.down[0].weights(0, c * 9 + 4) = static_cast<float>(c + 1);  // r + 2 g + 3 b
    network.down[0].weights(1, c * 9 + 4) = 1;                          // r + g + b
  }
  network.last = {Matrix<float>(3, 18, 0.0F), {0, 0, 7}};
  network.last.weights(0, 4) = 1;
  network.last.weights(1, 9 + 4) = 1;
  EXPECT_EQ(network.channels(), 3U);
  EXPECT_EQ(through(network, {1, 10, 100}), std::vector<float>({1 + 321, 10 + 111, 100 + 7}));
}

}  // namespace
}  // namespace bauta
