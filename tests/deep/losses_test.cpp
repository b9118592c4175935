#include "losses.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "linear_leak.hpp"

namespace bauta::training {
namespace {

at::Tensor normal_rows(std::int64_t rows, std::int64_t cols, std::uint64_t seed) {
  at::Tensor tensor = at::empty({rows, cols}, at::kDouble);
  Stream stream(seed, "test.rows");
  for (std::int64_t i = 0; i < tensor.numel(); ++i) tensor.data_ptr<double>()[i] = stream.normal();
  return tensor;
}

struct Game {
  WeightBlock projection_block;
  WeightBlock detector_block;
  Stream stream{1, "test.game"};
  DenseStack projection{projection_block, {6, 6, 6}, Activation::relu, Activation::identity, Initial::glorot, stream};
  DenseStack detector{detector_block, {6, 5, 2}, Activation::relu, Activation::identity, Initial::glorot, stream};
  at::Tensor rows = normal_rows(24, 6, 1);
  at::Tensor codes = at::arange(24, at::kLong).remainder(3) - 1;  // -1 (unknown), 0, 1

  Game() {
    projection_block.place(at::kCPU, at::kDouble);
    detector_block.place(at::kCPU, at::kDouble);
  }

  [[nodiscard]] at::Tensor features() const { return to_unit_length(projection.forward(rows)); }
  [[nodiscard]] at::Tensor sensitive() const {
    const at::Tensor f = features();
    return triplet_loss(f.narrow(0, 0, 8), f.narrow(0, 8, 8), f.narrow(0, 16, 8), 0.2) +
           3 * sensitive_loss(f, detector, 1);
  }
  [[nodiscard]] at::Tensor detecting() const { return detector_loss(features(), detector, codes); }
};

/// The derivative of loss() in every weight of the block by central differences.
template <class Loss>
std::vector<double> numerical_gradient(const WeightBlock& block, Loss&& loss) {
  const c10::NoGradGuard no_gradients;
  std::vector<double> gradient;
  double* values = block.values().data_ptr<double>();
  for (std::int64_t i = 0; i < block.values().numel(); ++i) {
    constexpr double step = 1e-6;
    const double before = values[i];
    values[i] = before + step;
    const double above = loss().template item<double>();
    values[i] = before - step;
    const double below = loss().template item<double>();
    values[i] = before;
    gradient.push_back((above - below) / (2 * step));
  }
  return gradient;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  double largest = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], 1e-6) << i;
    largest = std::max(largest, std::abs(expected[i]));
  }
  EXPECT_GT(largest, 1e-3);
}

TEST(SensitiveNetsLosses, TheSensitivePartTeachesTheProjectionAndNotTheDetector) {
  const Game game;
  game.sensitive().backward();
  expect_near(to_doubles(game.projection_block.gradients()),
              numerical_gradient(game.projection_block, [&] { return game.sensitive(); }));
  // The loss does depend on the detector's weights, but they do not learn from it.
  double largest = 0;
  for (const double slope : numerical_gradient(game.detector_block, [&] { return game.sensitive(); })) {
    largest = std::max(largest, std::abs(slope));
  }
  EXPECT_GT(largest, 1e-3);
  for (const double gradient : to_doubles(game.detector_block.gradients())) EXPECT_EQ(gradient, 0);
}

TEST(SensitiveNetsLosses, TheDetectorsLossTeachesTheDetectorAndNotTheProjection) {
  const Game game;
  game.detecting().backward();
  expect_near(to_doubles(game.detector_block.gradients()),
              numerical_gradient(game.detector_block, [&] { return game.detecting(); }));
  double largest = 0;
  for (const double slope : numerical_gradient(game.projection_block, [&] { return game.detecting(); })) {
    largest = std::max(largest, std::abs(slope));
  }
  EXPECT_GT(largest, 1e-3);
  for (const double gradient : to_doubles(game.projection_block.gradients())) EXPECT_EQ(gradient, 0);
}

TEST(SensitiveNetsLosses, ADetectorWithoutKnownClassesLosesNothing) {
  Game game;
  game.codes.fill_(-1);
  EXPECT_EQ(game.detecting().item<double>(), 0);
}

// log(1 + |0.9 - P|): 0 at 0.9, log 1.4 at a half, log 1.9 at 0.
TEST(SensitiveNetsLosses, DeltaIsLeastWhereTheTargetClassHasNineTenths) {
  const at::Tensor p = at::linspace(0, 1, 101, at::kDouble);
  const std::vector<double> delta = to_doubles(sensitive_delta(p));
  EXPECT_NEAR(delta[90], 0, 1e-12);
  EXPECT_NEAR(delta[50], std::log(1.4), 1e-12);
  EXPECT_NEAR(delta[0], std::log(1.9), 1e-12);
  for (std::size_t i = 0; i < 90; ++i) EXPECT_GT(delta[i], delta[i + 1]);
  for (std::size_t i = 90; i < 100; ++i) EXPECT_LT(delta[i], delta[i + 1]);
}

// |a - p|^2 = 1, |a - n|^2 = 4 and 0.9: max(0, 1 - 4 + 0.2) = 0 and max(0, 1 - 0.9 + 0.2) = 0.3; mean 0.15.
TEST(TripletLoss, ByHand) {
  const at::Tensor anchors = at::zeros({2, 2}, at::kDouble);
  const at::Tensor positives = at::tensor({1.0, 0.0, 0.0, 1.0}, at::kDouble).view({2, 2});
  const at::Tensor negatives = at::tensor({2.0, 0.0, 0.0, std::sqrt(0.9)}, at::kDouble).view({2, 2});
  EXPECT_NEAR(triplet_loss(anchors, positives, negatives, 0.2).item<double>(), 0.15, 1e-12);
}

TEST(PfrnetLosses, IdenticalClassesHaveNoDifferenceAndFullLikeness) {
  const at::Tensor rows = normal_rows(50, 8, 2);
  EXPECT_EQ(moment_difference({rows, rows}).item<double>(), 0);
  EXPECT_EQ(moment_likeness({rows, rows}).item<double>(), 2);
}

// One dimension, classes {1, 3} and {0, 2}: means 2 and 1, second moments 5 and 2; L1 = 1 + 9, L2 = e^-1 + e^-9.
TEST(PfrnetLosses, ByHandWithTheSecondMomentOfBothClasses) {
  const at::Tensor a = at::tensor({1.0, 3.0}, at::kDouble).view({2, 1});
  const at::Tensor b = at::tensor({0.0, 2.0}, at::kDouble).view({2, 1});
  EXPECT_NEAR(moment_difference({a, b}).item<double>(), 10, 1e-12);
  EXPECT_NEAR(moment_likeness({a, b}).item<double>(), std::exp(-1) + std::exp(-9), 1e-12);
  // A third class equal to the first: pairs give 10, 0, 10.
  EXPECT_NEAR(moment_difference({a, b, a}).item<double>(), 20.0 / 3, 1e-12);
}

TEST(PfrnetLosses, LikenessStaysWithinItsBounds) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const double likeness =
        moment_likeness({normal_rows(9, 4, seed), 3 * normal_rows(5, 4, seed + 100) + 0.1}).item<double>();
    EXPECT_GT(likeness, 0);
    EXPECT_LE(likeness, 2);
  }
}

TEST(PfrnetLossesDeathTest, AClassWithoutRowsHasNoMoments) {
  const at::Tensor rows = normal_rows(5, 2, 1);
  EXPECT_DEATH(moment_difference({rows, rows.narrow(0, 0, 0)}), "rows.size");
}

struct Leak {
  at::Tensor rows;
  at::Tensor codes;
};

/// Nine tenths are of class 0; `offset` parts the classes in one of 6 features, and a tenth of the codes is unknown.
Leak unbalanced(std::int64_t count, double offset, std::uint64_t seed) {
  Leak leak{normal_rows(count, 6, seed), at::arange(count, at::kLong).remainder(10).eq(9).to(at::kLong)};
  leak.rows.select(1, 2).add_(leak.codes.to(at::kDouble), offset);
  for (std::int64_t i = 0; i < count; i += 10) leak.codes[i] = -1;
  return leak;
}

double leak_of(const Leak& learnt, const Leak& tried) {
  return linear_leak(learnt.rows, learnt.codes, tried.rows, tried.codes, 2);
}

TEST(LinearLeak, IsOneWhereAStraightCutPartsTheClassesHoweverRareOneIs) {
  EXPECT_EQ(leak_of(unbalanced(400, 50, 1), unbalanced(300, 50, 2)), 1);
}

// Recalls of an uninformed classifier add up to 1; with 2000 and 16000 samples the sum deviates by
// sqrt(0.25 / 2000 + 0.25 / 16000) = 0.012.
TEST(LinearLeak, IsNearZeroWhereThereIsNothingToLearn) {
  EXPECT_LT(leak_of(unbalanced(20000, 0, 3), unbalanced(20000, 0, 4)), 4 * 0.012);
}

// Two normal classes 2 apart: the best cut in the middle is right with probability Phi(1) = 0.8413 on both sides, so
// the leak is 2 * 0.8413 - 1 = 0.683, with a deviation of sqrt(0.13 / 2000 + 0.13 / 16000) = 0.009.
TEST(LinearLeak, AgreesWithTheNormalDistribution) {
  EXPECT_NEAR(leak_of(unbalanced(20000, 2, 5), unbalanced(20000, 2, 6)), 0.6827, 4 * 0.009);
}

TEST(LinearLeak, OneClassAloneLeaksNothing) {
  Leak one = unbalanced(100, 2, 1);
  one.codes.clamp_max_(0);
  EXPECT_EQ(leak_of(unbalanced(100, 2, 2), one), 0);
}

// Keras: mean over rows and classes of -(y log p + (1 - y) log(1 - p)). Softmax of (log 2, log 1, log 1) is 1/2, 1/4,
// 1/4.
TEST(SoftmaxBinaryLoss, ByHand) {
  const at::Tensor logits = at::tensor({std::log(2.0), 0.0, 0.0}, at::kDouble).view({1, 3});
  const double expected = -(std::log(0.25) + std::log(0.5) + std::log(0.75)) / 3;
  EXPECT_NEAR(softmax_binary_loss(logits, at::ones({1}, at::kLong)).item<double>(), expected, 1e-9);
}

}  // namespace
}  // namespace bauta::training
