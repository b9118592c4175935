// Networks from images to images as they are trained.
#include <cmath>

#include <gtest/gtest.h>

#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"
#include "bauta/deep/trainer.hpp"

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
    return trainer().train_image_network({inputs.view(), subjects, held}, targets.view(), options);
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

}  // namespace
}  // namespace bauta
