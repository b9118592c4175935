// Networks from images to images as they are trained.
#include <cmath>

#include <gtest/gtest.h>

#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"
#include "bauta/deep/image_trainer.hpp"

namespace bauta {
namespace {

/// Random images of two channels, of four samples each, and the same upside down in value.
struct Images {
  Matrix<float> inputs{40, 2 * 64}, targets{40, 2 * 64};
  std::vector<std::int32_t> subjects;
  std::vector<bool> held;

  Images() {
    for (std::size_t i = 0; i < 40; ++i) {
      Stream stream(6, "test.images", i);
      for (std::size_t j = 0; j < inputs.cols(); ++j) {
        inputs(i, j) = static_cast<float>(stream.uniform());
        targets(i, j) = 1 - inputs(i, j);
      }
      subjects.push_back(static_cast<std::int32_t>(i / 4));
      held.push_back(i >= 32);
    }
  }

  [[nodiscard]] TrainedImageNetwork trained(std::size_t stages = 3) const {
    ImageNetworkOptions options;
    options.training = {.epochs = 15, .batch = 8, .rate = 0.02, .patience = 0};
    options.channels = 2;
    options.size = 8;
    options.width = 3;
    options.stages = stages;
    return image_trainer().train_image_network({inputs.view(), subjects, held}, targets.view(), options);
  }

  [[nodiscard]] double held_loss(const ImageNetwork& network) const {
    double sum = 0;
    std::size_t count = 0;
    std::vector<float> result(inputs.cols());
    for (std::size_t i = 0; i < 40; ++i) {
      if (!held[i]) continue;
      network.forward(inputs.row(i), result);
      for (std::size_t j = 0; j < result.size(); ++j, ++count) sum += std::pow(result[j] - targets(i, j), 2);
    }
    return sum / static_cast<double>(count);
  }
};

// The network in plain arrays says of people who were held out what LibTorch said of them.
TEST(ImageTraining, PlainArraysAreTheTrainedNetwork) {
  const Images images;
  for (const std::size_t stages : {1U, 2U, 4U}) {
    const auto [network, report] = images.trained(stages);
    ASSERT_EQ(network.down.size(), stages);
    ASSERT_EQ(network.up.size(), stages - 1);
    EXPECT_NEAR(images.held_loss(network), report.validation_losses[report.best_epoch - 1], 1e-5) << stages;
  }
}

// The image itself is off by E (1 - 2u)^2 = 1 / 3, and one grey by a quarter of that.
TEST(ImageTraining, LearnsToTurnValuesRound) {
  const Images images;
  EXPECT_LT(images.held_loss(images.trained().network), 0.05);
}

TEST(ImageTraining, TheSameBitsForAnyNumberOfThreads) {
  const Images images;
  set_threads(1);
  const ImageNetwork one = images.trained().network;
  set_threads(2);
  const ImageNetwork two = images.trained().network;
  set_threads(0);
  EXPECT_EQ(images.held_loss(one), images.held_loss(two));
}

/// Grey images of 16 x 16 whose middle is to be filled: `inside(i)` there, `outside(i)` around it.
template <class Inside, class Outside>
TrainedImageNetwork generator(Inside&& inside, Outside&& outside, GeneratorOptions options, std::size_t epochs = 40) {
  constexpr std::size_t size = 16, people = 120;
  Matrix<float> images(people, size * size);
  std::vector<float> region(size * size);
  std::vector<std::int32_t> subjects;
  for (std::size_t i = 0; i < people; ++i) {
    for (std::size_t p = 0; p < region.size(); ++p) {
      const std::size_t x = p % size, y = p / size;
      region[p] = x >= 4 && x < 12 && y >= 4 && y < 12 ? 1.0F : 0.0F;
      images(i, p) = region[p] > 0 ? inside(i) : outside(i);
    }
    subjects.push_back(static_cast<std::int32_t>(i));
  }
  options.divergence = 0.01;  // a nat that is nearly free would tell what the surroundings tell as well
  options.network.channels = 1;
  options.network.size = size;
  options.network.width = 4;
  options.network.code = 2;
  options.network.training = {.epochs = epochs, .batch = 12, .rate = 0.005, .patience = 0};
  return image_trainer().train_generator({images.view(), subjects}, region, MatrixView<const float>(nullptr, people, 0),
                                         options);
}

/// What surroundings and codes tell is learned by the autoencoder. A critic of even squares would be about something
/// else, and so would a price for being alike where a code has nothing to tell.
GeneratorOptions without_critic() {
  GeneratorOptions options;
  options.adversarial = options.diversity = 0;
  return options;
}

/// The mean of the middle that it paints into even surroundings.
double painted(const ImageNetwork& network, float around, const std::vector<float>& code) {
  std::vector<float> shown(2 * 256), result(256);
  double sum = 0;
  for (std::size_t p = 0; p < 256; ++p) {
    const bool inside = p % 16 >= 4 && p % 16 < 12 && p / 16 >= 4 && p / 16 < 12;
    shown[p] = inside ? 0 : around;
    shown[256 + p] = inside ? 1 : 0;
  }
  network.forward(shown, code, result);
  for (std::size_t p = 0; p < 256; ++p) sum += shown[256 + p] * result[p];
  return sum / 64;
}

// The middle is as bright as what is around it: a code has nothing to tell, and changes nothing.
TEST(GeneratorTraining, TakesFromTheSurroundingsWhatTheyTell) {
  const auto level = [](std::size_t i) { return static_cast<float>(i) / 60 - 1; };
  const auto [network, report] = generator(level, level, without_critic());
  EXPECT_LT(report.training_losses.back(), report.training_losses.front() / 2);
  for (const float around : {-0.8F, -0.3F, 0.4F, 0.9F}) {
    for (const float code : {-1.0F, 1.0F}) EXPECT_NEAR(painted(network, around, {code, -code}), around, 0.15);
  }
}

// The middle is bright or dark, and nothing around it tells which: codes do, and drawn ones paint both. Without codes
// nothing would be better than a constant. After 40 epochs whether they tell it yet depends on how a processor rounds.
TEST(GeneratorTraining, CodesTellTheRest) {
  const auto [network, report] = generator([](std::size_t i) { return i % 2 == 0 ? 0.7F : -0.7F; },
                                           [](std::size_t) { return 0.0F; }, without_critic(), 160);
  std::size_t bright = 0, dark = 0;
  Stream stream(4, "test.codes");
  for (std::size_t i = 0; i < 100; ++i) {
    std::vector<float> code(2);
    stream.normals(std::span(code));
    const double level = painted(network, 0, code);
    bright += level > 0.5 ? 1 : 0;
    dark += level < -0.5 ? 1 : 0;
  }
  EXPECT_GT(bright, 25U);
  EXPECT_GT(dark, 25U);
}

TEST(GeneratorTraining, TheSameBitsForAnyNumberOfThreads) {
  GeneratorOptions options;
  options.mirror = false;
  const auto once = [&](int count) {
    set_threads(count);
    return painted(generator([](std::size_t i) { return static_cast<float>(i % 7) / 7; },
                             [](std::size_t i) { return static_cast<float>(i % 3) / 3; }, options, 3)
                       .network,
                   0.5F, {1, -1});
  };
  const double one = once(1), two = once(2);
  set_threads(0);
  EXPECT_EQ(one, two);
}

}  // namespace
}  // namespace bauta
