#include "bauta/deep/image_network.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "../data/scratch.hpp"
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

/// Of 2 x 2 pixels: what the vector says is added to each pixel, with a weight and a bias of its own.
ImageNetwork with_code() {
  ImageNetwork network = one_stage(only(4, 1), only(4, 10), 2);
  network.code = {Matrix<float>(4, 2, 0.0F), {0, 0, 0, 5}};
  for (std::size_t i = 0; i < 4; ++i) network.code.weights(i, 0) = static_cast<float>(i);
  network.code.weights(3, 1) = -1;
  return network;
}

// By hand: of a pixel p with the number i, p + 10 max(0, p + 2 i), with the vector (2, 100). The last one has
// 2 * 3 - 100 + 5 instead of 2 i.
TEST(ImageNetwork, AVectorIsAddedBeforeTheReLU) {
  std::vector<float> result(4);
  with_code().forward(std::vector<float>{1, 2, -9, 4}, std::vector<float>{2, 100}, result);
  EXPECT_EQ(result, std::vector<float>({1 + 10, 2 + 40, -9, 4}));
  EXPECT_EQ(with_code().code_length(), 2U);
}

/// Of 2 x 2 pixels and one channel, where all but the second stage passes on what it gets: on the way up a pixel p
/// becomes p * (1 + 2 v) - 3 v with the vector v.
ImageNetwork with_style() {
  ImageNetwork network = one_stage(only(4, 1), only(4, 10), 2);
  network.down.push_back(only(4, 1));
  network.code = {Matrix<float>(1, 1, 0.0F), {0}};
  ConvolutionLayer up{Matrix<float>(1, 18, 0.0F), {0}};
  up.weights(0, 9 + 4) = 1;
  network.up.push_back(std::move(up));
  network.style.push_back({Matrix<float>(2, 1), {0, 0}});
  network.style[0].weights(0, 0) = 2;
  network.style[0].weights(1, 0) = -3;
  network.fine.push_back(only(4, 5, -4));
  return network;
}

// By hand: the second convolution makes 5 q - 4 of what it gets, and ten times that is added; on the way a fifth is
// left of what is below 0.
TEST(ImageNetwork, AVectorScalesAndShiftsWhatGoesUp) {
  const auto added = [](float vector) {
    const std::vector<float> image = {1, 2, 3, 4};
    std::vector<float> result(4);
    with_style().forward(image, std::vector<float>{vector}, result);
    for (std::size_t i = 0; i < 4; ++i) result[i] -= image[i];
    return result;
  };
  const auto expect = [](const std::vector<float>& found, const std::vector<float>& expected) {
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(found[i], expected[i], 1e-3) << i;
  };
  expect(added(0), {10, 60, 110, 160});
  expect(added(2), {-10, 160, 410, 660});  // 5 p - 6
  expect(added(-1), {60, 10, -8, -10});    // 3 - p
  expect(added(-0.5F), {35, 35, 35, 35});  // 1.5
  std::map<std::string, Matrix<float>> arrays = arrays_of(with_style());
  EXPECT_EQ(arrays.count("style0") + arrays.count("fine0"), 2U);
  std::vector<float> result(4), same(4);
  image_network_of(arrays, 2, 2, "there").forward(std::vector<float>{1, 2, 3, 4}, std::vector<float>{2}, result);
  with_style().forward(std::vector<float>{1, 2, 3, 4}, std::vector<float>{2}, same);
  EXPECT_EQ(result, same);
  arrays["style0"] = Matrix<float>(4, 2, 0.0F);
  test::expect_contains(test::input_error([&] { (void)image_network_of(arrays, 2, 2, "there"); }), "do not fit");
  arrays.erase("style0");
  test::expect_contains(test::input_error([&] { (void)image_network_of(arrays, 2, 2, "there"); }),
                        "lacks the layer style0");
}

// What is shown beside the image is seen, and nothing is added to it.
TEST(ImageNetwork, SeesPlanesBesideTheImage) {
  ImageNetwork network = one_stage({Matrix<float>(1, 18, 0.0F), {0}}, only(4, 1), 2);
  network.down[0].weights(0, 9 + 4) = 1;
  std::vector<float> result(4);
  network.forward(std::vector<float>{1, 2, 3, 4, 10, 20, 30, 40}, result);
  EXPECT_EQ(result, std::vector<float>({11, 22, 33, 44}));
  EXPECT_EQ(network.inputs(), 2U);
  EXPECT_EQ(network.channels(), 1U);
}

TEST(ImageNetwork, ArraysAreTheNetwork) {
  std::map<std::string, Matrix<float>> arrays = arrays_of(with_code());
  const ImageNetwork again = image_network_of(arrays, 2, 1, "there");
  std::vector<float> result(4);
  again.forward(std::vector<float>{1, 2, -9, 4}, std::vector<float>{2, 100}, result);
  EXPECT_EQ(result, std::vector<float>({1 + 10, 2 + 40, -9, 4}));
  const auto refused = [&] { return test::input_error([&] { (void)image_network_of(arrays, 2, 1, "there"); }); };
  arrays["code"] = Matrix<float>(3, 3, 0.0F);  // three of four pixels
  test::expect_contains(refused(), "there: its layers do not fit");
  arrays = arrays_of(with_code());
  arrays["last"](0, 4) = NAN;
  test::expect_contains(refused(), "the layer last holds what is no number");
  arrays.erase("last");
  test::expect_contains(refused(), "lacks the layer last");
}

}  // namespace
}  // namespace bauta
