// The weights come from npm; without them these tests say that they skipped.
#include "bauta/deep/face_net.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "../data/scratch.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"

namespace bauta {
namespace {

class FaceNetwork : public testing::Test {
 protected:
  void SetUp() override {
    try {
      net = load_face_net();
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
  }
  std::shared_ptr<const FaceNet> net;
};

/// Whole numbers that follow from where they stand.
Picture drawn(std::size_t width, std::size_t height, std::size_t channels = 3) {
  Picture picture{width, height, channels, {}};
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      for (std::size_t c = 0; c < channels; ++c) {
        picture.values.push_back(static_cast<float>((x * x / 7 + 3 * y * (c + 1) + x * y / 11) % 256));
      }
    }
  }
  return picture;
}

TEST_F(FaceNetwork, EmbedsAsAnIndependentPassDoes) {
  // The first and the last numbers of a forward pass in numpy 1.24.2 (doubles), written from the description of the
  // layers; their sum over all 128 is -0.395442.
  const std::vector<float> embedding = net->embed(drawn(150, 150), {});
  ASSERT_EQ(embedding.size(), FaceNet::features);
  const std::vector<double> first = {-0.090329, 0.134572,  0.071192,  -0.074651, -0.140092, -0.017591,
                                     -0.087205, -0.010287, 0.134511,  -0.03938,  0.194494,  -0.017069,
                                     -0.228339, 0.027211,  -0.054288, 0.076318};
  const std::vector<double> last = {0.207135,  -0.292974, 0.232729,  0.190444,  0.092131,  0.145232,
                                    0.022765,  0.111553,  0.018561,  -0.060201, -0.116496, -0.096854,
                                    -0.005747, -0.05306,  -0.033903, 0.053329};
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_NEAR(embedding[i], first[i], 1e-5) << i;
    EXPECT_NEAR(embedding[112 + i], last[i], 1e-5) << i;
  }
  double sum = 0, square = 0;
  for (const float value : embedding) {
    sum += value;
    square += double{value} * value;
  }
  EXPECT_NEAR(sum, -0.395442, 1e-4);
  EXPECT_NEAR(std::sqrt(square), 1.338485, 1e-5);
}

TEST_F(FaceNetwork, FramesShowPartsOfAPicture) {
  const std::vector<float> whole = net->embed(drawn(150, 150), {});
  // The same picture, twice as large, with every pixel four times: its centre lies between them.
  Picture doubled{300, 300, 3, {}};
  const Picture small = drawn(150, 150);
  for (std::size_t i = 0; i < 300 * 300 * 3; ++i) {
    doubled.values.push_back(small.values[(i / 900 / 2 * 150 + i / 3 % 300 / 2) * 3 + i % 3]);
  }
  const std::vector<float> shrunk = net->embed(doubled, {2, 0.5, 0.5});
  // A margin of 10 and 20 pixels that is not looked at.
  Picture larger{170, 190, 3, std::vector<float>(170 * 190 * 3, 200)};
  for (std::size_t i = 0; i < small.values.size(); ++i) {
    larger.values[((i / 450 + 20) * 170 + i / 3 % 150 + 10) * 3 + i % 3] = small.values[i];
  }
  const std::vector<float> cut = net->embed(larger, {1, 10, 20});
  for (std::size_t i = 0; i < whole.size(); ++i) {
    EXPECT_NEAR(shrunk[i], whole[i], 1e-4);
    EXPECT_NEAR(cut[i], whole[i], 1e-4);
  }
  // Grey is red, green and blue alike.
  Picture grey = drawn(60, 40, 1), colours{60, 40, 3, {}};
  for (const float value : grey.values) colours.values.insert(colours.values.end(), 3, value);
  EXPECT_EQ(net->embed(grey, {0.4, 0, 0}), net->embed(colours, {0.4, 0, 0}));
}

TEST_F(FaceNetwork, TheGradientIsThatOfDifferences) {
  // Central differences (0.01) of the pass in numpy, of the embedding times sin(0), sin(1), ...
  std::vector<float> weights;
  for (int i = 0; i < 128; ++i) weights.push_back(static_cast<float>(std::sin(i)));
  const std::vector<float> gradient = net->gradient(drawn(150, 150), {}, weights);
  const auto at = [&](std::size_t y, std::size_t x, std::size_t c) { return gradient[(y * 150 + x) * 3 + c]; };
  EXPECT_NEAR(at(75, 75, 0), 3.66504e-06, 1e-8);
  EXPECT_NEAR(at(40, 100, 2), 1.822036e-05, 1e-8);
  EXPECT_NEAR(at(10, 11, 1), -2.540253e-05, 1e-8);
  EXPECT_NEAR(at(120, 60, 1), -1.029174e-06, 1e-8);
}

/// (1 - SSIM) / 2, written window by window.
double dissimilarity(const Picture& a, const std::vector<float>& b) {
  std::vector<double> window;
  for (int i = -5; i <= 5; ++i) window.push_back(std::exp(-i * i / 4.5));
  double total = 0;
  for (const double value : window) total += value;
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t c = 0; c < a.channels; ++c) {
    for (std::size_t y = 0; y + 11 <= a.height; ++y) {
      for (std::size_t x = 0; x + 11 <= a.width; ++x, ++count) {
        double ma = 0, mb = 0, aa = 0, bb = 0, ab = 0;
        for (std::size_t i = 0; i < 121; ++i) {
          const double weight = window[i / 11] * window[i % 11] / (total * total);
          const std::size_t at = ((y + i / 11) * a.width + x + i % 11) * a.channels + c;
          ma += weight * a.values[at];
          mb += weight * b[at];
          aa += weight * a.values[at] * a.values[at];
          bb += weight * b[at] * b[at];
          ab += weight * a.values[at] * b[at];
        }
        sum += (2 * ma * mb + 6.5025) / (ma * ma + mb * mb + 6.5025) * (2 * (ab - ma * mb) + 58.5225) /
               (aa - ma * ma + bb - mb * mb + 58.5225);
      }
    }
  }
  return (1 - sum / static_cast<double>(count)) / 2;
}

std::vector<float> small_numbers(std::size_t count) {
  std::vector<float> start(count);
  Stream stream(3, "test.cloak");
  for (float& value : start) value = static_cast<float>((2 * stream.uniform() - 1) * 1e-4);
  return start;
}

TEST_F(FaceNetwork, ACloakKeepsToItsBoundsAndMovesTheEmbedding) {
  Picture picture = drawn(40, 32);
  for (float& value : picture.values) value = std::floor(40 + 0.6F * value);
  const NetworkFrame frame{0.25, 0, 0};
  const std::vector<float> start = small_numbers(picture.values.size());
  const CloakOptions options{.threshold = 0.004, .steps = 12, .rate = 25};
  const Cloaked cloaked = net->cloak(picture, frame, start, options);
  ASSERT_EQ(cloaked.values.size(), picture.values.size());
  float furthest = 0;
  for (std::size_t i = 0; i < start.size(); ++i) {
    EXPECT_EQ(cloaked.values[i], std::floor(cloaked.values[i]));
    furthest = std::max(furthest, std::abs(cloaked.values[i] - picture.values[i]));
  }
  EXPECT_LE(furthest, 15);
  EXPECT_GE(furthest, 1);
  EXPECT_NEAR(cloaked.dissimilarity, dissimilarity(picture, cloaked.values), 1e-5);
  EXPECT_LE(cloaked.dissimilarity, 1.1 * 0.004);
  const auto unit = [&](const std::vector<float>& values) {
    std::vector<float> embedding = net->embed({40, 32, 3, values}, frame);
    double square = 0;
    for (const float value : embedding) square += double{value} * value;
    for (float& value : embedding) value = static_cast<float>(value / std::sqrt(square));
    return embedding;
  };
  const std::vector<float> before = unit(picture.values), after = unit(cloaked.values);
  double distance = 0;
  for (std::size_t i = 0; i < before.size(); ++i) distance += std::pow(before[i] - after[i], 2);
  EXPECT_NEAR(distance, cloaked.distance, 1e-5);
  // Noise of the same size (the moves, in another order) moves it less.
  std::vector<float> moves, noise = picture.values;
  for (std::size_t i = 0; i < start.size(); ++i) moves.push_back(cloaked.values[i] - picture.values[i]);
  Stream stream(4, "test.noise");
  stream.shuffle(std::span(moves));
  for (std::size_t i = 0; i < start.size(); ++i) noise[i] += moves[i];
  const std::vector<float> other = unit(noise);
  double of_noise = 0;
  for (std::size_t i = 0; i < before.size(); ++i) of_noise += std::pow(before[i] - other[i], 2);
  EXPECT_GT(distance, 3 * of_noise);
}

TEST_F(FaceNetwork, WithoutRoomThePictureStays) {
  const Picture picture = drawn(20, 30, 1);
  const Cloaked cloaked =
      net->cloak(picture, {0.2, 0, 0}, small_numbers(picture.values.size()), {.threshold = 0, .steps = 4});
  EXPECT_EQ(cloaked.values, picture.values);
  EXPECT_EQ(cloaked.distance, 0);
}

TEST_F(FaceNetwork, ManyThreadsGetWhatOneGets) {
  const std::vector<float> start = small_numbers(24 * 16);
  std::vector<std::vector<float>> embeddings(4), cloaks(4);
  const Picture picture = drawn(24, 16, 1);
  parallel_for(4, [&](std::size_t i, int) {
    embeddings[i] = net->embed(picture, {0.1, 0, 0});
    cloaks[i] = net->cloak(picture, {0.1, 0, 0}, start, {.threshold = 0.01, .steps = 3}).values;
  });
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(embeddings[i], net->embed(picture, {0.1, 0, 0}));
    EXPECT_EQ(cloaks[i], cloaks[0]);
  }
}

// Edges of pixels lie on edges: 150 pixels over 300 are two wide, and the centre of the first is half a pixel in.
TEST(FaceNet, WholeImagesLieInTheMiddleOfASquare) {
  for (const auto& [width, height, x, y] : {std::array{300.0, 300.0, 0.5, 0.5}, std::array{100.0, 300.0, -99.5, 0.5},
                                            std::array{75.0, 60.0, -0.25, -7.75}}) {
    const NetworkFrame frame = frame_of_whole_image(width, height);
    EXPECT_EQ(frame.scale, std::max(width, height) / 150);
    EXPECT_EQ(frame.x, x);
    EXPECT_EQ(frame.y, y);
  }
}

TEST(FaceNetWeights, WhatIsMissingIsNamed) {
  const test::Scratch scratch;
  test::expect_contains(test::error_of(Fault::environment, [&] { (void)load_face_net(scratch.path().string()); }),
                        "@vladmandic/face-api");
  scratch.write("face_recognition_model-weights_manifest.json", R"([{"weights": [], "paths": []}])");
  test::expect_contains(test::input_error([&] { (void)load_face_net(scratch.path().string()); }), "conv32_down");
}

}  // namespace
}  // namespace bauta
