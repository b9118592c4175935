#include "critic.hpp"

#include <gtest/gtest.h>

namespace bauta::training {
namespace {

ImageNetworkOptions small() {
  ImageNetworkOptions options;
  options.size = 8;
  options.width = 2;
  options.stages = 2;
  return options;
}

struct Judged {
  WeightBlock block;
  Stream stream{5, "test.critic"};
  Critic critic{block, small(), 1, stream};
  at::Tensor images;

  Judged() {
    block.place(at::kCPU, at::kDouble);
    at::Tensor drawn = at::empty({3, 4, 8, 8}, at::kFloat);
    stream.normals(std::span(drawn.data_ptr<float>(), 3 * 4 * 64));
    images = drawn.to(at::kDouble);
  }
};

// The gradient by differences of every value of every image.
TEST(Critic, SteepnessIsTheMeanSquaredGradient) {
  const Judged judged;
  const double told = judged.critic.steepness(judged.images).item<double>();
  const c10::NoGradGuard no_gradients;
  double squares = 0;
  constexpr double step = 1e-5;
  at::Tensor values = judged.images.view({3, -1});
  for (std::int64_t i = 0; i < values.size(1); ++i) {
    values.select(1, i).add_(step);
    const at::Tensor above = judged.critic.judge(judged.images, false);
    values.select(1, i).sub_(2 * step);
    const at::Tensor below = judged.critic.judge(judged.images, false);
    values.select(1, i).add_(step);
    squares += ((above - below) / (2 * step)).pow(2).sum().item<double>();
  }
  EXPECT_NEAR(told, squares / 3, 1e-4 * squares);
}

// How the penalty changes with a weight, by differences.
TEST(Critic, TheWeightsAreToldHowToBeLessSteep) {
  Judged judged;
  judged.block.forget_gradients();
  judged.critic.steepness(judged.images).backward();
  constexpr double step = 1e-5;
  for (const std::int64_t weight : {3, 70, 100}) {
    const double told = judged.block.gradients()[weight].item<double>();
    const auto at = [&](double moved) {
      {
        const c10::NoGradGuard no_gradients;
        at::Tensor(judged.block.values())[weight] += moved;
      }
      return judged.critic.steepness(judged.images).item<double>();
    };
    const double above = at(step), below = at(-2 * step);
    at(step);
    EXPECT_NEAR(told, (above - below) / (2 * step), 1e-4 * std::abs(told) + 1e-6) << weight;
  }
}

TEST(Critic, AFrozenOneLearnsNothing) {
  Judged judged;
  judged.block.forget_gradients();
  const at::Tensor shown = judged.images.clone().requires_grad_(true);
  judged.critic.judge(shown, true).sum().backward();
  EXPECT_EQ(judged.block.gradients().abs().sum().item<double>(), 0);
  EXPECT_GT(shown.grad().abs().sum().item<double>(), 0);
}

// Planes beside the image go where the image goes, and keep their values.
TEST(Variation, MovesPlanesWithTheImage) {
  Stream stream(3, "test.variation");
  const at::Tensor images = at::full({40, 4, 16, 16}, 0.5, at::kFloat);
  images.select(1, 3).select(1, 4).select(1, 9).fill_(7);
  const at::Tensor varied = Variation(images, 3, stream)(images);
  std::size_t seen = 0;
  for (std::int64_t i = 0; i < 40; ++i) {
    const at::Tensor plane = varied[i][3];
    // Two pixels at most; elsewhere the value or, from beyond the border and where it was cut out, zero.
    const double most = plane.max().item<double>();
    EXPECT_TRUE(most == 7 || most == 0.5 || most == 0) << most;
    seen += most == 7 ? 1 : 0;
    for (std::int64_t y = 0; y < 16; ++y) {
      for (std::int64_t x = 0; x < 16; ++x) {
        if (plane[y][x].item<double>() != 7) continue;
        EXPECT_LE(std::abs(y - 4), 2);
        EXPECT_LE(std::abs(x - 9), 2);
      }
    }
    // An even image stays even in each channel, apart from what was cut out.
    for (std::int64_t c = 0; c < 3; ++c) {
      const at::Tensor channel = varied[i][c], there = channel.masked_select(plane != 0);
      ASSERT_TRUE(there.numel() == 0 || (there.max() - there.min()).item<double>() < 1e-5);
    }
  }
  EXPECT_GT(seen, 20U);  // a quarter is cut out
}

}  // namespace
}  // namespace bauta::training
